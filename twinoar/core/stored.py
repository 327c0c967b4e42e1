"""Element types that tensors hold and no operator computes with, such as float8.

Operators that move elements or convert them have the rule `moves`. Programs look at it where specs
are inferred; eager mode looks at each call once the process has asked for such a type, and pays
nothing before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.observer import OPERATOR, Call, announce
from twinoar.errors import UnsupportedError

NAMES: set[str] = set()  # of such types, also NumPy's: `core.dtype` declares them


def _stored(x: Any) -> str | None:
    """The name of the type of a value, spec or array, if it is one of these."""
    name = getattr(getattr(getattr(x, "_data", x), "dtype", None), "name", None)
    return name if name in NAMES else None


def refuse(op: Any, values: Iterable[Any]) -> None:
    """Raise UnsupportedError where an operator would compute with elements that are only stored.

    values: its operands or results, or their specs. A composite is not looked at: the operators of
    its body are.
    """
    if op.rules.get("moves") or op.takes_blocks or (op.body and op.kernel_rule is None):
        return
    for x in values:
        if name := _stored(x):
            raise UnsupportedError(
                f"{op.name} does not compute with {name}, which tensors only store",
                cure='compute in another type: x.astype("float32")',
            )


class _Watch:
    """Looks at the operands and results of eager calls."""

    by_operator = False

    def started(self, call: Call) -> None:
        """Raise UnsupportedError, see `refuse`."""
        if call.kind == OPERATOR:
            refuse(call.op, call.operands)

    def ended(self, call: Call, results: Any, began: Any) -> None:
        """Raise UnsupportedError, see `refuse`; what is only stored has no gradient."""
        if call.kind != OPERATOR:
            return
        found = results if isinstance(results, tuple) else (results,)
        refuse(call.op, found)
        for x in found:
            if _stored(x):
                x.stop_gradient, x.producer = True, None


WATCH = _Watch()


def watch() -> None:
    """From now on eager calls are looked at, too: there may be tensors of such a type."""
    announce(WATCH)

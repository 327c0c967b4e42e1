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


def refuse(op: Any, values: Iterable[Any]) -> None:
    """Raise UnsupportedError where an operator would compute with elements that are only stored.

    values: its operands or results, or their specs. A composite is not looked at: the operators of
    its body are.
    """
    if op.rules.get("moves") or op.takes_blocks or (op.body and op.kernel_rule is None):
        return
    for x in values:
        dtype: Any = getattr(x, "dtype", None)
        if getattr(dtype, "is_stored", False):
            raise UnsupportedError(
                f"{op.name} does not compute with {dtype.name}, which tensors only store",
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
        if call.kind != OPERATOR or results is None:
            return
        found = results if isinstance(results, tuple) else (results,)
        refuse(call.op, found)
        for x in found:
            if not x.stop_gradient and x.dtype.is_stored:
                x.stop_gradient, x.producer = True, None


_WATCH = _Watch()


def watch() -> None:
    """From now on eager calls are looked at, too: there may be tensors of such a type."""
    announce(_WATCH)

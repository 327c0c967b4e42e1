"""What a view is: a tensor that shows elements of another one, which a step leads to.

`x[0]`, `x.reshape(...)` and `x.detach()` show the memory of x, so a change in place of either is
seen in both. Arrays are never written, and Programs have values only; so a change is carried over:
the step's `write` gives the base with the part replaced, and `read` gives other views of it anew.
An operator says by its rule `view` how its result is written back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.op.definition import Op


class Step:
    """From a base to a view of it. read: (base) -> view; write: (base, view) -> base."""

    __slots__ = ("read", "write")

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any, Any], Any]):
        self.read, self.write = read, write


class OpStep:
    """The step that an operator with a rule `view` makes. nth: which of several results."""

    __slots__ = ("attrs", "nth", "op")

    def __init__(self, op: Op, attrs: dict[str, Any], nth: int | None = None):
        self.op, self.attrs, self.nth = op, attrs, nth

    def read(self, base: Any) -> Any:
        """The view of `base`."""
        out = current().apply(self.op, (base,), self.attrs)
        return out if self.nth is None else out[self.nth]

    def write(self, base: Any, part: Any) -> Any:
        """`base` with what the view shows replaced by `part`."""
        which = {} if self.nth is None else {"nth": self.nth}
        return self.op.rules["view"](base, part, **which, **self.attrs)


AnyStep = Step | OpStep
ALL_OF_IT = Step(lambda base: base, lambda base, part: part)  # what `detach` shows


def shown(base: Any, steps: Iterable[AnyStep]) -> Any:
    """What these steps show of `base`."""
    for step in steps:
        base = step.read(base)
    return base


def replaced(base: Any, steps: tuple[AnyStep, ...], part: Any) -> Any:
    """`base` with what these steps show of it replaced by `part`."""
    if not steps:
        return part
    first, *rest = steps
    inner = first.read(base) if rest else None
    return first.write(base, replaced(inner, tuple(rest), part))

"""Truth values that are a bool on one path and a tensor on the other, as a tensor decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.errors import ConversionError


class Undecided(Variable):
    """What `and` or `or` gives of a tensor and a bool: good as a condition, and no value."""

    __slots__ = ()

    def refuse(self) -> Any:
        """Raise ConversionError with what is wrong."""
        raise ConversionError(
            "and/or gives a bool on one path and a tensor on the other, or tensors of two shapes, "
            "as a tensor decides",
            cure="make it one of them on both: bool(a and b), or paddle.logical_and(a, b)",
        )


def as_undecided(v: Variable) -> Undecided:
    """The result of an operator, known from here on as a truth of either type."""
    v.__class__ = Undecided
    return v  # type: ignore[return-value]


def require_decided(values: Iterable[Any]) -> None:
    """Raise ConversionError for a value whose type a tensor decides."""
    for x in values:
        if isinstance(x, Undecided):
            x.refuse()

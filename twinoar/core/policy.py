"""How code runs, as one value: every interpreter carries a Policy.

An interpreter decides what a call of an operator does (run it, append it to a Program); the Policy
says how. A context manager such as `no_grad` is the interpreter of now under a Policy with one
field changed, so that any two nest in either order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from twinoar.core.observer import Observer


class Saving(Protocol):
    """Keeps what backward will need elsewhere, or smaller."""

    def pack(self, data: Any) -> Any:
        """What is kept for an array; the tape unpacks it."""

    def packed(self, results: Any) -> Any:
        """The results of an operator, of whose record all arrays are packed."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How code runs.

    records: whether results may want gradients. saving: how what backward will need is kept; None
    as it is. lazy: whether parameters are made without data. observers: who is told of each call
    that runs.
    """

    records: bool = True
    saving: Saving | None = None
    lazy: bool = False
    observers: tuple[Observer, ...] = ()
    _opposite: Policy | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def traced(self) -> Policy:
        """The part that a Program depends on which is built under it: key of all such Programs."""
        if self.saving is None and not self.lazy and not self.observers:
            return self
        return Policy(self.records)

    def recording(self, records: bool) -> Policy:
        """The same, with gradients or without; the very same object each time."""
        if self.records is records:
            return self
        if self._opposite is None:
            other = replace(self, records=records)
            object.__setattr__(other, "_opposite", self)
            object.__setattr__(self, "_opposite", other)
        return self._opposite  # type: ignore[return-value]  # it was made, if need be


PLAIN = Policy()
UNRECORDED = PLAIN.recording(False)

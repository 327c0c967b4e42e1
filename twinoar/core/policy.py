"""How code runs, as one value: every interpreter carries a Policy.

An interpreter decides what a call of an operator does (run it, append it to a Program); the Policy
says how. A context manager such as `no_grad` is the interpreter of now under a Policy with one
field changed, so that any two nest in either order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Policy:
    """How code runs. records: whether results may want gradients."""

    records: bool = True
    _opposite: Policy | None = field(default=None, init=False, repr=False, compare=False)

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

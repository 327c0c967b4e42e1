"""How code runs, as one value: every interpreter carries a Policy.

An interpreter decides what a call of an operator does (run it, append it to a Program); the Policy
says how. A context manager such as `no_grad` is the interpreter of now under a Policy with one
field changed, so that any two nest in either order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal, Protocol, get_args

from twinoar.core.device import CPU, Device
from twinoar.core.observer import Observer
from twinoar.errors import ArgumentError
from twinoar.late import dataclass

NO_MARKS: Mapping[str, str] = {}
# How exact products of float32 are at least: as float32; as three products of bfloat16; as one such
# product. The names are those of PyTorch and JAX.
Exactness = Literal["highest", "high", "medium"]
EXACTNESSES: tuple[Exactness, ...] = get_args(Exactness)


def exactness(x: object) -> Exactness:
    """x as how exact products are; raises ArgumentError for what is none."""
    found = next((name for name in EXACTNESSES if isinstance(x, str) and name == x), None)
    if found is None:
        raise ArgumentError(
            f"expected how exact products of float32 are, received {x!r}",
            cure=f"one of {', '.join(map(repr, EXACTNESSES))}",
        )
    return found


class Autocast(Protocol):
    """Decides the precision of operators' operands.

    It is a part of the key of Programs, so it has a hash, and equals another that casts alike.
    """

    def cast(self, op: Any, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """The operands that `op` gets instead: some cast, by operators that run as they are.

        It is asked for each operator that users' code calls, before `promote` is: for a composite
        as a whole, so that eager mode and Programs agree, and neither for the operators of its body
        nor for those of gradients and optimizers, which follow what the forward pass chose.
        """


class Saving(Protocol):
    """Keeps what backward will need elsewhere, or smaller."""

    def pack(self, data: Any) -> Any:
        """What is kept for an array; the tape unpacks it."""

    def packed(self, results: Any) -> Any:
        """The results of an operator, of whose record all arrays are packed."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How code runs.

    records: whether results may want gradients. autocast: in which precision operators compute;
    None in that of their operands. device: where new values are made. placed: the device that is
    noted on operators of Programs, which need not be there. scope: the part of a Program that they
    belong to. saving: how what backward will need is kept; None as it is. lazy: whether parameters
    are made without data. observers: who is told of each call that runs. products: how exact sums
    of products of float32 are where machine code computes them; None as the process has it. traced:
    the Policy without what a Program does not depend on which is built under it; of all such
    Programs it is the key.
    """

    records: bool = True
    autocast: Autocast | None = None
    device: Device = CPU
    placed: str = ""
    scope: str = "/"
    saving: Saving | None = None
    lazy: bool = False
    observers: tuple[Observer, ...] = ()
    products: Exactness | None = None
    traced: Policy = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)
    _opposite: Policy | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        traced = self
        is_of_runs = self.saving is not None or self.lazy or self.observers
        if is_of_runs or self.scope != "/" or self.products is not None:
            traced = Policy(self.records, self.autocast, self.device, self.placed)
        object.__setattr__(self, "traced", traced)
        object.__setattr__(self, "_hash", hash((self.records, self.autocast, self.device)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def marks(self) -> Mapping[str, str]:
        """What operators of a Program are noted to have, by Paddle's names."""
        if self.scope == "/" and not self.placed:
            return NO_MARKS
        scope = {} if self.scope == "/" else {"op_namescope": self.scope}
        return {**scope, "op_device": self.placed} if self.placed else scope

    def derived(self, records: bool) -> Policy:
        """That of what follows from users' calls: gradients, steps of optimizers, bodies."""
        if self.autocast is None:
            return self.recording(records)
        return replace(self, autocast=None, records=records)

    def recording(self, records: bool) -> Policy:
        """The same, with gradients or without; the very same object each time."""
        if self.records is records:
            return self
        if self._opposite is None:
            other = replace(self, records=records)
            object.__setattr__(other, "_opposite", self)
            object.__setattr__(self, "_opposite", other)
        return self._opposite  # type: ignore[return-value]  # it was made, if need be

    def on(self, device: Device) -> Policy:
        """The same, with new values on `device`; the very same object where they are already."""
        if device == self.device:
            return self
        found = replace(self, device=device)
        return next((known for known in (PLAIN, UNRECORDED) if known == found), found)


PLAIN = Policy()
UNRECORDED = PLAIN.recording(False)

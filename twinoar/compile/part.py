"""What a step of a Plan runs as: told by a back end, placed and put in order by what is here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

from twinoar.compile.pipeline import Step
from twinoar.compile.storage import Storage
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.compile.assemble import Assembler
    from twinoar.compile.commands import Command


@dataclass(frozen=True, eq=False)
class Temporary:
    """Memory that one part needs for itself."""

    bytes: int
    name: str = "temporary"


@dataclass(frozen=True)
class Piece:
    """Where an argument lies: `offset` bytes into a value or a temporary."""

    home: Storage | Temporary
    offset: int = 0


class Part(Protocol):
    """A step with the kernels that run it."""

    @property
    def step(self) -> Step:
        """What it runs."""

    @property
    def can_fail(self) -> bool:
        """True where data may end the run."""

    @property
    def follows_checks(self) -> bool:
        """True where it may do with a wrong value what stays done, or what never ends."""

    @property
    def may_settle(self) -> bool:
        """True where it may run once, when states are bound, if it reads nothing else."""

    @property
    def joins(self) -> str:
        """Parts of the same word may be one command; "" for one that stays alone."""

    @property
    def bodies(self) -> Mapping[str, Any]:
        """What the back end has compiled of the blocks that it runs, by name, in order."""

    def split(self, is_fixed: Callable[[Storage], bool]) -> tuple[list[Part], Part]:
        """What only packs values that no run changes, and the rest."""

    def temporaries(self) -> Iterable[Temporary]:
        """The memory that it needs for itself."""

    def packed(self) -> Iterable[Temporary]:
        """That which is written when a state is bound, and read by each run."""

    def commands(self, others: Sequence[Self], into: Assembler) -> list[Command]:
        """What runs it, together with others that it joins."""

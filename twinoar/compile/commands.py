"""What a compiled Program is: commands as data, which a driver binds to addresses.

Memory is named by places. Those from 0 on are of the outside: feeds, states, constants and results,
bound at each run, and one for what is derived from states that no run changes. The arena holds what
lives during a run alone, the tables what kernels look up, the flags a byte for each index that is
checked. `commands_text` prints all of it and reads it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from twinoar.compile.target import Target
from twinoar.core.op.library import Collective
from twinoar.core.spec import Spec
from twinoar.late import dataclass

ARENA, TABLES, FLAGS = -1, -2, -3
Role = Literal["feed", "state", "constant", "result", "derived", "moved"]


class Span(NamedTuple):
    """Memory in a place: `size` bytes from `offset` on."""

    place: int
    offset: int
    size: int


@dataclass(frozen=True)
class Place:
    """Memory of the outside. name: of a feed, a state or a constant; of a result its position.

    order: how the dimensions lie, outermost first; None for row-major. is_written: a state that
    the run changes in place.
    """

    role: Role
    name: str
    spec: Spec
    order: tuple[int, ...] | None = None
    is_written: bool = False


@dataclass(frozen=True)
class Kernel:
    """What a command calls: a function or a primitive, and where the back end finds it.

    polls: its loops ask whether to end.
    """

    kind: str
    name: str
    source: str
    polls: bool = False


@dataclass(frozen=True)
class Block:
    """A kernel's words of arguments, of which spans are addresses; and its iterations."""

    words: tuple[Span | int, ...]
    size: int


@dataclass(frozen=True)
class Launch:
    """A kernel on blocks, whose iterations are divided as one loop into parts of whole grains."""

    kernel: int
    blocks: tuple[Block, ...]
    parts: int = 1
    grain: int = 1
    at_once: bool = True


@dataclass(frozen=True)
class Call:
    """A primitive of a library on named arguments."""

    kernel: int
    arguments: tuple[tuple[str, Span], ...]


@dataclass(frozen=True)
class Copy:
    """`source` to `target`, of equal sizes."""

    target: Span
    source: Span


@dataclass(frozen=True)
class Clear:
    """Zeros."""

    target: Span


@dataclass(frozen=True)
class Check:
    """The run ends as failed where a flag is raised."""


@dataclass(frozen=True)
class Value:
    """A value that lies in memory: its shape, dtype, and bytes from element to element."""

    span: Span
    spec: Spec
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Host:
    """An operator that NumPy runs. An operand that is None is the operator's own, no tensor."""

    kernel: int
    operands: tuple[Value | None, ...]
    results: tuple[Value | None, ...]


@dataclass(frozen=True)
class Travel:
    """What ranks do together, begun; waited for at once where `is_awaited`, else by an Arrive.

    flight: which of those that are on their way. source, target: one piece of memory each; `given`
    is what lies in the first. host: what runs it where ranks are no processes of MPI, or there is
    no native code for it.
    """

    flight: int
    asked: Collective
    given: Spec
    source: Span
    target: Span
    is_awaited: bool
    host: Host


@dataclass(frozen=True)
class Arrive:
    """Wait for a flight that was begun."""

    flight: int


@dataclass(frozen=True)
class Poke:
    """Let flights go on that were begun, without waiting."""

    flights: tuple[int, ...]


@dataclass(frozen=True)
class Unless:
    """What Python runs where the byte at `condition` is 0, as it seldom is: an assertion fails."""

    condition: Span
    host: Host


@dataclass(frozen=True)
class Repeat:
    """Other commands, so many times.

    given: for places of their outside where these lie here, and how many bytes further each time.
    """

    body: Commands
    count: int
    given: tuple[tuple[int, Span, int], ...]


@dataclass(frozen=True)
class Inner:
    """Other commands. given: for places of their outside where these lie here."""

    body: Commands
    given: tuple[tuple[int, Span], ...]


@dataclass(frozen=True)
class If:
    """One of two, by the byte that lies at `condition`."""

    condition: Span
    then: Inner
    orelse: Inner


@dataclass(frozen=True)
class Push:
    """A record of what lies at `spans`, put on a stack; all records of one have one size."""

    stack: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Pop:
    """The last record of a stack back to `spans`, and a byte that says whether there was one."""

    stack: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class While:
    """`test`, which writes the byte at `condition`; while it is not 0, `body` and `test` again.

    before, after: of each iteration. A stack is empty when the loop begins that puts records on it.
    """

    condition: Span
    test: Inner | Pop
    body: Inner
    before: Push | None = None
    after: Push | None = None


Command = (
    Launch
    | Call
    | Copy
    | Clear
    | Check
    | Host
    | Travel
    | Arrive
    | Poke
    | Unless
    | Repeat
    | If
    | While
)


def _sides(command: If | While) -> tuple[Inner | Push | Pop | None, ...]:
    if isinstance(command, If):
        return command.then, command.orelse
    return command.test, command.body, command.before, command.after


def bodies_of(command: Command) -> tuple[Commands, ...]:
    """The other commands that a command runs."""
    if isinstance(command, Repeat):
        return (command.body,)
    if isinstance(command, If):
        return command.then.body, command.orelse.body
    if isinstance(command, While):
        tests = (command.test.body,) if isinstance(command.test, Inner) else ()
        return *tests, command.body.body
    return ()


def spans_of(command: Command) -> Iterator[Span]:
    """The memory that a command names."""
    if isinstance(command, Launch):
        yield from (w for b in command.blocks for w in b.words if isinstance(w, Span))
    elif isinstance(command, Call):
        yield from (span for _, span in command.arguments)
    elif isinstance(command, Copy):
        yield from (command.target, command.source)
    elif isinstance(command, Clear):
        yield command.target
    elif isinstance(command, Host):
        yield from (v.span for v in (*command.operands, *command.results) if v is not None)
    elif isinstance(command, Travel):
        yield from (command.source, command.target)
        yield from spans_of(command.host)
    elif isinstance(command, Unless):
        yield command.condition
        yield from spans_of(command.host)
    elif isinstance(command, Repeat):
        yield from (span for _, span, _ in command.given)
    elif isinstance(command, (If, While)):
        yield command.condition
        for side in _sides(command):
            if isinstance(side, Inner):
                yield from (span for _, span in side.given)
            elif side is not None:
                yield from side.spans


@dataclass(frozen=True)
class Checked:
    """The indices that one kernel checks: what they are called, and how many places there are."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]


@dataclass(eq=False)
class Commands:
    """A Program compiled for given sizes.

    places: of the outside. arena, needed: bytes, and the most that is needed at once. tables: words
    that kernels look up. constants: by place. checked: the rows of flags, all as wide as the
    widest. setup: what runs once, when states are bound; packing: when one place is. batches: what
    each run does. outputs: the place of a result, a value that lies elsewhere, or one that is
    known. updates: by state the place that holds its next value, or where that lies.
    """

    name: str
    target: Target
    kernels: tuple[Kernel, ...]
    places: tuple[Place, ...]
    arena: int
    needed: int
    tables: np.ndarray
    constants: Mapping[int, np.ndarray]
    checked: tuple[Checked, ...]
    setup: tuple[Command, ...]
    packing: Mapping[int, tuple[Command, ...]]
    batches: tuple[tuple[Command, ...], ...]
    outputs: tuple[int | Value | np.ndarray | None, ...] = ()
    updates: Mapping[str, int | Value] = field(default_factory=dict)

    def walk(self) -> Iterator[Command]:
        """All commands, in order; not those that these run."""
        yield from self.setup
        for commands in (*self.packing.values(), *self.batches):
            yield from commands

    @cached_property
    def sources(self) -> frozenset[int]:
        """The places of states and constants of which setup and packing derive something."""
        first = (*self.setup, *(c for found in self.packing.values() for c in found))
        named = {s.place for c in first for s in spans_of(c) if s.place >= 0}
        return frozenset(n for n in named if self.places[n].role in ("state", "constant"))

    @cached_property
    def derived(self) -> int | None:
        """The place of what is derived from states, where anything is."""
        return next((n for n, p in enumerate(self.places) if p.role == "derived"), None)

    @property
    def derived_bytes(self) -> int:
        """How much is derived from states."""
        return 0 if self.derived is None else int(self.places[self.derived].spec.size)

    @property
    def is_hosted(self) -> bool:
        """True where NumPy runs a part of each run, in what commands run too."""
        return any(
            isinstance(c, (Host, Travel)) or any(body.is_hosted for body in bodies_of(c))
            for c in self.walk()
        )

    def __eq__(self, other: object) -> bool:
        """Whether all that they print is equal, which is all there is to them."""
        if not isinstance(other, Commands):
            return NotImplemented
        names = [f.name for f in fields(self)]
        return all(_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]  # arrays have none


def _equal(x: object, y: object) -> bool:
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
    if isinstance(x, Mapping) and isinstance(y, Mapping):
        return list(x) == list(y) and all(_equal(x[k], y[k]) for k in x)
    if isinstance(x, tuple) and isinstance(y, tuple) and not isinstance(x, Span):
        return len(x) == len(y) and all(map(_equal, x, y))
    return type(x) is type(y) and bool(x == y)

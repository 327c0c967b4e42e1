"""Commands at work for one thread: an arena, words of arguments, and what the driver runs."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from twinoar.backends import onednn
from twinoar.backends.llvm import driver
from twinoar.backends.mpi.board import MOST_BEGUN
from twinoar.backends.native.arena import address_of, new_arena
from twinoar.backends.native.derived import Common, Derived, Sources
from twinoar.backends.native.traveling import Traveling, function, traveling
from twinoar.backends.numpy import explained, kernel_attributes
from twinoar.compile.commands import (
    ARENA,
    FLAGS,
    TABLES,
    Arrive,
    Call,
    Check,
    Checked,
    Clear,
    Command,
    Commands,
    Copy,
    Host,
    If,
    Inner,
    Kernel,
    Launch,
    Poke,
    Pop,
    Push,
    Repeat,
    Span,
    Travel,
    Unless,
    Value,
    While,
    spans_of,
)
from twinoar.core.memory_error import no_memory_for
from twinoar.errors import AxisError, ProgramError
from twinoar.runtime.collective.current import current_world
from twinoar.tracebacks import shown_cause

if TYPE_CHECKING:
    from twinoar.backends.native.parts import HostPart

WORD = ctypes.sizeof(ctypes.c_void_p)
_lost: list[Instance] = []
MOVE = 3  # words: an address, who is told it before an iteration, bytes to the next one
STACK, LACKING = 4, 3  # words, see `driver.push`; and which says that memory was lacking


class Instance:
    """Memory and commands: `bind` places of the outside, then `run`. For one thread at a time.

    handles: what the kernels are. arena: memory that nobody else uses during a run, as `new_arena`
    makes it. common: where other Instances have what is derived from states; without, it lies
    behind the arena.
    """

    def __init__(
        self,
        commands: Commands,
        handles: Mapping[Kernel, Any],
        arena: np.ndarray | None = None,
        common: Common | None = None,
    ):
        self.commands, self.handles, self.common = commands, handles, common
        if arena is None:
            arena = new_arena(commands.arena if common is not None else bytes_alone(commands))
        self.arena = arena
        count = len(commands.places)
        self.arrays: list[np.ndarray | None] = [None] * count
        # Of those whose address is all that is kept: what tells if it is still theirs.
        self.known: list[Callable[[], np.ndarray | None]] = [nothing] * count
        self.addresses = (ctypes.c_void_p * count)()  # of the places of the outside
        flags = (s for c in commands.walk() for s in spans_of(c) if s.place == FLAGS)
        width = max((s.size for s in flags), default=0)
        self.flags = np.zeros((len(commands.checked), width), np.uint8)  # for each checked index
        self._starts = {
            ARENA: address_of(self.arena),
            TABLES: address_of(commands.tables),
            FLAGS: address_of(self.flags),
        }
        self.targets: list[driver.Target] = []  # who is told where places of the outside are
        self._kept: list[Any] = []
        self._stacks: dict[int, np.ndarray] = {}
        self.flights: dict[int, Traveling] = {}
        self._groups: dict[int, Any] = {}  # the communicators of those, by number
        self._begun = 0  # flights that are on their way while others come and go
        self._is_lost = False
        self.inner: list[Instance] = []  # of what commands run
        uses_library = any(isinstance(c, Call) for c in commands.walk())
        self.stream = onednn.new_stream() if uses_library else None
        self._bind_commands()
        self._sources = commands.sources
        self._is_settled = not commands.setup and not commands.packing
        self._derived: Derived | None = None
        if common is None:
            self._derived = Derived(self.arena[commands.arena :])
            self._place(self._derived)

    def _bind_commands(self) -> None:
        commands = self.commands
        made = [self._bound(batch) for batch in commands.batches]
        first = self._bound(commands.setup)
        packing = {place: self._bound(found) for place, found in commands.packing.items()}
        placing = driver.placing(ctypes.addressof(self.addresses), self.targets)
        if made:
            made[0].insert(0, placing)
        # The batch that each command belongs to.
        self.of_batch = [n for n, found in enumerate(made) for _ in found]
        polls = any(k.polls for k in commands.kernels)
        self.routine = driver.Routine([c for found in made for c in found], polls=polls)
        self.setup = driver.Routine([placing, *first], polls=polls)
        self.packing = {n: driver.Routine([placing, *found]) for n, found in packing.items()}

    def bind(self, place: int, array: np.ndarray) -> None:
        """Let the memory of a place be that of `array`."""
        if self.arrays[place] is array:
            return
        self.arrays[place] = array
        self.addresses[place] = address_of(array)
        if place in self._sources:
            self._is_settled = False

    def run(self) -> None:
        """Run all commands.

        Raises IndexOutside for an index from data, and what NumPy raised; no state
        has changed then.
        """
        try:
            if not self._is_settled:
                self._settle()
            for there in self._groups.values():  # tasks that were begun come first, everywhere
                there.queue.drain()
            self.routine.run()
        except ProgramError:
            try:
                self._look_at_flights()
                self._look_at_flags()
                self._look_at_stacks()
            finally:
                self._end_failed()
            raise
        except BaseException:  # such as Ctrl-C, after a flag was raised and before it was looked at
            self._end_failed()
            raise

    def entry(self, count: int) -> driver.Entry | None:
        """The short way to run where arrays lie at the first places; None where runs do more."""
        commands, routine = self.commands, self.routine
        if (
            commands.setup
            or commands.packing
            or self.flights
            or routine.polls
            or not commands.batches
        ):
            return None
        return driver.Entry(routine, ctypes.addressof(self.addresses), count)

    def _end_failed(self) -> None:
        """Leave nothing of a run that has failed to the next one."""
        self.lower_flags()  # those too that were raised before the one that is told
        if not all(t.flight.is_over for t in self.flights.values()):
            self._is_lost = True
            _lost.append(self)  # messages may still arrive in its memory

    def unsettle(self) -> None:
        """Derive from states again before the next run, as others have used the memory."""
        if self._derived is not None:
            self._derived.sources = None
        self._is_settled = not self.commands.setup and not self.commands.packing

    def _settle(self) -> None:
        """Let there be what is derived from the states that are bound."""
        sources: Sources = {p: a for p in self._sources if (a := self.arrays[p]) is not None}

        def fill(derived: Derived) -> None:
            self._place(derived)
            changed = derived.changed(sources)
            derived.sources = None  # until all of it is there
            for place in changed:
                if place in self.packing:
                    self.packing[place].run()
            self.setup.run()
            derived.sources = sources

        if self.common is None:
            assert self._derived is not None
            fill(self._derived)
        else:
            self._derived = self.common.serving(sources, self._derived, fill)
            self._place(self._derived)
        self._is_settled = True

    def _place(self, derived: Derived) -> None:
        """Let what is derived lie there."""
        if self.commands.derived is not None:
            self.bind(self.commands.derived, derived.memory)

    def view(self, value: Value) -> np.ndarray:
        """The memory of a value as an array of its logical shape."""
        spec, span = value.spec, value.span
        dtype: np.dtype = spec.dtype.numpy
        shape: tuple[int, ...] = spec.shape  # type: ignore[assignment]  # known sizes
        if 0 in shape:
            return np.empty(shape, dtype)
        if span.place == ARENA:
            flat, at = self.arena, span.offset
        else:
            array = self.arrays[span.place]
            if array is None:  # the driver has moved it
                start = self.addresses[span.place] + span.offset  # type: ignore[operator]
                memory = (ctypes.c_uint8 * span.size).from_address(start)
                flat, at = np.frombuffer(memoryview(memory), np.uint8), 0
            else:
                flat, at = array.reshape(-1).view(np.uint8), span.offset
        return np.ndarray(shape, dtype, flat, at, value.strides)

    # Commands.

    def _bound(self, commands: Sequence[Command]) -> list[driver.Command]:
        """What the driver runs; after loops that may be told to end, whether they were."""
        found: list[driver.Command] = []
        polls = False
        for c in commands:
            polls |= isinstance(c, Launch) and self.commands.kernels[c.kernel].polls
            if isinstance(c, Launch):
                found.append(self._launch(c))
            elif isinstance(c, Call):
                found.append(self._call(c))
            elif isinstance(c, Copy):
                words = self._words((c.target, c.source))
                found.append(driver.copy(address_of(words), c.target.size))
            elif isinstance(c, Clear):
                words = self._words((c.target,))
                found.append(driver.clear(address_of(words), c.target.size))
            elif isinstance(c, Check):
                found.append(driver.check(address_of(self.flags), self.flags.size // 8))
            elif isinstance(c, Host):
                found.append(driver.callback(self._host(c)))
            elif isinstance(c, Travel):
                found += self._travel(c)
            elif isinstance(c, Arrive):
                found += self._carry("await", (c.flight,))
            elif isinstance(c, Poke):
                found += self._carry("progress", c.flights)
            elif isinstance(c, Unless):
                words = self._words((c.condition,))
                found.append(driver.unless(address_of(words), self._host(c.host)))
            elif isinstance(c, Repeat):
                found += self._repeat(c)
            else:
                found += [self._branch(c)] if isinstance(c, If) else self._loop(c)
        return [*found, driver.check_stop()] if polls else found

    def _launch(self, c: Launch) -> driver.Command:
        kernel = self.commands.kernels[c.kernel]
        blocks = [driver.Block(address_of(self._words(b.words)), b.size) for b in c.blocks]
        address = self.handles[kernel].address(kernel.name)
        return driver.kernel(address, blocks, parts=c.parts, grain=c.grain, at_once=c.at_once)

    def _words(self, given: Sequence[Span | int]) -> np.ndarray:
        """Words of which spans are addresses, now and whenever these change."""
        words = np.array([0 if isinstance(w, Span) else w for w in given], np.int64)
        start = address_of(words)
        for position, word in enumerate(given):
            if isinstance(word, Span):
                self._point(word, start + position * words.itemsize, words, position)
        self._kept.append(words)
        return words

    def _point(self, span: Span, holder: int, words: Any, position: int) -> None:
        """Let a word, which is at `holder`, be the address of a span."""
        if span.place >= 0:
            self.targets.append(driver.Target(holder, span.place, span.offset))
        else:
            words[position] = self._starts[span.place] + span.offset

    def _call(self, c: Call) -> driver.Command:
        primitive = self.handles[self.commands.kernels[c.kernel]]
        assert self.stream is not None
        command = onednn.Command(primitive, self.stream)
        for name, span in c.arguments:
            if span.place >= 0:
                memory, told = command.memory_address(name), onednn.place_address()
                self.targets.append(driver.Target(memory, span.place, span.offset, told))
            else:
                command.set(name, self._starts[span.place] + span.offset)
        self._kept.append(command)
        return driver.primitive(onednn.execute_address(), command.arguments_address)

    def _travel(self, c: Travel) -> list[driver.Command]:
        """A collective by MPI where ranks are processes; else by Python."""
        made = traveling(c)
        if made is None:
            return [driver.callback(self._host(c.host))]
        flight = made.flight
        self.flights[c.flight], self._groups[made.group] = made, made.communicator
        rows = np.empty(flight.rows_bytes, np.uint8)
        self._kept.append(rows)
        flight.place("rows", address_of(rows))
        for at, piece in flight.spans:
            if piece.memory != "rows":
                whole = c.source if piece.memory == "x" else c.target
                span = Span(whole.place, whole.offset + piece.offset, piece.bytes)
                self._point(span, flight.address + at * WORD, flight.words, at)
        begun = driver.native(function("begin"), flight.address)
        self._begun += not c.is_awaited
        waits = c.is_awaited or self._begun > MOST_BEGUN
        return [begun, *self._carry("await", (c.flight,) if waits else ())]

    def _carry(self, name: str, flights: Sequence[int]) -> list[driver.Command]:
        """Let flights go on, or wait for them; not those that Python has done."""
        found = [self.flights[n].flight.address for n in flights if n in self.flights]
        return [driver.native(function(name), address) for address in found]

    def _repeat(self, c: Repeat) -> list[driver.Command]:
        inner = self._inside(Inner(c.body, tuple((p, at) for p, at, step in c.given if not step)))
        table = ctypes.addressof(inner.addresses)
        moves: list[Span | int] = []
        for place, span, step in c.given:
            if step:
                moves += [span, table + place * WORD, step]
        first = inner.preparation
        words = self._words(moves)
        iterations = driver.repeat(inner.routine, c.count, address_of(words), len(moves) // MOVE)
        return [iterations] if first is None else [driver.repeat(first, 1), iterations]

    def _branch(self, c: If) -> driver.Command:
        """Both sides follow from constants and feeds, so that each prepares once for all runs."""
        routines = []
        for side in (c.then, c.orelse):
            inner = self._inside(side)
            first = inner.preparation
            if first is None:
                routines.append(inner.routine)
            else:
                commands = [driver.once(first), driver.repeat(inner.routine, 1)]
                routines.append(driver.Routine(commands))
        return driver.branch(address_of(self._words((c.condition,))), *routines)

    def _loop(self, c: While) -> list[driver.Command]:
        if isinstance(c.test, Pop):
            words = self._record(c.test, c.condition)
            test, first = driver.Routine([driver.pop(words)]), None
        else:
            inner = self._inside(c.test)
            test, first = inner.routine, inner.preparation
        body = self._inside(c.body)
        pushes = [push for push in (c.before, c.after) if push is not None]
        iteration = body.routine
        if pushes:
            steps = [driver.repeat(body.routine, 1)]
            if c.before is not None:
                steps.insert(0, driver.push(self._record(c.before)))
            if c.after is not None:
                steps.append(driver.push(self._record(c.after)))
            iteration = driver.Routine(steps)
        # A run that failed has left its records.
        heads = [address_of(self._stack(push.stack)) + WORD for push in pushes]
        cleared = [driver.clear(address_of(self._words((head,))), WORD) for head in heads]
        condition = address_of(self._words((c.condition,)))
        return [*cleared, driver.loop(condition, test, iteration, first, body.preparation)]

    def _record(self, c: Push | Pop, condition: Span | int = 0) -> int:
        """Where the words stand that tell the driver of a stack and of its records."""
        bytes_of_all = sum(s.size for s in c.spans)
        pieces = (word for s in c.spans for word in (s, s.size))
        stack = address_of(self._stack(c.stack))
        return address_of(self._words((stack, condition, len(c.spans), bytes_of_all, *pieces)))

    def _stack(self, number: int) -> np.ndarray:
        """The words of a stack, whose records are given back when this ends."""
        if number not in self._stacks:
            stack = np.zeros(STACK, np.int64)
            self._stacks[number] = stack
            weakref.finalize(self, _release, stack)
        return self._stacks[number]

    def _inside(self, c: Inner) -> Instance:
        """Other commands, whose outside is told where it lies here."""
        inner = Instance(c.body, self.handles)
        self.inner.append(inner)
        for place, array in c.body.constants.items():
            inner.bind(place, array)
        table = ctypes.addressof(inner.addresses)
        for place, span in c.given:
            self._point(span, table + place * WORD, inner.addresses, place)
        return inner

    @property
    def preparation(self) -> driver.Routine | None:
        """What runs before, for one that another runs: what packs and what settles."""
        if not self.packing and not self.commands.setup:
            return None
        return driver.Routine([driver.repeat(r, 1) for r in (*self.packing.values(), self.setup)])

    def _host(self, c: Host) -> Callable[[], None]:
        part: HostPart = self.handles[self.commands.kernels[c.kernel]]
        o = part.step.operator
        kernel = o.op.kernel_rule
        assert kernel is not None
        functions = part.functions
        attrs = {**o.attrs, **functions} if functions else kernel_attributes(o)
        given = list(zip(part.step.operands, c.operands, strict=True))

        def run() -> None:
            operands = [x if value is None else self.view(value) for x, value in given]
            if not functions:  # kernels of users' functions may keep what they get
                operands = [x.copy() if isinstance(x, np.ndarray) else x for x in operands]
            try:
                results = kernel(*operands, **attrs)
            except Exception as error:
                raise explained(o, error, operands, o.attrs) from shown_cause(error)
            results = results if isinstance(results, tuple) else (results,)
            for value, array in zip(c.results, results, strict=True):
                if value is not None:
                    self.view(value)[...] = array

        return run

    def _look_at_flights(self) -> None:
        """Raise why a collective has failed."""
        for there in self.flights.values():
            if there.flight.has_failed:
                raise there.error()

    @property
    def is_usable(self) -> bool:
        """Whether all groups are what they were and go on, and nothing is on its way."""
        current = current_world().communicators
        goes_on = (current.get(n) is c and c.given_up is None for n, c in self._groups.items())
        return not self._is_lost and all(goes_on)

    def _look_at_flags(self, path: tuple[int, ...] = ()) -> None:
        """Raise IndexOutside for the first index that was found outside."""
        for number, inner in enumerate(self.inner):
            inner._look_at_flags((*path, number))
        for row, flags in enumerate(self.flags):
            if flags.any():
                raise IndexOutside(self.commands.checked[row], int(flags.argmax()), row, path)

    def _look_at_stacks(self) -> None:
        """Raise OutOfMemoryError where there was none for what a loop keeps of its iterations."""
        for inner in self.inner:
            inner._look_at_stacks()
        for stack in self._stacks.values():
            if stack[LACKING]:
                stack[LACKING] = 0
                raise no_memory_for(None)

    def lower_flags(self) -> None:
        """Forget what checks have found."""
        self.flags[:] = 0
        for inner in self.inner:
            inner.lower_flags()


def nothing() -> None:
    """No array."""


class IndexOutside(AxisError):
    """That the check of an index failed; who runs the commands says more.

    row, number: which check of which kernel, in what the commands of `path` run. is_refused: it is
    no index, but a condition that must not hold.
    """

    def __init__(self, checked: Checked, number: int, row: int, path: tuple[int, ...]):
        name, size = checked.names[number], checked.sizes[number]
        super().__init__(
            f"{name} lies outside of the {size} places" if size else name,
            cure="check the indices that were fed" if size else "check what was fed",
        )
        self.number, self.row, self.path = number, row, path
        self.is_refused = not size


def _release(stack: np.ndarray) -> None:
    driver.release(address_of(stack))


def bytes_alone(commands: Commands) -> int:
    """The memory of an Instance that has nothing in common with others."""
    return commands.arena + commands.derived_bytes

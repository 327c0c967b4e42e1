"""The native driver: one call from Python runs a list of commands, with no Python in between.

A kernel is a native function `void (ptr arguments, i64 lo, i64 hi, i64 part)` that does the
iterations lo <= i < hi of its outer loop. A command divides them into a fixed number of parts,
which threads run at the same time. What a part does depends on the command alone, never on how many
threads there are, so that sums come out with the same bits.

    routine = Routine([kernel(address, [Block(arguments, size)], parts=2), primitive(...)])
    routine.run()
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from twinoar.backends.llvm.driver_text import DRIVER, ONE_THREAD, REGIONS
from twinoar.backends.llvm.entry_text import ENTRY
from twinoar.backends.llvm.interruption import Interruptible, let_python_handle
from twinoar.backends.llvm.jit import Code, load
from twinoar.backends.llvm.target import CACHE_LINE_BYTES
from twinoar.backends.llvm.values import POLL
from twinoar.errors import ArgumentError, ProgramError
from twinoar.late import dataclass
from twinoar.runtime import openmp

_INNER = ("repeat", "branch", "while", "once")  # ways that run other routines
_PLAIN = ("check", "place", "push", "pop")
_WAYS = ("serial", "parallel", "primitive", "callback", "native", "unless", *_PLAIN, *_INNER)
_NAMES = ("run", "enter", *_WAYS, "copy", "clear", "nothing", "poll", "stopped", "ask", "release")
MANY_ITERATIONS = 4096  # of a routine: Ctrl-C ends it between two
_SUCCESS = -1
_UNLIMITED = -1  # iterations of a loop


class _Command(ctypes.Structure):
    """What the native driver reads; the last field makes it fill a cache line."""

    _fields_ = (
        ("way", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        # Of a kernel: its blocks; of what looks at words: these; of what places: the targets; of
        # what repeats or branches: its loop or branch.
        ("arguments", ctypes.c_void_p),
        ("blocks", ctypes.c_int64),  # how many of them; of a loop that tests, the most iterations
        ("grain", ctypes.c_int64),
        ("grains", ctypes.c_int64),
        ("parts", ctypes.c_int64),
        ("unused", ctypes.c_int64),
    )


class _Block(ctypes.Structure):
    _fields_ = (
        ("arguments", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("first_grain", ctypes.c_int64),
    )


class _Target(ctypes.Structure):
    _fields_ = (
        ("holder", ctypes.c_void_p),
        ("place", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("function", ctypes.c_void_p),
    )


class _Inner(ctypes.Structure):
    _fields_ = (
        ("commands", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("times", ctypes.c_void_p),
    )


class _Branch(ctypes.Structure):
    _fields_ = (
        ("words", ctypes.c_void_p),  # where the address of the byte stands
        ("inner", ctypes.c_void_p * 4),
    )


class _Loop(ctypes.Structure):
    _fields_ = (
        ("inner", ctypes.c_void_p),
        ("iterations", ctypes.c_int64),
        ("moves", ctypes.c_void_p),
        ("moved", ctypes.c_int64),
    )


_Run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
_Enter = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_Callback = ctypes.CFUNCTYPE(ctypes.c_int32)


@dataclass(frozen=True, slots=True)
class Block:
    """The address of a kernel's arguments, and the number of iterations of its outer loop."""

    arguments: int
    size: int


@dataclass(frozen=True, slots=True)
class Target:
    """Who is told the address of a place: the word at `holder`, or `function(holder, address)`."""

    holder: int
    place: int
    offset: int = 0
    function: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """One step of a Routine.

    `kernel`, `copy`, `clear`, `primitive`, `callback`, `native`, `unless`, `check`, `placing`,
    `repeat`, `branch`, `loop`, `once`, `push` and `pop` make it.
    """

    way: str
    function: int | Callable[[], object]
    arguments: int = 0
    words: int = 0
    blocks: tuple[Block, ...] = ()
    grain: int = 1
    parts: int = 1
    targets: tuple[Target, ...] = ()
    routines: tuple[Routine | None, ...] = ()


def kernel(
    address: int,
    blocks: Sequence[Block],
    *,
    parts: int = 1,
    grain: int = 1,
    at_once: bool = True,
) -> Command:
    """A kernel on one block of arguments, or on many whose iterations are divided as one loop.

    It runs in `parts` parts, whose borders are multiples of `grain` iterations: in threads, or one
    after the other where they are too small for that (at_once=False). A kernel with one block is
    called for each part, also for one without iterations. Raises ArgumentError for less
    than one block, part or iteration of a grain.
    """
    if parts < 1 or grain < 1 or not blocks:
        raise ArgumentError(
            "expected one or more blocks, parts and iterations of a grain, "
            f"got {len(blocks)}, {parts} and {grain}"
        )
    way = "parallel" if at_once and parts > 1 else "serial"
    return Command(way, address, blocks=tuple(blocks), grain=grain, parts=parts)


def copy(arguments: int, size_bytes: int, *, parts: int = 1) -> Command:
    """Copies memory; `arguments` is where the addresses of target and source stand."""
    block = Block(arguments, size_bytes)
    return kernel(_driver().address("copy"), [block], parts=parts, grain=CACHE_LINE_BYTES)


def clear(arguments: int, size_bytes: int, *, parts: int = 1) -> Command:
    """Sets memory to zero; `arguments` is where its address stands."""
    block = Block(arguments, size_bytes)
    return kernel(_driver().address("clear"), [block], parts=parts, grain=CACHE_LINE_BYTES)


def primitive(execute: int, arguments: int) -> Command:
    """A primitive of oneDNN: the addresses of its execute function and of the four arguments."""
    return Command("primitive", execute, arguments)


def callback(function: Callable[[], object]) -> Command:
    """A function of Python, called with Python's lock held; what it raises ends the run."""
    return Command("callback", function)


def native(function: int, words: int) -> Command:
    """A native function `i32 (ptr words)`, by its address; what is not 0 ends the run as failed."""
    return Command("native", function, words)


def unless(words: int, function: Callable[[], object]) -> Command:
    """As `callback`, but only where a byte is 0; `words` is where its address stands."""
    return Command("unless", function, words, 1)


def check(address: int, words: int) -> Command:
    """Ends the run as failed if one of the 8-byte words at an address is not zero."""
    return Command("check", 0, address, words)


def check_stop() -> Command:
    """Ends the run after a kernel that was told to end: what follows would read what it lacks."""
    return check(_driver().address("stopped"), 1)


def placing(addresses: int, targets: Sequence[Target]) -> Command:
    """Tells each target where its place is now; `addresses` is where those of all places stand."""
    return Command("place", addresses, targets=tuple(targets))


def repeat(routine: Routine, iterations: int, moves: int = 0, moved: int = 0) -> Command:
    """Runs a Routine so many times.

    moves: where `moved` triples of words stand: an address, where to write it before each
    iteration, and how many bytes further it is each time.
    """
    return Command("repeat", 0, moves, moved, parts=iterations, routines=(routine,))


def branch(words: int, then: Routine, orelse: Routine) -> Command:
    """Runs one of two Routines, by a byte; `words` is where its address stands."""
    return Command("branch", 0, words, routines=(then, orelse))


def loop(
    words: int,
    test: Routine,
    body: Routine,
    before_test: Routine | None = None,
    before_body: Routine | None = None,
) -> Command:
    """Runs `test`, and while the byte is not 0 that it writes, `body` and `test` again.

    words: where the address of the byte stands. before_test, before_body: run before the first.
    """
    return Command("while", 0, words, routines=(before_test, test, before_body, body))


def once(routine: Routine) -> Command:
    """Runs a Routine, until it has not failed once."""
    return Command("once", 0, routines=(routine,))


def push(words: int) -> Command:
    """Puts a record on a stack, of memory in pieces.

    words: where these stand: the address of the stack, that of a byte (for `pop`), the number of
    pieces, the bytes of a record, then the address and the bytes of each piece. A stack is four
    words: the address of its records, how many there are, for how many there is room, and one that
    is not 0 after no memory was found for more, which ends the run as failed.
    """
    return Command("push", 0, words)


def pop(words: int) -> Command:
    """Copies the last record back, and takes it away; the byte is 0 where there was none."""
    return Command("pop", 0, words)


def release(stack: int) -> None:
    """Give back the memory of a stack's records."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_driver().address("release"))(stack)


def polling() -> dict[str, int]:
    """Where the function is that loops ask whether to end."""
    return {POLL: _driver().address("poll")}


class Routine:
    """Commands that one native call runs in order, without Python's lock.

    polls: there are kernels among them that ask whether to end.

    One thread at a time may run it. The memory that the commands name by address is the caller's,
    and so is the code of their kernels; both must last as long as this object is used.
    """

    def __init__(self, commands: Sequence[Command], *, polls: bool = False):
        self.commands = tuple(commands)
        self.inner = [r for c in commands for r in c.routines if r is not None]
        self.polls: bool = (
            polls
            or any(r.polls for r in self.inner)
            or any(
                c.way == "while" or (c.routines and c.parts >= MANY_ITERATIONS) for c in commands
            )
        )
        self._kept: list[object] = [_driver()]  # what the native commands refer to
        self._raised: list[BaseException] = []
        self._native = (_Command * len(commands))(*map(self._as_native, commands))
        self._as_inner = _Inner(ctypes.addressof(self._native), len(commands))
        run = _Run(_driver().address("run"))
        self._run = functools.partial(run, ctypes.addressof(self._native), len(commands))

    def run(self) -> None:
        """Run all commands.

        Raises what a callback raised, and ProgramError where a primitive or a check failed; no
        command after it has run. Raises what the handler of Ctrl-C does, where commands poll.
        """
        self._execute(None)

    def timed(self) -> list[int]:
        """As `run`; gives the nanoseconds that each command took."""
        times = (ctypes.c_int64 * len(self.commands))()
        self._execute(ctypes.addressof(times))
        return list(times)

    def _execute(self, times: int | None) -> None:
        if self.polls:
            stopped = ctypes.c_int64.from_address(_driver().address("stopped"))
            with Interruptible(stopped):
                failed = self._run(times)
        else:
            failed = self._run(times)
        if failed != _SUCCESS:
            self._fail(failed)

    @contextmanager
    def watched(self) -> Iterator[Mapping[Routine, Sequence[int]]]:
        """The nanoseconds of each command of all routines inside, where these ran last.

        Runs may be on numbers that nobody gave, so they do not end at checks meanwhile, and loops
        end after many iterations.
        """
        inside = list(dict.fromkeys(self._all_inner()))
        found = {r: (ctypes.c_int64 * len(r.commands))() for r in inside}
        for r, times in found.items():
            r._as_inner.times = ctypes.addressof(times)
        for r in (self, *inside):
            r._set_watched(True)
        try:
            yield found  # type: ignore[misc]  # arrays of ctypes are sequences of numbers
        finally:
            for r in inside:
                r._as_inner.times = None
            for r in (self, *inside):
                r._set_watched(False)

    def _set_watched(self, is_watched: bool) -> None:
        """Let checks look at none of their words, less those at Ctrl-C, and loops end; or not.

        Native functions are not called: what several processes do, one does not do to look at it.
        """
        driver = _driver()
        stopped = driver.address("stopped")
        for native, command in zip(self._native, self.commands, strict=True):
            if command.way in ("check", "unless") and command.arguments != stopped:
                native.blocks = 0 if is_watched else command.words
            elif command.way == "native":  # others would have to run it too
                native.function = driver.address("nothing") if is_watched else command.function
            elif command.way == "while":
                native.blocks = MANY_ITERATIONS if is_watched else _UNLIMITED

    def _all_inner(self) -> Iterator[Routine]:
        for r in self.inner:
            yield r
            yield from r._all_inner()

    def _fail(self, number: int) -> NoReturn:
        raised = self._all_raised()
        if raised:
            raise raised.pop()
        raise ProgramError(
            f"command {number} of {len(self.commands)} failed, a {self.commands[number].way}",
            cure="report it, with the table that explain() gives",
        )

    def _all_raised(self) -> list[BaseException]:
        """What callbacks have raised here, or else in routines that are run here."""
        nested = (r._all_raised() for r in self.inner)
        return self._raised or next(filter(None, nested), self._raised)

    def _as_native(self, command: Command) -> _Command:
        way = _driver().address(command.way)
        if command.way in _INNER:
            return self._as_inner_command(way, command)
        function = self._address(command.function)
        if command.targets:
            targets = (_Target * len(command.targets))(*map(_native_target, command.targets))
            self._kept.append(targets)
            return _Command(way, function, ctypes.addressof(targets), len(targets))
        if not command.blocks:
            return _Command(way, function, command.arguments, command.words)
        blocks, grains = _native_blocks(command.blocks, command.grain)
        self._kept.append(blocks)
        return _Command(
            way,
            function,
            ctypes.addressof(blocks),
            len(blocks),
            command.grain,
            grains,
            command.parts,
        )

    def _as_inner_command(self, way: int, command: Command) -> _Command:
        inner = [None if r is None else ctypes.addressof(r._as_inner) for r in command.routines]
        if command.way == "once":
            return _Command(way, None, inner[0])
        made: _Loop | _Branch
        if command.way == "repeat":
            made = _Loop(inner[0], command.parts, command.arguments, command.words)
        else:
            made = _Branch(command.arguments, (ctypes.c_void_p * 4)(*inner))
        self._kept.append(made)
        return _Command(way, None, ctypes.addressof(made), _UNLIMITED)

    def _address(self, function: int | Callable[[], object]) -> int | None:
        if isinstance(function, int):
            return function
        guarded = _Callback(functools.partial(_status, function, self._raised))
        self._kept.append(guarded)
        return ctypes.cast(guarded, ctypes.c_void_p).value


class Entry:
    """The shortest way into a Routine: its first places are told by the arrays that lie there.

    addresses: where those of all places stand. count: how many places arrays tell, from the first.
    `run(*map(id, arrays))` is True where all commands have run; another run, by the Routine, tells
    what failed. No command of the Routine may poll.
    """

    _HEAD = struct.calcsize("5q")

    def __init__(self, routine: Routine, addresses: int, count: int):
        # After the head of any object NumPy keeps first where the data of an array begins.
        head = (ctypes.addressof(routine._native), len(routine.commands), addresses)
        words = (*head, object.__basicsize__, count, *(0,) * count)
        self._kept = routine
        self._words = (ctypes.c_int64 * len(words))(*words)
        self._put = struct.Struct(f"{count}q").pack_into
        self._enter = functools.partial(
            _Enter(_driver().address("enter")), ctypes.addressof(self._words)
        )

    def run(self, *arrays: int) -> bool:
        """Run all commands on arrays, given by their objects' numbers."""
        self._put(self._words, self._HEAD, *arrays)
        return self._enter() == _SUCCESS


def _native_target(target: Target) -> _Target:
    return _Target(target.holder, target.place, target.offset, target.function)


def _native_blocks(blocks: Sequence[Block], grain: int) -> tuple[ctypes.Array[_Block], int]:
    """The blocks as the driver reads them, and how many grains they have together."""
    native = (_Block * len(blocks))()
    grains = 0
    for place, block in enumerate(blocks):
        native[place] = _Block(block.arguments, block.size, grains)
        grains += -(-block.size // grain)
    return native, grains


def _status(function: Callable[[], object], raised: list[BaseException]) -> int:
    """Whether the function failed; what it raised cannot pass through native code."""
    try:
        function()
    except BaseException as error:
        raised.append(error)
        return 1
    return 0


@functools.cache
def _driver() -> Code:
    """The native functions, compiled once."""
    regions = openmp.addresses()
    code = load(DRIVER + ENTRY + (REGIONS if regions else ONE_THREAD), _NAMES, regions)
    asking = ctypes.cast(let_python_handle, ctypes.c_void_p)
    ctypes.c_void_p.from_address(code.address("ask")).value = asking.value
    return code

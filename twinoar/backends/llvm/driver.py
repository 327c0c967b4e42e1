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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from twinoar.backends import openmp
from twinoar.backends.llvm.jit import Code, load
from twinoar.backends.llvm.target import CACHE_LINE_BYTES
from twinoar.errors import ArgumentError, ProgramError

_DRIVER = """
%Command = type { ptr, ptr, ptr, i64, i64, i64, i64, i64 }  ; as _Command below
%Block = type { ptr, i64, i64 }                             ; as _Block below
%Target = type { ptr, i64, i64, ptr }                       ; as _Target below
%Loop = type { ptr, i64, i64, ptr, i64 }                    ; as _Loop below
%Move = type { ptr, ptr, i64 }                              ; as _Move below
%Timespec = type { i64, i64 }

declare i32 @clock_gettime(i32, ptr)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; The number of the command that failed, or -1. If times is not null it gets each one's nanoseconds.
define i64 @run(ptr %commands, i64 %count, ptr %times) {
entry:
  %timed = icmp ne ptr %times, null
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %start, label %success
start:
  %command = getelementptr %Command, ptr %commands, i64 %number
  %way = load ptr, ptr %command
  br i1 %timed, label %measure, label %execute
execute:
  %status.plain = call i32 %way(ptr %command)
  br label %done
measure:
  %before = call i64 @now()
  %status.timed = call i32 %way(ptr %command)
  %after = call i64 @now()
  %duration = sub i64 %after, %before
  %time = getelementptr i64, ptr %times, i64 %number
  store i64 %duration, ptr %time
  br label %done
done:
  %status = phi i32 [ %status.plain, %execute ], [ %status.timed, %measure ]
  %failed = icmp ne i32 %status, 0
  %following = add i64 %number, 1
  br i1 %failed, label %failure, label %next
failure:
  ret i64 %number
success:
  ret i64 -1
}

define internal i64 @now() {
  %time = alloca %Timespec
  %ignored = call i32 @clock_gettime(i32 1, ptr %time)  ; 1: the monotonic clock
  %now = load %Timespec, ptr %time
  %seconds = extractvalue %Timespec %now, 0
  %rest = extractvalue %Timespec %now, 1
  %whole = mul i64 %seconds, 1000000000
  %nanoseconds = add i64 %whole, %rest
  ret i64 %nanoseconds
}

; A way to run a command: its parts one after the other in this thread.
define i32 @serial(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %parts = extractvalue %Command %command, 6
  br label %next
next:
  %part = phi i64 [ 0, %entry ], [ %following, %execute ]
  %more = icmp slt i64 %part, %parts
  br i1 %more, label %execute, label %exit
execute:
  call void @part(ptr %command.at, i64 %part)
  %following = add i64 %part, 1
  br label %next
exit:
  ret i32 0
}

; A way to run a command: its parts in the threads of a region, 0 being as many as there are.
define i32 @parallel(ptr %command) {
  call void @GOMP_parallel(ptr @share, ptr %command, i32 0, i32 0)
  ret i32 0
}

; The parts of this thread: one if there are as many threads, else every so many.
define internal void @share(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %parts = extractvalue %Command %command, 6
  %thread = call i32 @omp_get_thread_num()
  %threads = call i32 @omp_get_num_threads()
  %first = zext i32 %thread to i64
  %step = zext i32 %threads to i64
  br label %next
next:
  %part = phi i64 [ %first, %entry ], [ %following, %execute ]
  %more = icmp slt i64 %part, %parts
  br i1 %more, label %execute, label %exit
execute:
  call void @part(ptr %command.at, i64 %part)
  %following = add i64 %part, %step
  br label %next
exit:
  ret void
}

; One part: grains first to last of all blocks together, counted from 0 in the first block.
define internal void @part(ptr %command.at, i64 %part) {
entry:
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %blocks = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  %grain = extractvalue %Command %command, 4
  %grains = extractvalue %Command %command, 5
  %parts = extractvalue %Command %command, 6
  %first.product = mul i64 %grains, %part
  %first = udiv i64 %first.product, %parts
  %last.product = add i64 %first.product, %grains
  %last = udiv i64 %last.product, %parts
  %alone = icmp eq i64 %count, 1
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %exit
look:
  %block.at = getelementptr %Block, ptr %blocks, i64 %number
  %block = load %Block, ptr %block.at
  %arguments = extractvalue %Block %block, 0
  %size = extractvalue %Block %block, 1
  %start = extractvalue %Block %block, 2
  %first.own = sub i64 %first, %start
  %first.inside = call i64 @llvm.smax.i64(i64 %first.own, i64 0)
  %lo.whole = mul i64 %first.inside, %grain
  %lo = call i64 @llvm.smin.i64(i64 %lo.whole, i64 %size)
  %last.own = sub i64 %last, %start
  %hi.whole = mul i64 %last.own, %grain
  %hi = call i64 @llvm.smin.i64(i64 %hi.whole, i64 %size)
  %some = icmp slt i64 %lo, %hi
  %called = or i1 %some, %alone
  br i1 %called, label %execute, label %done
execute:
  call void %function(ptr %arguments, i64 %lo, i64 %hi, i64 %part)
  br label %done
done:
  %following = add i64 %number, 1
  br label %next
exit:
  ret void
}

; A way to run a command: as dnnl_primitive_execute(primitive, stream, count, arguments).
define i32 @primitive(ptr %command.at) {
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %fields.at = extractvalue %Command %command, 2
  %fields = load { ptr, ptr, i64, ptr }, ptr %fields.at
  %primitive = extractvalue { ptr, ptr, i64, ptr } %fields, 0
  %stream = extractvalue { ptr, ptr, i64, ptr } %fields, 1
  %count.wide = extractvalue { ptr, ptr, i64, ptr } %fields, 2
  %count = trunc i64 %count.wide to i32
  %arguments = extractvalue { ptr, ptr, i64, ptr } %fields, 3
  %status = call i32 %function(ptr %primitive, ptr %stream, i32 %count, ptr %arguments)
  ret i32 %status
}

; A way to run a command: as a function without arguments.
define i32 @callback(ptr %command.at) {
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %status = call i32 %function()
  ret i32 %status
}

; A way to run a command: it fails if any of so many words is not zero.
define i32 @check(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %words = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %look ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %success
look:
  %word.at = getelementptr i64, ptr %words, i64 %number
  %word = load i64, ptr %word.at
  %raised = icmp ne i64 %word, 0
  %following = add i64 %number, 1
  br i1 %raised, label %failure, label %next
failure:
  ret i32 1
success:
  ret i32 0
}

; A way to run a command: it tells each target where its place is.
define i32 @place(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %addresses = extractvalue %Command %command, 1
  %targets = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %success
look:
  %target.at = getelementptr %Target, ptr %targets, i64 %number
  %target = load %Target, ptr %target.at
  %holder = extractvalue %Target %target, 0
  %place = extractvalue %Target %target, 1
  %offset = extractvalue %Target %target, 2
  %function = extractvalue %Target %target, 3
  %start.at = getelementptr ptr, ptr %addresses, i64 %place
  %start = load ptr, ptr %start.at
  %address = getelementptr i8, ptr %start, i64 %offset
  %is.word = icmp eq ptr %function, null
  br i1 %is.word, label %write, label %tell
write:
  store ptr %address, ptr %holder
  br label %done
tell:
  %told = call i32 %function(ptr %holder, ptr %address)
  br label %done
done:
  %status = phi i32 [ 0, %write ], [ %told, %tell ]
  %failed = icmp ne i32 %status, 0
  %following = add i64 %number, 1
  br i1 %failed, label %failure, label %next
failure:
  ret i32 1
success:
  ret i32 0
}

; A way to run a command: other commands so many times, each time with addresses moved on.
define i32 @repeat(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %loop.at = extractvalue %Command %command, 2
  %loop = load %Loop, ptr %loop.at
  %commands = extractvalue %Loop %loop, 0
  %count = extractvalue %Loop %loop, 1
  %trips = extractvalue %Loop %loop, 2
  %moves = extractvalue %Loop %loop, 3
  %moved = extractvalue %Loop %loop, 4
  br label %trip
trip:
  %t = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %t, %trips
  br i1 %more, label %next, label %success
next:
  %number = phi i64 [ 0, %trip ], [ %number.following, %move ]
  %more.moves = icmp slt i64 %number, %moved
  br i1 %more.moves, label %move, label %execute
move:
  %move.at = getelementptr %Move, ptr %moves, i64 %number
  %fields = load %Move, ptr %move.at
  %start = extractvalue %Move %fields, 0
  %holder = extractvalue %Move %fields, 1
  %step = extractvalue %Move %fields, 2
  %offset = mul i64 %t, %step
  %address = getelementptr i8, ptr %start, i64 %offset
  store ptr %address, ptr %holder
  %number.following = add i64 %number, 1
  br label %next
execute:
  %failed.at = call i64 @run(ptr %commands, i64 %count, ptr null)
  %failed = icmp sge i64 %failed.at, 0
  br i1 %failed, label %failure, label %done
done:
  %following = add i64 %t, 1
  br label %trip
failure:
  ret i32 1
success:
  ret i32 0
}

define void @copy(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
  %target = load ptr, ptr %arguments
  %source.at = getelementptr ptr, ptr %arguments, i64 1
  %source = load ptr, ptr %source.at
  %to = getelementptr i8, ptr %target, i64 %lo
  %from = getelementptr i8, ptr %source, i64 %lo
  %bytes = sub i64 %hi, %lo
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

define void @clear(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
  %target = load ptr, ptr %arguments
  %to = getelementptr i8, ptr %target, i64 %lo
  %bytes = sub i64 %hi, %lo
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  ret void
}
"""
_REGIONS = """
declare void @GOMP_parallel(ptr, ptr, i32, i32)
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
"""
# What stands for the runtime where there is none.
_ONE_THREAD = """
define internal void @GOMP_parallel(ptr %function, ptr %data, i32 %threads, i32 %flags) {
  call void %function(ptr %data)
  ret void
}
define internal i32 @omp_get_thread_num() {
  ret i32 0
}
define internal i32 @omp_get_num_threads() {
  ret i32 1
}
"""
_WAYS = ("serial", "parallel", "primitive", "callback", "check", "place", "repeat")
_FUNCTIONS = ("run", *_WAYS, "copy", "clear")
_SUCCESS = -1


class _Command(ctypes.Structure):
    """What the native driver reads; the last field makes it fill a cache line."""

    _fields_ = (
        ("way", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        # Of a kernel: its blocks; of a check: the words; of what places: the targets; of what
        # repeats: its loop.
        ("arguments", ctypes.c_void_p),
        ("blocks", ctypes.c_int64),  # how many of them
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


class _Loop(ctypes.Structure):
    _fields_ = (
        ("commands", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("trips", ctypes.c_int64),
        ("moves", ctypes.c_void_p),
        ("moved", ctypes.c_int64),
    )


_Run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
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

    `kernel`, `copy`, `clear`, `primitive`, `callback`, `check`, `placing` and `repeat` make it.
    """

    way: str
    function: int | Callable[[], object]
    arguments: int = 0
    words: int = 0
    blocks: tuple[Block, ...] = ()
    grain: int = 1
    parts: int = 1
    targets: tuple[Target, ...] = ()
    routine: Routine | None = None


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


def check(address: int, words: int) -> Command:
    """Ends the run as failed if one of the 8-byte words at an address is not zero."""
    return Command("check", 0, address, words)


def placing(addresses: int, targets: Sequence[Target]) -> Command:
    """Tells each target where its place is now; `addresses` is where those of all places stand."""
    return Command("place", addresses, targets=tuple(targets))


def repeat(routine: Routine, trips: int, moves: int = 0, moved: int = 0) -> Command:
    """Runs a Routine so many times.

    moves: where `moved` triples of words stand: an address, where to write it before each trip, and
    how many bytes further it is each time.
    """
    return Command("repeat", 0, moves, moved, parts=trips, routine=routine)


class Routine:
    """Commands that one native call runs in order, without Python's lock.

    One thread at a time may run it. The memory that the commands name by address is the caller's,
    and so is the code of their kernels; both must last as long as this object is used.
    """

    def __init__(self, commands: Sequence[Command]):
        self.commands = tuple(commands)
        self._kept: list[object] = [_driver()]  # what the native commands refer to
        self._raised: list[BaseException] = []
        self._native = (_Command * len(commands))(*map(self._as_native, commands))
        run = _Run(_driver().address("run"))
        self._run = functools.partial(run, ctypes.addressof(self._native), len(commands))

    def run(self) -> None:
        """Run all commands.

        Raises what a callback raised, and ProgramError where a primitive or a check failed; no
        command after it has run.
        """
        failed = self._run(None)
        if failed != _SUCCESS:
            self._fail(failed)

    def timed(self) -> list[int]:
        """As `run`; gives the nanoseconds that each command took."""
        times = (ctypes.c_int64 * len(self.commands))()
        failed = self._run(ctypes.addressof(times))
        if failed != _SUCCESS:
            self._fail(failed)
        return list(times)

    def _fail(self, number: int) -> NoReturn:
        raised = self._all_raised()
        if raised:
            raise raised.pop()
        raise ProgramError(
            f"command {number} of {len(self.commands)} failed, a {self.commands[number].way}",
            cure="report it, with the table that explain() gives",
        )

    def _all_raised(self) -> list[BaseException]:
        """What callbacks have raised here, or else in routines that are repeated here."""
        nested = (c.routine._all_raised() for c in self.commands if c.routine is not None)
        return self._raised or next(filter(None, nested), self._raised)

    def _as_native(self, command: Command) -> _Command:
        way = _driver().address(command.way)
        if command.routine is not None:
            commands = command.routine._native
            loop = _Loop(
                ctypes.addressof(commands), len(commands), command.parts,
                command.arguments, command.words,
            )  # fmt: skip
            self._kept += [command.routine, loop]
            return _Command(way, None, ctypes.addressof(loop))
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

    def _address(self, function: int | Callable[[], object]) -> int | None:
        if isinstance(function, int):
            return function
        guarded = _Callback(functools.partial(_status, function, self._raised))
        self._kept.append(guarded)
        return ctypes.cast(guarded, ctypes.c_void_p).value


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
    return load(_DRIVER + (_REGIONS if regions else _ONE_THREAD), _FUNCTIONS, regions)

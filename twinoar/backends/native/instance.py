"""One thread's copy of a compiled Program: an arena, the kernels' arguments, and the commands."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.backends.llvm import driver
from twinoar.backends.llvm.contraction.launch import Launch, Scratch
from twinoar.backends.llvm.emit import NAME
from twinoar.backends.native.compiled import (
    SERIAL,
    Compiled,
    HostPart,
    KernelPart,
    LibraryPart,
    LoopPart,
    Part,
    TiledPart,
    keeps_packed,
)
from twinoar.backends.native.failure import IndexOutside
from twinoar.backends.native.library import Piece, Temporary
from twinoar.backends.native.loop import Loop
from twinoar.backends.numpy import explained, kernel_attributes
from twinoar.backends.onednn import Command, execute_address, new_stream, place_address
from twinoar.compile.memory import ALIGNMENT, aligned
from twinoar.compile.storage import Storage, View
from twinoar.core.ir import State, Variable
from twinoar.errors import ProgramError
from twinoar.tracebacks import shown_cause

word_at = ctypes.c_size_t.from_address


class Instance:
    """Memory and commands: `bind` places of the outside, then `run`. For one thread at a time.

    arena: memory that nobody else uses during a run, as `new_arena` makes it.
    """

    def __init__(self, compiled: Compiled, arena: np.ndarray | None = None):
        self.compiled = compiled
        self.arena = new_arena(compiled.arena.bytes) if arena is None else arena
        self.base = address_of(self.arena)
        count = max(compiled.outside, default=-1) + 1
        self.arrays: list[np.ndarray | None] = [None] * count
        self.addresses = (ctypes.c_void_p * count)()  # of the places of the outside
        self.targets: list[driver.Target] = []  # who is told these
        packing: dict[int, list[driver.Command]] = {}  # by the place of the weights
        self.flagged = [p for p in compiled.parts if isinstance(p, KernelPart) and p.can_fail]
        width = aligned(max([len(p.emitted.checks) for p in self.flagged], default=0))
        self.flags = np.zeros((len(self.flagged), width), np.uint8)  # one for each checked index
        self._kept: list[Any] = []
        self._views: dict[Storage, np.ndarray] = {}  # of what lies in the arena
        self.loops: list[Loop] = []
        uses_library = any(isinstance(p, LibraryPart) for p in compiled.parts)
        self.stream = new_stream() if uses_library else None
        made = [self._commands(batch, packing) for batch in compiled.batches]
        first = [c for b in compiled.setup for c in self._commands(b, packing)]
        checking = driver.check(address_of(self.flags), self.flags.size // 8)
        if self.flagged:
            first.append(checking)
            for at in _checked_before(compiled):
                made[at].insert(0, checking)
            if made:
                made[-1].append(checking)
        placing = driver.placing(ctypes.addressof(self.addresses), self.targets)
        if made:
            made[0].insert(0, placing)
        # The batch that each command belongs to.
        self.of_batch = [n for n, commands in enumerate(made) for _ in commands]
        polls = any(map(_polls, compiled.parts))
        for batch, commands in zip(compiled.batches, made, strict=True) if polls else ():
            if any(map(_polls, batch)):
                commands.append(driver.check_stop())
        self.routine = driver.Routine([c for commands in made for c in commands], polls=polls)
        self.setup = driver.Routine([placing, *first], polls=polls)
        self.packing = {n: driver.Routine([placing, *found]) for n, found in packing.items()}
        self.is_settled = not compiled.setup
        self._unpacked: list[driver.Routine] = []

    def bind(self, place: int, array: np.ndarray) -> None:
        """Let the memory of a place be that of `array`."""
        if self.arrays[place] is array:
            return
        self.arrays[place] = array
        self.addresses[place] = address_of(array)
        if place in self.packing:
            self._unpacked.append(self.packing[place])
        if self.compiled.setup and isinstance(self.compiled.outside[place], State):
            self.is_settled = False

    def run(self) -> None:
        """Run all commands.

        Raises AxisError where data gave an index that lies outside, and what NumPy raised; no state
        has changed then.
        """
        try:
            while self._unpacked:
                self._unpacked.pop().run()
            if not self.is_settled:
                self.setup.run()
                self.is_settled = True
            self.routine.run()
        except ProgramError:
            self._look_at_flags()
            raise
        except BaseException:  # such as Ctrl-C, after a flag was raised and before it was looked at
            self._lower_flags()
            raise

    def view(self, storage: Storage) -> np.ndarray:
        """The memory of a value as an array of its logical shape."""
        found = self._views.get(storage)
        if found is None:
            flat = self._flat(storage)
            if storage.is_row_major:
                found = flat.reshape(storage.shape)
            else:
                found = flat.reshape(storage.physical).transpose(np.argsort(storage.order))
            if self.compiled.places[storage] not in self.compiled.outside:
                self._views[storage] = found
        return found

    def _flat(self, storage: Storage) -> np.ndarray:
        place = self.compiled.places[storage]
        if place in self.compiled.outside:
            array = self.arrays[place]
            return self._outside(place, storage) if array is None else array.reshape(-1)
        at = self.compiled.arena.offsets[place]
        return self.arena[at : at + storage.bytes].view(storage.dtype.numpy)

    def _outside(self, place: int, storage: Storage) -> np.ndarray:
        """What lies where the driver has moved a place of the outside."""
        memory = (ctypes.c_uint8 * storage.bytes).from_address(self.addresses[place])
        return np.frombuffer(memory, storage.dtype.numpy)

    # Commands.

    def _commands(
        self, batch: list[Part], packing: dict[int, list[driver.Command]]
    ) -> list[driver.Command]:
        part = batch[0]
        if isinstance(part, KernelPart):
            return [self._kernels([p for p in batch if isinstance(p, KernelPart)])]
        if isinstance(part, LibraryPart):
            return self._library(part, packing)
        if isinstance(part, TiledPart):
            return [self._launch(launch) for launch in part.launches]
        if isinstance(part, LoopPart):
            return self._over_time(part)
        return [driver.callback(self._host(part))]

    def _kernels(self, batch: list[KernelPart]) -> driver.Command:
        blocks = [driver.Block(self._arguments(p), p.step.nest.row.size) for p in batch]
        code, threads = batch[0].code, self.compiled.target.threads
        assert code is not None
        work = sum(p.work for p in batch)
        return driver.kernel(
            code.address(NAME),
            blocks,
            parts=threads,
            grain=batch[0].grain,
            at_once=work > SERIAL and any(b.size > batch[0].grain for b in blocks),
        )

    def _arguments(self, part: KernelPart) -> int:
        """The address of a kernel's block of arguments."""
        emitted = part.emitted
        count = len(emitted.places)
        words = np.zeros(count + 1 + len(emitted.numbers), np.int64)
        if emitted.checks:
            number = next(n for n, p in enumerate(self.flagged) if p is part)
            words[count] = address_of(self.flags[number])
        words[count + 1 :] = emitted.numbers
        for position, place in enumerate(emitted.places):
            self._point(place, 0, words, position)
        self._kept.append(words)
        return address_of(words)

    def _point(self, place: int, offset: int, words: np.ndarray, position: int) -> None:
        """Let a word be the address of a place, now and whenever that changes."""
        if place in self.compiled.outside:
            holder = address_of(words) + position * words.itemsize
            self.targets.append(driver.Target(holder, place, offset))
        else:
            words[position] = self.base + self.compiled.arena.offsets[place] + offset

    def _library(
        self, part: LibraryPart, packing: dict[int, list[driver.Command]]
    ) -> list[driver.Command]:
        commands = []
        for run in part.runs:
            command = Command(run.primitive, self.stream)
            for name, piece in run.arguments.items():
                self._place(piece, command, name)
            self._kept.append(command)
            executed = driver.primitive(execute_address(), command.arguments_address)
            if keeps_packed(run, self.compiled.plan):
                packing.setdefault(self._place_of(run.packs), []).append(executed)
            else:
                commands.append(executed)
        return commands

    def _launch(self, launch: Launch) -> driver.Command:
        words = launch.arguments()
        for position, used in launch.memories.items():
            if isinstance(used.home, Scratch):
                at = self.compiled.arena.offsets[used.home]
                words[position] = self.base + at + used.offset
            else:
                self._point(self.compiled.places[used.home], used.offset, words, position)
        self._kept.append(words)
        return launch.command(words, self.compiled.target.threads)

    def _over_time(self, part: LoopPart) -> list[driver.Command]:
        loop = Loop(part, Instance(part.body))
        for use in loop.uses:
            self._point(self.compiled.places[use.storage], use.offset, use.words, use.position)
        self.loops.append(loop)
        return loop.commands

    def _place_of(self, v: Variable | None) -> int:
        return next(n for n, what in self.compiled.outside.items() if what is v)

    def _place(self, piece: Piece, command: Command, name: str) -> None:
        """Let an argument of a primitive be in its place, now and whenever that changes."""
        offsets = self.compiled.arena.offsets
        if isinstance(piece.home, Temporary):
            command.set(name, self.base + offsets[piece.home])
            return
        place = self.compiled.places[piece.home]
        if place in self.compiled.outside:
            memory = command.memory_address(name)
            self.targets.append(driver.Target(memory, place, piece.offset, place_address()))
        else:
            command.set(name, self.base + offsets[place] + piece.offset)

    def _host(self, part: HostPart) -> Callable[[], None]:
        step = part.step
        o = step.operator
        kernel = o.op.kernel_rule
        assert kernel is not None
        functions = part.functions
        attrs = {**o.attrs, **functions} if functions else kernel_attributes(o)

        def run() -> None:
            operands = [self._operand(x) for x in step.operands]
            if not functions:  # kernels of users' functions may keep what they get
                operands = [x.copy() if isinstance(x, np.ndarray) else x for x in operands]
            try:
                results = kernel(*operands, **attrs)
            except Exception as error:
                raise explained(o, error, operands, o.attrs) from shown_cause(error)
            results = results if isinstance(results, tuple) else (results,)
            for storage, array in zip(step.writes, results, strict=True):
                if storage is not None and storage in self.compiled.places:
                    self.view(storage)[...] = array

        return run

    def _operand(self, x: object) -> Any:
        if not isinstance(x, View):
            return x
        flat = self._flat(x.base)
        size = flat.itemsize
        strides = tuple([step * size for step in x.strides])
        return np.ndarray(x.shape, flat.dtype, flat, x.offset * size, strides)

    def _look_at_flags(self) -> None:
        """Raise IndexOutside for the first index that was found outside, and lower the flags."""
        for loop in self.loops:
            loop.instance._look_at_flags()
        found = self.flags.copy()
        self._lower_flags()
        for part, flags in zip(self.flagged, found, strict=True):
            if flags.any():
                check = part.emitted.checks[flags.argmax()]
                raise IndexOutside(part, check, self.compiled)

    def _lower_flags(self) -> None:
        self.flags[:] = 0
        for loop in self.loops:
            loop.instance._lower_flags()


def _checked_before(compiled: Compiled) -> list[int]:
    """The batches before which no flag may be up: the first writer, and those that Python runs.

    What Python did with an index of 0 in place of a wrong one, such as printing, would stay done.
    """
    found = []
    is_checked = True
    for number, batch in enumerate(compiled.batches):
        leaves = any(isinstance(p, HostPart) or _calls_python(p) for p in batch)
        if not is_checked and (leaves or number == compiled.first_writer):
            found.append(number)
            is_checked = True
        is_checked = is_checked and not any(isinstance(p, KernelPart) and p.can_fail for p in batch)
    return found


def _calls_python(part: Part) -> bool:
    return isinstance(part, LoopPart) and bool(part.body.hosted)


def _polls(part: Part) -> bool:
    return isinstance(part, KernelPart) and part.emitted.polls


def new_arena(size_bytes: int) -> np.ndarray:
    """Memory for values, uint8 [size_bytes]."""
    raw = np.empty(size_bytes + ALIGNMENT, np.uint8)
    start = -address_of(raw) % ALIGNMENT
    return raw[start : start + size_bytes]


def address_of(array: np.ndarray) -> int:
    """Where an array's data begins: what NumPy's C interface keeps first in an array."""
    address: int = word_at(id(array) + object.__basicsize__).value
    return address

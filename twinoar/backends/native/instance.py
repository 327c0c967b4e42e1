"""One thread's copy of a compiled Program: an arena, the kernels' arguments, and the commands."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import addressof
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
    Part,
    TiledPart,
    keeps_packed,
)
from twinoar.backends.native.library import Piece, Temporary
from twinoar.backends.numpy import explained, kernel_attributes
from twinoar.backends.onednn import Command, execute_address, new_stream
from twinoar.compile.memory import ALIGNMENT, aligned
from twinoar.compile.storage import Storage, View
from twinoar.core.ir import State, Variable
from twinoar.errors import AxisError, ProgramError

byte_of = ctypes.c_char.from_buffer


class Instance:
    """Memory and commands: `bind` places of the outside, then `run`. For one thread at a time.

    arena: memory that nobody else uses during a run, as `new_arena` makes it.
    """

    def __init__(self, compiled: Compiled, arena: np.ndarray | None = None):
        self.compiled = compiled
        self.arena = new_arena(compiled.arena.bytes) if arena is None else arena
        self.base = address_of(self.arena)
        self.arrays: dict[int, np.ndarray] = {}
        self.bound: dict[int, list[Callable[[int], None]]] = {n: [] for n in compiled.outside}
        self.packing: dict[int, list[Command]] = {}
        self.flagged = [p for p in compiled.parts if isinstance(p, KernelPart) and p.can_fail]
        width = aligned(max([len(p.emitted.checks) for p in self.flagged], default=0))
        self.flags = np.zeros((len(self.flagged), width), np.uint8)  # one for each checked index
        self._kept: list[Any] = []
        self._views: dict[Storage, np.ndarray] = {}  # of what lies in the arena
        uses_library = any(isinstance(p, LibraryPart) for p in compiled.parts)
        self.stream = new_stream() if uses_library else None
        made = [self._commands(batch) for batch in compiled.batches]
        first = [c for b in compiled.setup for c in self._commands(b)]
        checking = driver.check(address_of(self.flags), self.flags.size // 8)
        if self.flagged:
            first.append(checking)
            at = compiled.first_writer
            if at is not None:
                made[at].insert(0, checking)
            elif made:
                made[-1].append(checking)
        # The batch that each command belongs to.
        self.of_batch = [n for n, commands in enumerate(made) for _ in commands]
        self.routine = driver.Routine([c for commands in made for c in commands])
        self.setup = driver.Routine(first)
        self.is_settled = not compiled.setup

    def bind(self, place: int, array: np.ndarray) -> None:
        """Let the memory of a place be that of `array`."""
        if self.arrays.get(place) is array:
            return
        self.arrays[place] = array
        address = address_of(array)
        for write in self.bound[place]:
            write(address)
        for command in self.packing.get(place, ()):
            command.execute()
        if self.compiled.setup and isinstance(self.compiled.outside[place], State):
            self.is_settled = False

    def run(self) -> None:
        """Run all commands.

        Raises AxisError where data gave an index that lies outside, and what NumPy raised; no state
        has changed then.
        """
        try:
            if not self.is_settled:
                self.setup.run()
                self.is_settled = True
            self.routine.run()
        except ProgramError:
            self._look_at_flags()
            raise

    def view(self, storage: Storage) -> np.ndarray:
        """The memory of a value as an array of its logical shape."""
        found = self._views.get(storage)
        if found is None:
            found = self._flat(storage).reshape(storage.physical)
            found = found.transpose(np.argsort(storage.order)) if storage.order else found
            if self.compiled.places[storage] not in self.compiled.outside:
                self._views[storage] = found
        return found

    def _flat(self, storage: Storage) -> np.ndarray:
        place = self.compiled.places[storage]
        if place in self.compiled.outside:
            return self.arrays[place].reshape(-1)
        at = self.compiled.arena.offsets[place]
        return self.arena[at : at + storage.bytes].view(storage.dtype.numpy)

    # Commands.

    def _commands(self, batch: list[Part]) -> list[driver.Command]:
        part = batch[0]
        if isinstance(part, KernelPart):
            return [self._kernels([p for p in batch if isinstance(p, KernelPart)])]
        if isinstance(part, LibraryPart):
            return self._library(part)
        if isinstance(part, TiledPart):
            return [self._launch(launch) for launch in part.launches]
        return [driver.callback(self._host(part))]

    def _kernels(self, batch: list[KernelPart]) -> driver.Command:
        blocks = [driver.Block(self._arguments(p), p.step.nest.row.size) for p in batch]
        code, threads = batch[0].code, self.compiled.threads
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
            self._point(place, 0, self._word(words, position))
        self._kept.append(words)
        return address_of(words)

    @staticmethod
    def _word(words: np.ndarray, position: int) -> Callable[[int], None]:
        def write(address: int) -> None:
            words[position] = address

        return write

    def _point(self, place: int, offset: int, write: Callable[[int], None]) -> None:
        """Tell a command where a place is, now and whenever that changes."""
        if place in self.bound:
            later = write if not offset else lambda address: write(address + offset)
            self.bound[place].append(later)
        else:
            write(self.base + self.compiled.arena.offsets[place] + offset)

    def _library(self, part: LibraryPart) -> list[driver.Command]:
        commands = []
        for run in part.runs:
            command = Command(run.primitive, self.stream)
            for name, piece in run.arguments.items():
                self._place(piece, command.placing(name))
            self._kept.append(command)
            if keeps_packed(run, self.compiled.plan):
                place = self._place_of(run.packs)
                self.packing.setdefault(place, []).append(command)
                continue
            commands.append(driver.primitive(execute_address(), command.arguments_address))
        return commands

    def _launch(self, launch: Launch) -> driver.Command:
        words = launch.arguments()
        for position, used in launch.memories.items():
            write = self._word(words, position)
            if isinstance(used.home, Scratch):
                write(self.base + self.compiled.arena.offsets[used.home] + used.offset)
            else:
                self._point(self.compiled.places[used.home], used.offset, write)
        self._kept.append(words)
        return launch.command(words, self.compiled.threads)

    def _place_of(self, v: Variable | None) -> int:
        return next(n for n, what in self.compiled.outside.items() if what is v)

    def _place(self, piece: Piece, write: Callable[[int], None]) -> None:
        if isinstance(piece.home, Temporary):
            write(self.base + self.compiled.arena.offsets[piece.home])
        else:
            self._point(self.compiled.places[piece.home], piece.offset, write)

    def _host(self, part: HostPart) -> Callable[[], None]:
        step = part.step
        o = step.operator
        kernel = o.op.kernel_rule
        assert kernel is not None
        attrs = kernel_attributes(o)

        def run() -> None:
            operands = [self._operand(x) for x in step.operands]
            try:
                results = kernel(*operands, **attrs)
            except Exception as error:
                raise explained(o, error, operands) from error
            results = results if isinstance(results, tuple) else (results,)
            for storage, array in zip(step.writes, results, strict=True):
                if storage is not None and storage in self.compiled.places:
                    self.view(storage)[...] = array

        return run

    def _operand(self, x: object) -> Any:
        if not isinstance(x, View):
            return x
        flat = self._flat(x.base)
        strides = tuple(step * flat.itemsize for step in x.strides)
        # A copy: kernels of users' functions may keep it.
        return np.lib.stride_tricks.as_strided(flat[x.offset :], x.shape, strides).copy()

    def _look_at_flags(self) -> None:
        """Raise AxisError for the first index that was found outside, and lower the flags."""
        for part, flags in zip(self.flagged, self.flags.copy(), strict=True):
            if flags.any():
                self.flags[:] = 0
                name = part.emitted.checks[flags.argmax()]
                values = ", ".join(v.name for v in part.step.kernel.values)
                raise AxisError(
                    f"{name} lies outside, where {values} is computed",
                    cure="check the indices that were fed",
                )


def new_arena(size_bytes: int) -> np.ndarray:
    """Memory for values, uint8 [size_bytes]."""
    raw = np.empty(size_bytes + ALIGNMENT, np.uint8)
    start = -address_of(raw) % ALIGNMENT
    return raw[start : start + size_bytes]


def address_of(array: np.ndarray) -> int:
    """Where an array's data begins."""
    try:
        return addressof(byte_of(array))  # a quarter of the time; for writable row-major arrays
    except (BufferError, TypeError, ValueError):
        address: int = array.__array_interface__["data"][0]
        return address

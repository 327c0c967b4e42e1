"""How twinoar drives the simulated chips: the whole of a plug-in."""

from __future__ import annotations

import threading
import time

import numpy as np

from twinoar.backends.choice import make_executable
from twinoar.backends.device import Backend, Code, Mark, MemoryUse, Properties
from twinoar.core.device import Buffer, Device
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.op.definition import Op
from twinoar.errors import DeviceError, OutOfMemoryError
from twinoar_sim.machine import MACHINE, Chip, ChipError, Memory

COMPILED = {"scalar", "lower", "procedure", "library"}  # rules that the loop compiler reads


class SimBuffer(Buffer):
    """Memory of a chip. It may not be written yet."""

    __slots__ = ("memory",)

    def __init__(self, device: Device, shape: tuple[int, ...], dtype: np.dtype):
        super().__init__(device, shape, dtype)
        try:
            self.memory = Memory(MACHINE[device.index], self.nbytes)
        except MemoryError as error:
            raise OutOfMemoryError(f"{device}: {error}") from None

    def to_host(self) -> np.ndarray:
        """A copy, once it is written. Raises DeviceError if that failed."""
        try:
            self.memory.wait()
        except ChipError as error:
            raise DeviceError(f"{self.device}: {error}", cure="run the step again") from None
        return self.memory.seen(self.dtype, self.shape).copy()


class SimBackend(Backend):
    """Two chips, whose code is made by the LLVM compiler of twinoar."""

    kind = "sim"

    def count(self) -> int:
        return len(MACHINE)

    def runs(self, op: Op) -> bool:
        return bool(COMPILED & op.rules.keys())

    def supports(self, o: Operator) -> bool:
        values = (x for x in (*o.operands, *o.results) if isinstance(x, Variable))
        return super().supports(o) and all(not v.spec.dtype.is_complex for v in values)

    def compile(self, program: Program, device: Device) -> Code:
        specs = [v.spec for v in program.main.outputs]
        executable, chip = make_executable(program), MACHINE[device.index]

        def run(inputs: list[Buffer]) -> list[Buffer]:
            results = [SimBuffer(device, tuple(s.shape), s.dtype.numpy) for s in specs]
            _launch(chip, executable, inputs, results)
            return results

        return run

    def copy_in(self, array: np.ndarray, device: Device) -> Buffer:
        made = SimBuffer(device, array.shape, array.dtype)
        made.memory.seen(array.dtype, array.shape)[...] = array
        made.memory.ready.set()
        return made

    def synchronize(self, device: Device) -> None:
        try:
            MACHINE[device.index].synchronize()
        except ChipError as error:
            raise DeviceError(f"{device}: {error}", cure="run the step again") from None

    def record(self, device: Device) -> Mark:
        return SimMark(MACHINE[device.index])

    def memory(self, device: Device) -> MemoryUse:
        chip = MACHINE[device.index]
        return MemoryUse(chip.allocated, chip.most_allocated, chip.allocated, chip.most_allocated)

    def reset_peak(self, device: Device) -> None:
        chip = MACHINE[device.index]
        chip.most_allocated = chip.allocated

    def properties(self, device: Device) -> Properties:
        return Properties("simulated chip", MACHINE[device.index].capacity)


class SimMark(Mark):
    """A mark that the chip sets when it comes to it."""

    def __init__(self, chip: Chip):
        self.reached_at = 0.0
        self._reached = threading.Event()
        chip.launch(self._reach, (), ())

    def _reach(self) -> None:
        self.reached_at = time.perf_counter()
        self._reached.set()

    def is_reached(self) -> bool:
        return self._reached.is_set()

    def wait(self) -> None:
        self._reached.wait()


def _launch(chip: Chip, executable, inputs: list[SimBuffer], results: list[SimBuffer]) -> None:
    """Queue a run. The chip's units see its memory; nobody else does."""

    def work() -> None:
        seen = [b.memory.seen(b.dtype, b.shape) for b in inputs]
        for b, found in zip(results, executable.call(seen, [])[0], strict=True):
            b.memory.seen(b.dtype, b.shape)[...] = found

    chip.launch(work, [b.memory for b in inputs], [b.memory for b in results])

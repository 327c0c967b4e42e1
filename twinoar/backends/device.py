"""What serves a kind of device: memory, and code for Programs; and how Programs run there.

A plug-in gives a `Backend`. It is asked for code of whole Programs whose sizes are known; an eager
call is a Program of one operator. What a device does not run, the host does, on copies that are
counted (`core.device.HostCopies`) and told by `explain`.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from twinoar import config
from twinoar.backends.base import TRAVELLING, Executable, HostCommand, Sort
from twinoar.backends.numpy import NumpyExecutable, bind, check_feed
from twinoar.backends.segments import Segment, segments
from twinoar.compile.specialise import dynamic_operator, specialise, states_read
from twinoar.core.device import Buffer, Data, Device, device_of_all, to_host
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, Variable, copy_program
from twinoar.core.op.definition import Op
from twinoar.core.recent import make_room, now
from twinoar.eager.tensor import SPECS
from twinoar.errors import DeviceError
from twinoar.late import dataclass
from twinoar.passes.decompose import decompose
from twinoar.passes.pipeline import lower

Code = Callable[[list[Buffer]], list[Buffer]]  # from the inputs of a Program to its outputs
KEPT = 2048  # calls that are remembered; a process that makes up new ones starts over


@dataclass(frozen=True)
class MemoryUse:
    """Bytes that buffers hold on a device now and at most, and those taken from the system."""

    allocated: int
    most_allocated: int
    reserved: int
    most_reserved: int


@dataclass(frozen=True)
class Properties:
    """What a device is. total_memory: bytes."""

    name: str
    total_memory: int
    major: int = 0
    minor: int = 0
    multi_processor_count: int = 0


class Mark:
    """A moment in the work of a device: this one was reached when it was made.

    reached_at: seconds, on the clock of `time.perf_counter`.
    """

    def __init__(self) -> None:
        self.reached_at = time.perf_counter()

    def is_reached(self) -> bool:
        """Whether the device has come so far."""
        return True

    def wait(self) -> None:
        """Return when it has."""


class Backend(ABC):
    """One object for all devices of a kind; any thread may call it.

    Calls may return before the device is done: a buffer is then a promise, and what fails later is
    raised by whoever looks at it, or waits.
    """

    kind: str
    is_of_processes = False  # a mesh of them: each has the arrays that meet its buffers

    def __init__(self) -> None:
        self._calls: dict[Hashable, DeviceExecutable] = {}
        self._lock = threading.Lock()

    @abstractmethod
    def count(self) -> int:
        """How many devices there are."""

    @abstractmethod
    def runs(self, op: Op) -> bool:
        """Whether `compile` takes calls of an operator; others are expanded, or run by the host."""

    def supports(self, o: Operator) -> bool:
        """Whether `compile` takes this call."""
        return self.runs(o.op)

    @abstractmethod
    def compile(self, program: Program, device: Device) -> Code:
        """Code for a lowered Program: all sizes known, no state but constants, no updates."""

    @abstractmethod
    def copy_in(self, array: np.ndarray, device: Device) -> Buffer:
        """A buffer with the elements of an array, which may change after the call."""

    def copy(self, buffer: Buffer, device: Device) -> Buffer:
        """A buffer of this kind on another device of it."""
        return self.copy_in(to_host(buffer), device)

    def next_of(self, old: Buffer, new: Buffer) -> Buffer:
        """What follows `old` as the data of a tensor: `new`, lying as `old` does."""
        return new

    @abstractmethod
    def synchronize(self, device: Device) -> None:
        """Wait until the device is done. Raises what failed there since somebody waited."""

    def record(self, device: Device) -> Mark:
        """A mark behind the work that was given to the device so far."""
        self.synchronize(device)
        return Mark()

    @abstractmethod
    def memory(self, device: Device) -> MemoryUse:
        """How much memory is in use."""

    @abstractmethod
    def reset_peak(self, device: Device) -> None:
        """Let the most that was in use be what is in use now."""

    @abstractmethod
    def properties(self, device: Device) -> Properties:
        """What the device is."""

    def release(self, device: Device) -> None:  # noqa: B027  # most keep none
        """Give memory that is kept for later back to the system."""

    def executable(self, executable: Executable, device: Device) -> Executable:
        """What runs the Program of `executable` on a device."""
        return DeviceExecutable(executable.program, device, self)

    def call(
        self, op: Op, operands: Sequence[Any], attrs: dict[str, Any], device: Device
    ) -> tuple[Data, ...]:
        """The results of one operator. operands: buffers, arrays that travel, and literals."""
        given: list[Any] = []  # arrays and buffers, as `execute` takes them
        key = op, device, _signature(operands, given), _signature(attrs.items(), None)
        with self._lock:
            found = self._calls.get(key)
        if found is None:
            found = DeviceExecutable(_program_of(op, operands, attrs), device, self)
            with self._lock:
                if len(self._calls) >= KEPT:
                    self._calls.clear()
                self._calls[key] = found
        return tuple(found.run_here(given, [])[0])


class DeviceExecutable(Executable):
    """A Program on a device; for each set of sizes that it meets the device's code is made once."""

    def __init__(self, program: Program, device: Device, backend: Backend):
        lowered = decompose(copy_program(program)[0], lambda op: backend.runs(op) or not op.body)
        self.program, self.device, self.backend = lower(lowered), device, backend
        self.states = [s for s in states_read(self.program) if not s.is_constant]
        self.feed_names = [v.name for v in self.program.main.inputs]
        self.state_names = [s.name for s in self.states]
        self.updated_names = [s.name for s in self.program.updates]
        self._segments: list[Segment] | None = None
        self._forms: dict[Hashable, _Form] = {}
        self._lock = threading.Lock()

    def call(self, feeds: Sequence[Data], states: Sequence[Data]) -> tuple[list[Any], list[Any]]:
        """Run once; results are on the device, next values where the states were."""
        device_of_all((*feeds, *states))
        sizes: dict[str, int] = {}
        values: dict[Any, Data] = {}
        for v, data in zip(
            (*self.program.main.inputs, *self.states), (*feeds, *states), strict=True
        ):
            self._check(v, data, sizes)
            values[v] = data
        for number, segment in enumerate(self._split(values)):
            self._run(number, segment, values, sizes)
        outputs = [self._brought(self._value(v, values)) for v in self.program.main.outputs]
        return outputs, self._following(values)

    def call_by_operator(
        self, feeds: Sequence[Data], states: Sequence[Data]
    ) -> tuple[list[Any], list[Any]]:
        """Run once on NumPy, where each operator stands for itself."""
        arrays = [to_host(x) for x in (*feeds, *states)]
        one = NumpyExecutable(lower(copy_program(self.program)[0]))
        by_name = dict(zip(self.state_names, arrays[len(feeds) :], strict=True))
        found, following = one.call(arrays[: len(feeds)], [by_name[n] for n in one.state_names])
        return [self._brought(x) for x in found], [self._brought(x) for x in following]

    def _check(self, v: Variable, data: Data, sizes: dict[str, int]) -> None:
        if isinstance(data, Buffer):
            check_feed(v, _Shape(data), sizes)  # type: ignore[arg-type]
        elif data.size > TRAVELLING and not self.backend.is_of_processes:
            raise DeviceError(
                f"{v.name} ({v.spec}) lies on the CPU, what it is used with on {self.device}"
            )
        else:
            check_feed(v, data, sizes)

    def _split(self, values: dict[Any, Data]) -> list[Segment]:
        if self._segments is None:
            home = [v for v, data in values.items() if not isinstance(data, Buffer)]
            self._segments = segments(self.program, self.backend.supports, home)
        return self._segments

    def _run(
        self, number: int, segment: Segment, values: dict[Any, Data], sizes: dict[str, int]
    ) -> None:
        taken = [values[v] for v in segment.takes]
        key = number, tuple([x.shape for x in taken]), tuple(sorted(sizes.items()))
        form = self._forms.get(key)
        if form is None:
            with self._lock:
                make_room(self._forms, config.programs_kept)
                form = self._forms[key] = _Form(self, segment, sizes)
        form.used = now()
        for v, data in zip(segment.gives, form.run(taken), strict=True):
            values[v] = data
            for dim, size in zip(v.spec.shape, data.shape, strict=True):
                bind(dim, size, sizes)

    def _following(self, values: dict[Any, Data]) -> list[Data]:
        """The next value of each updated state, on the host where the state is."""
        found = []
        for s, v in self.program.updates.items():
            value = self._value(v, values)
            was_here = s not in values or isinstance(values[s], Buffer)
            found.append(self._brought(value) if was_here else to_host(value))
        return found

    def _value(self, v: Any, values: dict[Any, Data]) -> Any:
        if v is None:
            return None
        if isinstance(v, Variable):
            return values[v] if v in values else np.asarray(v.data)
        return np.asarray(v)

    def _brought(self, data: Any) -> Any:
        if data is None or isinstance(data, Buffer):
            return data
        return self.backend.copy_in(data, self.device)

    def host_commands(self) -> list[HostCommand] | None:
        """The operators that the device has no kernels for."""
        if self._segments is None:
            return None
        return [
            HostCommand(o.op.name, o.op.rules.get("host", f"{self.device} has no kernel of it"))
            for s in self._segments
            if s.on_host
            for o in s.program.main.ops
        ]

    def table(self, sort: Sort = "order") -> str:
        """What runs on the device and what on the host, a line for each operator."""
        if self._segments is None:
            return "not compiled yet: that is done at the first run"
        return "\n".join(
            f"{o.op.name:<24} {'host' if s.on_host else self.device}"
            for s in self._segments
            for o in s.program.main.ops
        )


class _Form:
    """A segment for certain sizes."""

    def __init__(self, owner: DeviceExecutable, segment: Segment, sizes: dict[str, int]):
        self.used = now()
        self._owner = owner
        self._host: NumpyExecutable | None = None
        self.code: Code | None = None
        program = specialise(segment.program, sizes)[0]
        if segment.on_host or dynamic_operator(program) is not None:
            self._host = NumpyExecutable(program)
        else:
            self.code = owner.backend.compile(program, owner.device)

    def run(self, taken: Sequence[Data]) -> Sequence[Data]:
        """What the segment gives."""
        if self._host is not None:
            return self._host.call([to_host(x) for x in taken], [])[0]
        assert self.code is not None
        return self.code([self._owner._brought(x) for x in taken])


class _Shape:
    """A buffer as what is held against a Spec: its shape and dtype."""

    def __init__(self, buffer: Buffer):
        self.shape, self.dtype, self.ndim = buffer.shape, buffer.dtype, buffer.ndim


def _program_of(op: Op, operands: Sequence[Any], attrs: dict[str, Any]) -> Program:
    """A Program of one call, whose inputs are the arrays and buffers among its operands."""
    program = Program(op.name)
    given = [
        program.main.add_input(SPECS[x.shape, x.dtype])
        if isinstance(x, (np.ndarray, Buffer))
        else x
        for x in operands
    ]
    with using(Builder(program)) as builder:
        found = builder.apply(op, tuple(given), attrs)
    program.main.outputs = list(found) if isinstance(found, tuple) else [found]
    return program


def _signature(values: Any, given: list[Data] | None) -> tuple:
    """What tells calls apart that need different code.

    Arrays and buffers of operands are added to `given`; those of attributes are part of the code.
    """
    found: list[Any] = []
    for x in values:
        if isinstance(x, np.ndarray) and given is None:
            found += (x.shape, x.dtype.name, x.tobytes())
        elif isinstance(x, (np.ndarray, Buffer)):
            assert given is not None
            given.append(x)
            found += (isinstance(x, Buffer), x.shape, x.dtype.name)
        elif isinstance(x, (tuple, list)):
            found.append(_signature(x, given))
        elif isinstance(x, slice):
            found.append((slice, x.start, x.stop, x.step))
        elif isinstance(x, float):
            found.append(x.hex())  # -0.0 equals 0.0, and nan nothing
        else:
            found += (x.__class__, x)
    return tuple(found)

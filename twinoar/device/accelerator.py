"""What is asked of accelerators: memory, properties, streams, events. Plug-ins answer.

Each device does its work in the order in which it was asked for, so streams of one device are
views of one queue, and what they order holds already.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from twinoar.core.device import Device, backend_of, count_of
from twinoar.core.interpreter import current
from twinoar.eager.place import Place, place_of
from twinoar.errors import ArgumentError, TypeMismatchError

CURE = "ask first: paddle.device.get_available_device(), paddle.device.is_available()"


class Kind:
    """The functions of `paddle.device`, or of a space such as `paddle.device.cuda` for one kind.

    kind: None where each call says, or means the device of new tensors. Each function raises
    ArgumentError where there is no such device.
    """

    def __init__(self, space: str, kind: str | None, what: str):
        self.space, self.kind, self.what = space, kind, what

    def functions(self) -> dict[str, Any]:
        """The functions by their public names."""
        names = (
            "device_count empty_cache synchronize memory_allocated max_memory_allocated "
            "memory_reserved max_memory_reserved reset_max_memory_allocated "
            "reset_max_memory_reserved get_device_properties get_device_name "
            "get_device_capability current_stream"
        )
        return {name: getattr(self, name) for name in names.split()}

    def chosen(self, device: Any, name: str) -> tuple[Any, Device]:
        """The back end and the device that an argument names."""
        kind = self.kind or current().policy.device.kind
        if device is None and kind == current().policy.device.kind:
            found = current().policy.device
        elif device is None or (isinstance(device, int) and not isinstance(device, bool)):
            found = Device(kind, device or 0)
        else:
            found = place_of(device).device
        is_right = self.kind in (None, found.kind) and found.kind != "cpu"
        if not is_right or found.index >= count_of(found.kind):
            raise ArgumentError(
                f"{self.space}.{name} needs {self.what}, and {found} is none", cure=CURE
            )
        return backend_of(found.kind), found

    def device_count(self) -> int:
        """Number of devices; of accelerators where no kind is named."""
        if self.kind is not None:
            return count_of(self.kind)
        kind = current().policy.device.kind
        return 0 if kind == "cpu" else count_of(kind)

    def empty_cache(self) -> None:
        """Give back memory that is kept for later."""
        kind = self.kind or current().policy.device.kind
        if kind != "cpu":
            for n in range(count_of(kind)):
                backend_of(kind).release(Device(kind, n))

    def synchronize(self, device: Any = None) -> None:
        """Wait until a device is done. Raises DeviceError for what failed there."""
        if self.kind is None and place_of(device).is_cpu_place():
            return
        backend, found = self.chosen(device, "synchronize")
        backend.synchronize(found)

    def memory_allocated(self, device: Any = None) -> int:
        """Bytes that tensors hold now."""
        backend, found = self.chosen(device, "memory_allocated")
        return int(backend.memory(found).allocated)

    def max_memory_allocated(self, device: Any = None) -> int:
        """The most bytes that tensors held."""
        backend, found = self.chosen(device, "max_memory_allocated")
        return int(backend.memory(found).most_allocated)

    def memory_reserved(self, device: Any = None) -> int:
        """Bytes that are taken from the device now."""
        backend, found = self.chosen(device, "memory_reserved")
        return int(backend.memory(found).reserved)

    def max_memory_reserved(self, device: Any = None) -> int:
        """The most bytes that were taken from the device."""
        backend, found = self.chosen(device, "max_memory_reserved")
        return int(backend.memory(found).most_reserved)

    def reset_max_memory_allocated(self, device: Any = None) -> None:
        """Count the most bytes from now on."""
        backend, found = self.chosen(device, "reset_max_memory_allocated")
        backend.reset_peak(found)

    reset_max_memory_reserved = reset_max_memory_allocated

    def get_device_properties(self, device: Any = None) -> Any:
        """Name, memory and version of a device."""
        backend, found = self.chosen(device, "get_device_properties")
        return backend.properties(found)

    def get_device_name(self, device: Any = None) -> str:
        """The name of a device."""
        return str(self.get_device_properties(device).name)

    def get_device_capability(self, device: Any = None) -> tuple[int, int]:
        """The version of a device: major, minor."""
        properties = self.get_device_properties(device)
        return properties.major, properties.minor

    def current_stream(self, device: Any = None) -> Stream:
        """The stream that operators run in."""
        _, found = self.chosen(device, "current_stream")
        stream = _streams.get().get(found)
        return Stream._of(found) if stream is None else stream


ANY = Kind("paddle.device", None, "an accelerator")
_streams: ContextVar[dict[Device, Stream]] = ContextVar("twinoar_streams", default={})  # noqa: B039  # never written


class Stream:
    """An order of work on an accelerator. Raises ArgumentError where there is none.

    device: "gpu:0", a Place, or None for that of new tensors. priority: accepted; a device does its
    work in order.
    """

    def __init__(self, device: Any = None, priority: int = 2, stream_base: Any = None):
        _, self._device = ANY.chosen(device, "Stream")

    @classmethod
    def _of(cls, device: Device) -> Stream:
        made = cls.__new__(cls)
        made._device = device
        return made

    @property
    def device(self) -> Place:
        """Where it is."""
        return place_of(str(self._device))

    def synchronize(self) -> None:
        """Wait until the work is done. Raises DeviceError for what failed."""
        backend_of(self._device.kind).synchronize(self._device)

    def query(self) -> bool:
        """Whether the work is done."""
        event = self.record_event()
        return event.query()

    def record_event(self, event: Event | None = None) -> Event:
        """An event that happens when the work of now is done."""
        event = Event(self._device.kind) if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Let later work wait for an event, which on the same device it does in any case."""
        if event._device is not None and event._device != self._device:
            event.synchronize()

    def wait_stream(self, stream: Stream) -> None:
        """Let later work wait for that of another stream."""
        self.wait_event(stream.record_event())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._device == other._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"<paddle.device.Stream device={self._device}>"


class Event:
    """A moment in the work of an accelerator. Raises ArgumentError where there is none.

    enable_timing, blocking, interprocess: accepted; each event knows its time.
    """

    def __init__(
        self,
        device: Any = None,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
    ):
        ANY.chosen(None if isinstance(device, bool) else device, "Event")  # 3.3 has none here
        self._device: Device | None = None
        self._mark: Any = None

    def record(self, stream: Stream | None = None) -> None:
        """Happen when the work of now in `stream`, or the current one, is done."""
        self._device = (ANY.current_stream() if stream is None else stream)._device
        self._mark = backend_of(self._device.kind).record(self._device)

    def query(self) -> bool:
        """Whether it has happened; True before it is recorded."""
        return self._mark is None or bool(self._mark.is_reached())

    def synchronize(self) -> None:
        """Wait until it has happened."""
        if self._mark is not None:
            self._mark.wait()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds to another event. Raises ArgumentError if one is not recorded."""
        if self._mark is None or end_event._mark is None:
            raise ArgumentError("elapsed_time is of recorded events", cure="call record() first")
        self.synchronize()
        end_event.synchronize()
        return float(end_event._mark.reached_at - self._mark.reached_at) * 1e3


def set_stream(stream: Stream) -> Stream:
    """Let operators run in `stream`; returns the stream of before."""
    if not isinstance(stream, Stream):
        raise TypeMismatchError(f"expected a Stream, received {type(stream).__name__}")
    before = ANY.current_stream(str(stream._device))
    _streams.set({**_streams.get(), stream._device: stream})
    return before


@contextmanager
def stream_guard(stream: Stream | None = None) -> Iterator[None]:
    """Within the block operators run in `stream`; None changes nothing."""
    if stream is None:
        yield
        return
    before = set_stream(stream)
    try:
        yield
    finally:
        set_stream(before)

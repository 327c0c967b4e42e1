"""A back end: what one kind of device runs Programs with, and what it makes of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from twinoar.core.device import CPU, Device, backend_of, device_of_all
from twinoar.core.interpreter import current, observers_now
from twinoar.core.ir.program import Program
from twinoar.core.observer import PROGRAM, Call, observed
from twinoar.core.shown import Shown
from twinoar.errors import DeviceError

Arrays = Sequence[np.ndarray]
TRAVELLING = 2  # elements of an array that goes to a device unasked: a number, or a key
Sort = Literal["order", "time"]  # of what is explained


class Executable(ABC):
    """A compiled Program: feeds and states in, outputs and next states out.

    feed_names, state_names: what `execute` takes, in order. updated_names: the states whose next
    values it returns. elsewhere: what runs the same Program on other devices.
    """

    program: Program
    feed_names: list[str]
    state_names: list[str]
    updated_names: list[str]
    elsewhere: dict[Device, Executable] | None = None

    def execute(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Run once, by position: the program's outputs, and the next value of each updated state.

        It runs on the device where the data lie. The caller hands over the arrays of states that
        are updated: where nobody else holds one, the next value may be the same array, written in
        place. Raises ShapeError or DTypeError for feeds that the program does not take, DeviceError
        for data on several devices.
        """
        chosen = CPU if feeds else current().policy.device
        if chosen != CPU and _all_travel(states):  # all that it makes is new
            return self._on(chosen).run_here(feeds, states)
        try:
            return self.run_here(feeds, states)
        except DeviceError:
            device = device_of_all((*feeds, *states))
            if device is CPU:
                raise
        return self._on(device).run_here(feeds, states)

    def run_here(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """`execute` where all data lie on the device of this executable."""
        observers = observers_now()
        if not observers:
            return self.call(feeds, states)
        runs = self.call_by_operator if any(x.by_operator for x in observers) else self.call
        found: tuple[list[np.ndarray], list[np.ndarray]] = observed(
            observers, Call(PROGRAM, self.program.name), lambda: runs(feeds, states)
        )
        return found

    def _on(self, device: Device) -> Executable:
        """What runs the same Program on another device."""
        if self.elsewhere is None:
            self.elsewhere = {}
        if device not in self.elsewhere:
            self.elsewhere[device] = backend_of(device.kind).executable(self, device)
        return self.elsewhere[device]

    @abstractmethod
    def call(self, feeds: Arrays, states: Arrays) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """What `run_here` does, of which observers are told."""

    @abstractmethod
    def call_by_operator(
        self, feeds: Arrays, states: Arrays
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """As `call`, for observers who ask for each operator: they are told of them."""

    @abstractmethod
    def table(self, sort: Sort = "order") -> str:
        """What ran as what, a line for each part, in order or the slowest first."""

    def host_commands(self) -> list[HostCommand] | None:
        """What Python or NumPy runs within the compiled Program; None where none is compiled."""
        return None

    def explain(self, sort: Sort = "order") -> str:
        """The table, and how many commands stay on the host, with reasons.

        Where the Program has run on other devices, of each of them.
        """
        if self.elsewhere:
            found = [f"on {device}:\n{x.explain(sort)}" for device, x in self.elsewhere.items()]
            return "\n".join(found)
        text, hosted = self.table(sort), self.host_commands()
        return text if hosted is None else f"{text}\n{host_line(hosted)}"

    def run(
        self, feeds: Mapping[str, np.ndarray], states: Mapping[str, np.ndarray]
    ) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        """`execute`, by name."""
        outputs, following = self.execute(
            [feeds[name] for name in self.feed_names], [states[name] for name in self.state_names]
        )
        return outputs, dict(zip(self.updated_names, following, strict=True))


def _all_travel(states: Arrays) -> bool:
    """True where the states are numbers and keys of the CPU, which go where they are used."""
    return device_of_all(states) == CPU and all(x.size <= TRAVELLING for x in states)


class HostCommand(NamedTuple):
    """An operator that Python or NumPy runs within a compiled Program, and why."""

    operator: str
    reason: str


def host_line(hosted: Sequence[HostCommand]) -> str:
    """How many commands stay on the host, and why."""
    counts = Counter(hosted)
    named = ", ".join(
        f"{h.operator}{f'*{n}' if n > 1 else ''} ({h.reason})" for h, n in counts.items()
    )
    return f"host commands: {len(hosted)}" + (f": {named}" if named else "")


def explain_all(executables: Mapping[str, Executable], sort: Sort = "order") -> Shown:
    """What each executable explains, below its name where there are several."""
    texts = {name: executable.explain(sort) for name, executable in executables.items()}
    if len(texts) == 1:
        return Shown(*texts.values())
    return Shown("\n\n".join(f"{name}:\n{text}" for name, text in texts.items()))

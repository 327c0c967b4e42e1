"""Lines of text into slots of numbers, as data feeds read them: `generate_sample` says how."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

Samples = Callable[[], Iterable[Any]]


class DataGenerator:
    """Base of both; a subclass says in `generate_sample(line)` what a line becomes."""

    def __init__(self) -> None:
        self.batch_size_, self._proto_info = 32, None

    def set_batch(self, batch_size: int) -> None:
        """So many samples go to `generate_batch` together."""
        self.batch_size_ = batch_size

    def generate_sample(self, line: str | None) -> Samples:
        """A function that yields the samples of a line: lists of (name of slot, values)."""
        raise UnsupportedError(
            f"{type(self).__name__} has no generate_sample", cure="define it in the subclass"
        )

    def generate_batch(self, samples: list[Any]) -> Samples:
        """A function that yields the samples of a batch: as they are."""
        return lambda: iter(samples)

    def run_from_memory(self) -> None:
        """Write the samples of no line, as text."""
        self._write(self._batches([None]))

    def run_from_stdin(self) -> None:
        """Write the samples of each line of standard input, as text."""
        self._write(self._batches(sys.stdin))

    def _batches(self, lines: Iterable[str | None]) -> Iterator[Any]:
        waiting: list[Any] = []
        for line in lines:
            for sample in self.generate_sample(line)():
                if sample is None:
                    continue
                waiting.append(sample)
                if len(waiting) == self.batch_size_:
                    yield from self.generate_batch(waiting)()
                    waiting = []
        if waiting:
            yield from self.generate_batch(waiting)()

    def _write(self, samples: Iterable[Any]) -> None:
        for sample in samples:
            sys.stdout.write(self._gen_str(sample))

    def _gen_str(self, line: Any) -> str:
        raise UnsupportedError(
            "DataGenerator writes nothing", cure="use MultiSlotDataGenerator as the base"
        )

    def _checked(self, line: Any) -> list[tuple[str, Any]]:
        if not isinstance(line, list | tuple):
            raise ArgumentError(
                f"a sample is a list of (name, values), received {type(line).__name__}"
            )
        return [(name, values) for name, values in line]


class MultiSlotStringDataGenerator(DataGenerator):
    """Slots of strings: the number of values, and the values, for each.

    >>> MultiSlotStringDataGenerator()._gen_str([("words", ["1", "2"]), ("label", ["0"])])
    '2 1 2 1 0\\n'
    """

    def _gen_str(self, line: Any) -> str:
        slots = self._checked(line)
        return " ".join(" ".join([str(len(v)), *v]) for _, v in slots) + "\n"


class MultiSlotDataGenerator(DataGenerator):
    """Slots of integers or floats: the number of values, and the values, for each.

    >>> MultiSlotDataGenerator()._gen_str([("words", [1, 2]), ("score", [0.5])])
    '2 1 2 1 0.5\\n'
    """

    def _gen_str(self, line: Any) -> str:
        slots = self._checked(line)
        for name, values in slots:
            if not isinstance(name, str):
                raise TypeMismatchError(f"a slot's name is a {type(name).__name__}")
            if not values:
                raise ArgumentError(f"slot {name!r} has no values", cure="give it a padding value")
            if not all(isinstance(v, int | float) for v in values):
                raise TypeMismatchError(f"slot {name!r}: values are integers or floats")
        self._check_slots(slots)
        return " ".join(" ".join(map(str, [len(v), *v])) for _, v in slots) + "\n"

    def _check_slots(self, slots: list[tuple[str, Any]]) -> None:
        """All samples have the slots of the first, in order."""
        names = [name for name, _ in slots]
        if self._proto_info is None:
            self._proto_info = names  # type: ignore[assignment]
        elif names != self._proto_info:
            raise ArgumentError(f"expected the slots {self._proto_info}, received {names}")


__all__ = ["DataGenerator", "MultiSlotDataGenerator", "MultiSlotStringDataGenerator"]

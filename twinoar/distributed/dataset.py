"""Files of slots for `Executor.train_from_dataset`: read as they come, or first into memory.

In several processes each names its own files (`fleet.util.get_file_shard`); `global_shuffle` lets
lines change places between them. A line has, for each variable, the number of its values and the
values, as the generators of `fleet.MultiSlotDataGenerator` write them. A batch is a dict of arrays,
one row for each line.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.distributed.together import together
from twinoar.errors import ArgumentError, FileError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.ops.random.uniform import generator

Sample = list[np.ndarray]
PLAIN = "cat"


class DatasetBase:
    """Base of both. See `init`."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._variables: list[Any] = []
        self._batch_size, self._command = 1, PLAIN

    def init(
        self,
        batch_size: int = 1,
        thread_num: int = 1,
        use_var: Sequence[Any] = (),
        pipe_command: str = PLAIN,
        input_type: int = 0,
        fs_name: str = "",
        fs_ugi: str = "",
        download_cmd: str = PLAIN,
    ) -> None:
        """Say what a line is: values of `use_var`, in their order and of their dtypes.

        batch_size: lines in a batch; the last has what is left. pipe_command: of the shell, it gets
        each file and writes the lines. thread_num: without effect. Raises ArgumentError,
        UnsupportedError for files elsewhere.
        """
        if batch_size < 1:
            raise ArgumentError(f"batch_size has to be 1 or more, received {batch_size}")
        if input_type or fs_name or fs_ugi:
            raise UnsupportedError(
                "files are those of this machine, of slots", cure="leave out input_type and fs_name"
            )
        self._batch_size, self._command = batch_size, pipe_command
        self._variables = list(use_var)

    def set_filelist(self, filelist: Sequence[str]) -> None:
        """Name the files."""
        if isinstance(filelist, str):
            raise TypeMismatchError("filelist: expected a list of files, received a str")
        self._files = [str(file) for file in filelist]

    def __iter__(self) -> Iterator[dict[str, np.ndarray]]:
        waiting: list[Sample] = []
        for sample in self._samples():
            waiting.append(sample)
            if len(waiting) == self._batch_size:
                yield self._batch(waiting)
                waiting = []
        if waiting:
            yield self._batch(waiting)

    def _samples(self) -> Iterable[Sample]:
        return self._read()

    def _read(self) -> Iterator[Sample]:
        for file in self._files:
            for number, line in enumerate(self._lines(file), 1):
                if line.strip():
                    yield self._sample(line.split(), f"{file}:{number}")

    def _lines(self, file: str) -> list[str]:
        """What the command makes of a file."""
        try:
            content = Path(file).read_bytes()
        except OSError as error:
            raise FileError(f"cannot read {file}: {error.strerror}") from error
        if self._command.strip() != PLAIN:
            done = subprocess.run(self._command, shell=True, input=content, capture_output=True)
            if done.returncode:
                raise FileError(
                    f"{self._command!r} ended with {done.returncode} for {file}: "
                    f"{done.stderr.decode(errors='replace')[-500:]}",
                    cure="run the command by hand",
                )
            content = done.stdout
        return content.decode().splitlines()

    def _sample(self, words: list[str], where: str) -> Sample:
        found, position = [], 0
        try:
            for variable in self._variables:
                count = int(words[position])
                values = words[position + 1 : position + 1 + count]
                if len(values) != count:
                    raise IndexError
                kind = int if variable.dtype.is_integer else float
                found.append(np.array([kind(v) for v in values], variable.dtype.numpy))
                position += 1 + count
        except (IndexError, ValueError):
            position = -1
        if position != len(words):
            names = [v.name for v in self._variables]
            raise FileError(f"{where}: expected the counts and values of {names}") from None
        return found

    def _batch(self, samples: list[Sample]) -> dict[str, np.ndarray]:
        batch = {}
        for variable, rows in zip(self._variables, zip(*samples, strict=True), strict=True):
            lengths = {len(row) for row in rows}
            if len(lengths) > 1:
                raise ShapeError(
                    f"{variable.name} has {sorted(lengths)} values in the lines of one batch",
                    cure="pad them to one length, or take batch_size=1",
                )
            batch[variable.name] = np.stack(rows)
        return batch


class QueueDataset(DatasetBase):
    """Files of slots that are read as they come. See `DatasetBase.init`."""


class InMemoryDataset(DatasetBase):
    """Files of slots that are read into memory, and shuffled there.

    `load_into_memory` comes before the batches. See `DatasetBase.init`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loaded: list[Sample] | None = None

    def update_settings(self, **kwargs: Any) -> None:
        """Change arguments of `init`."""
        own: dict[str, Any] = {
            "batch_size": self._batch_size,
            "use_var": self._variables,
            "pipe_command": self._command,
        }
        self.init(**own | kwargs)

    def load_into_memory(self, is_shuffle: bool = False) -> None:
        """Read the files. is_shuffle: and bring the lines into an order by chance."""
        self._loaded = list(self._read())
        if is_shuffle:
            self.local_shuffle()

    def preload_into_memory(self, thread_num: int | None = None) -> None:
        """`load_into_memory`, which is done on return."""
        self.load_into_memory()

    def wait_preload_done(self) -> None:
        """Wait for `preload_into_memory`: it is done."""

    def local_shuffle(self) -> None:
        """Bring the lines into an order by chance, which the seed of `twinoar.seed` decides."""
        random.Random(generator.initial_seed()).shuffle(self._in_memory())

    def global_shuffle(self, fleet: Any = None, thread_num: int = 12) -> None:
        """Bring the lines of all processes into an order by chance, and divide them evenly.

        All call it. Each line goes to a process by the seed of `twinoar.seed` and the place where
        it is, so runs repeat. fleet, thread_num: without effect.
        """
        there = together()
        if there.size > 1:
            self._loaded = dealt(self._in_memory(), there, len(self._variables))
        self.local_shuffle()

    def release_memory(self) -> None:
        """Forget the lines."""
        self._loaded = None

    def get_memory_data_size(self, fleet: Any = None) -> int:
        """The number of lines in memory, with `fleet` of all processes, which all call it."""
        own = len(self._in_memory())
        return own if fleet is None else sum(together().all_gather_object(own))

    get_shuffle_data_size = get_memory_data_size

    def slots_shuffle(self, slots: Sequence[str]) -> None:
        """Shuffle the values of single slots: raises UnsupportedError."""
        raise UnsupportedError("slots_shuffle is not served", cure="shuffle them in the files")

    def _samples(self) -> Iterable[Sample]:
        return self._in_memory()

    def _in_memory(self) -> list[Sample]:
        if self._loaded is None:
            raise ArgumentError("nothing is in memory", cure="call load_into_memory first")
        return self._loaded


def dealt(samples: list[Sample], there: Any, slots: int) -> list[Sample]:
    """The lines that this process has after all have dealt theirs out, by chance and evenly.

    there: those that train together. slots: how many arrays a line has.
    """
    order = list(range(len(samples)))
    random.Random(generator.initial_seed() + there.rank).shuffle(order)
    first = sum(there.all_gather_object(len(samples))[: there.rank])  # so remainders even out
    parts: list[list[Sample]] = [[] for _ in range(there.size)]
    for place, number in enumerate(order):
        parts[(first + place) % there.size].append(samples[number])
    given = _given_each([_joined(part, slots) for part in parts], there)
    return [sample for part in given for sample in _parted(part, slots)]


def _given_each(parts: list[list[np.ndarray]], there: Any) -> list[list[np.ndarray]]:
    """What each process has for this one."""
    if hasattr(there, "give_each"):  # workers of servers send no objects
        count = len(parts[0])
        by_array = [there.give_each([part[n] for part in parts]) for n in range(count)]
        return [list(arrays) for arrays in zip(*by_array, strict=True)]
    return [each[there.rank] for each in there.all_gather_object(parts)]


def _joined(samples: list[Sample], slots: int) -> list[np.ndarray]:
    """Samples as arrays: of each slot how many values each has, then all values."""
    found = []
    for n in range(slots):
        values = [sample[n] for sample in samples]
        found.append(np.array([len(v) for v in values], np.int64))
        found.append(np.concatenate(values) if values else np.zeros(0, np.int64))
    return found


def _parted(arrays: list[np.ndarray], slots: int) -> list[Sample]:
    columns = []
    for n in range(slots):
        lengths, values = arrays[2 * n : 2 * n + 2]
        columns.append(np.split(values, np.cumsum(lengths)[:-1]) if len(lengths) else [])
    return [list(row) for row in zip(*columns, strict=True)]


__all__ = ["InMemoryDataset", "QueueDataset"]

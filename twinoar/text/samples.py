"""Data sets whose samples a reader of `twinoar.dataset` gives, from a file of the user's or its
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from twinoar.dataset.common import own_files
from twinoar.errors import ArgumentError
from twinoar.io import Dataset

Path = str | PathLike[str]


class SampleDataset(Dataset):
    """Base of data sets that hold their samples: tuples of arrays."""

    MODES: ClassVar[Sequence[str]] = ("train", "test")

    samples: list[tuple[np.ndarray, ...]]

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return self.samples[idx]

    def __len__(self) -> int:
        return len(self.samples)

    def _checked_mode(self, mode: str) -> str:
        """`mode` in lower case; raises ArgumentError for one that the data set lacks."""
        chosen = str(mode).lower()
        if chosen not in self.MODES:
            raise ArgumentError(f"mode must be one of {', '.join(self.MODES)}, received {mode!r}")
        return chosen


def files_of(paths: Mapping[str, Path | None], download: bool) -> AbstractContextManager[None]:
    """While it lasts, the files that are named are read from `paths` where these are given."""
    given = {name: path for name, path in paths.items() if path is not None}
    return own_files(given, download)


def arrays_of(samples: Iterable[Sequence[Any]]) -> list[tuple[np.ndarray, ...]]:
    """Samples as tuples of arrays."""
    return [tuple(np.array(part) for part in sample) for sample in samples]


def check_size(name: str, size: int) -> None:
    """Raise ArgumentError unless the size of a dictionary is positive."""
    if size <= 0:
        raise ArgumentError(f"{name} must be positive, received {size}")

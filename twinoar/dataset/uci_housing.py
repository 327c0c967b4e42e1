"""Houses of Boston: samples (13 features, price), float64; features about 0, in a range of 1.

The first four fifths of the rows are to train with, the others to test with.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from twinoar.dataset.common import content
from twinoar.errors import FileError
from twinoar.reader import Reader

URL = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data"
MD5 = "d4accdce7a25600298819f8e28e8d593"
COLUMNS = 14
TRAINED_WITH = 0.8
feature_names = [
    "CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT",
]  # fmt: skip


def train() -> Reader:
    """A reader of the rows to train with. Raises FileError where there is no file."""
    rows = _rows()
    return _reader(rows[: int(len(rows) * TRAINED_WITH)])


def test() -> Reader:
    """A reader of the rows to test with. Raises FileError where there is no file."""
    rows = _rows()
    return _reader(rows[int(len(rows) * TRAINED_WITH) :])


def _rows() -> np.ndarray:
    numbers = np.array(content(URL, "uci_housing", MD5).split(), np.float64)
    if numbers.size % COLUMNS:
        raise FileError(f"housing.data must have rows of {COLUMNS} numbers, it has {numbers.size}")
    rows = numbers.reshape(-1, COLUMNS)
    features = rows[:, :-1]
    features -= features.mean(0)
    features /= features.max(0) - features.min(0)
    return rows


def _reader(rows: np.ndarray) -> Reader:
    def read() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for row in rows:
            yield row[:-1], row[-1:]

    return read


__all__ = ["feature_names", "test", "train"]

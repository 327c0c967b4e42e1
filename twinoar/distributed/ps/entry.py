"""Which rows a sparse table takes in, by an entry's text, and which it may drop again.

A row that is not taken in yet is zeros, and what is pushed to it is dropped.
"""

from __future__ import annotations

import numpy as np

from twinoar.distributed.ps.rows import mixed
from twinoar.errors import ArgumentError
from twinoar.late import dataclass

NONE, PROBABILITY, COUNT, SHOW_CLICK = (
    "none", "probability_entry", "count_filter_entry", "show_click_entry",
)  # fmt: skip
# The score of a row by which `shrink` keeps it, and how both counts fade: Paddle's CtrAccessor.
CLICK_WEIGHT, SHOWN_WEIGHT, DECAY, LEAST_SCORE = 1.0, 0.1, 0.98, 0.8


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry policy: its kind, its number, and the variables that it reads."""

    kind: str = NONE
    number: float = 0.0
    names: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Entry:
        """The policy that `EntryAttr._to_attr` tells. Raises ArgumentError for another text.

        >>> Entry.parse("count_filter_entry:3")
        Entry(kind='count_filter_entry', number=3.0, names=())
        """
        kind, _, rest = text.partition(":")
        if kind in (PROBABILITY, COUNT):
            return cls(kind, float(rest))
        if kind == SHOW_CLICK:
            return cls(kind, names=tuple(rest.split(":")))
        if text in ("", NONE):
            return cls()
        raise ArgumentError(
            f"no entry policy {text!r}", cure="use CountFilterEntry or another of distributed"
        )

    @property
    def waits(self) -> bool:
        """Whether a row may be seen and not be taken in."""
        return self.kind in (PROBABILITY, COUNT)

    def takes_in(self, ids: np.ndarray, sights: np.ndarray) -> np.ndarray:
        """Which rows are taken in at this sight. sights: [n], how often each was seen by now."""
        if self.kind == COUNT:
            return sights >= self.number
        if self.kind == PROBABILITY:  # drawn anew at each sight, the same in each run
            bits = mixed(mixed(ids.astype(np.uint64)) ^ sights.astype(np.uint64))
            return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53 < self.number
        return np.ones(ids.shape, bool)


def score(show: np.ndarray, click: np.ndarray) -> np.ndarray:
    """What a row is worth by how often it was shown and clicked."""
    return SHOWN_WEIGHT * (show - click) + CLICK_WEIGHT * click

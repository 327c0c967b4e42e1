"""Where ranks of one machine show each other the frames that go ahead of collectives.

They map a file that all can read. Each rank writes its frames there, one after the other in a
ring, and after each its number in the order of the group's calls, by which others see that it is
there: no message is made, and a small collective takes as long as a line of a cache does from core
to core.

A place is written again after `SLOTS` calls. By then all have read what was there: a frame that
nobody has waited for after half as many calls, that of a gradient which is on its way while others
come and go, is read before the next is written, and of so many calls one at least has been waited
for, which nobody can who has not come past the older one. So there may be at most `MOST_BEGUN` on
their way at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.backends.mpi.words import LATE, NEXT_FRAME, OWN_RANK, SLOT_BYTES, SLOTS, STARTS

RANK_BYTES = SLOTS * SLOT_BYTES
MOST_BEGUN = LATE - 56  # flights of a step, less than frames that may be late


class Board:
    """The words that native code knows a board by.

    rank: whose it is. starts: where the part of each rank lies in this process.
    """

    def __init__(self, rank: int, starts: Sequence[int]):
        words = np.zeros(STARTS + len(starts) + SLOTS, np.int64)
        words[NEXT_FRAME], words[OWN_RANK] = 1, rank  # memory that is zero has no frame 1
        words[STARTS : STARTS + len(starts)] = starts
        self.words = words

    @property
    def address(self) -> int:
        """Where they are."""
        return int(self.words.ctypes.data)

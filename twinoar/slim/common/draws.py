"""Random numbers of searches, which follow from `paddle.seed`."""

from __future__ import annotations

import numpy as np

from twinoar.core.interpreter import eager, using
from twinoar.ops.random.integers import randint

MOST = 2**31 - 1


def seeded() -> np.random.Generator:
    """Draws of their own that begin anew with `paddle.seed`, in eager and static mode alike.

    >>> _ = twinoar.seed(3)
    >>> first = seeded().integers(100)
    >>> _ = twinoar.seed(3)
    >>> bool(first == seeded().integers(100))
    True
    """
    with using(eager()):
        return np.random.default_rng(int(randint(0, MOST, [1]).item()))

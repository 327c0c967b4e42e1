"""Where the random numbers of data loading come from.

Shuffling draws from NumPy's global state, as Paddle's samplers do: `np.random.seed(0)` before a
loop makes its order reproducible, and each epoch goes on where the last one stopped. Workers get
seeds of their own, derived from that state without drawing from it, so the order of the samples
does not depend on the number of workers.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.random import mtrand

from twinoar.ops.random.uniform import generator


def epoch_generator() -> np.random.RandomState:
    """A generator on NumPy's global state: drawing from it is drawing from `np.random`.

    >>> np.random.seed(0)
    >>> epoch_generator().permutation(5).tolist()
    [2, 0, 1, 3, 4]
    """
    return np.random.RandomState(mtrand.get_bit_generator())


def worker_seeds(epoch: int, workers: int) -> list[int]:
    """One seed for each worker in epoch number `epoch`, from the state that NumPy is in now."""
    _, keys, position, *_ = np.random.get_state()
    entropy = [*np.asarray(keys)[:8].tolist(), int(position), epoch]
    children = np.random.SeedSequence(entropy).spawn(workers)
    return [int(child.generate_state(1, np.uint32)[0]) for child in children]


def seed_worker(seed: int) -> None:
    """Seed the generators of a worker: those of `np.random`, `random` and twinoar's operators.

    NumPy's gets a new bit generator: a thread may have held the lock of the old one when this
    process was forked.
    """
    mtrand.set_bit_generator(np.random.MT19937())
    np.random.seed(seed)
    random.seed(seed)
    generator.manual_seed(seed)

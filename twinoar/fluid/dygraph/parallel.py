"""Data parallel training by the names of Paddle 1.8, for the one process that there is."""

from __future__ import annotations

from typing import Any

from twinoar.distributed import data_parallel
from twinoar.distributed.world import ParallelEnv
from twinoar.nn.layer import Layer


def prepare_context(strategy: Any = None) -> ParallelEnv:
    """What to make a DataParallel with. Raises UnsupportedError where several processes train."""
    return ParallelEnv()


class DataParallel(data_parallel.DataParallel):
    """A Layer whose gradients are summed over processes; with one process, the Layer itself."""

    def __init__(self, layers: Layer, strategy: Any):
        super().__init__(layers, strategy)


__all__ = ["DataParallel", "ParallelEnv", "prepare_context"]

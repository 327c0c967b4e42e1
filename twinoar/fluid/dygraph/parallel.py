"""Data parallel training by the names of Paddle 1.8."""

from __future__ import annotations

from typing import Any

from twinoar.distributed import data_parallel
from twinoar.distributed.world import ParallelEnv, get_world_size, init_parallel_env
from twinoar.nn.layer import Layer


def prepare_context(strategy: Any = None) -> ParallelEnv:
    """What to make a DataParallel with, once this process has joined the others."""
    if get_world_size() > 1:
        init_parallel_env()
    return ParallelEnv()


class DataParallel(data_parallel.DataParallel):
    """A Layer whose gradients become means over processes after each backward.

    So `scale_loss` gives the loss back, and `apply_collective_grads` has nothing left to do.
    """

    def __init__(self, layers: Layer, strategy: Any):
        super().__init__(layers, strategy)


__all__ = ["DataParallel", "ParallelEnv", "prepare_context"]

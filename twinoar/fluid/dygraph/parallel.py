"""Data parallel training by the names of Paddle 1.8, for the one process that there is."""

from __future__ import annotations

import os
from typing import Any

from twinoar.errors import UnsupportedError
from twinoar.nn.layer import Layer


class ParallelEnv:
    """Which process this is: the only one.

    >>> ParallelEnv().nranks, ParallelEnv().local_rank
    (1, 0)
    """

    nranks, local_rank, dev_id = 1, 0, 0
    current_endpoint = ""
    trainer_endpoints: tuple[str, ...] = ()


def prepare_context(strategy: Any = None) -> ParallelEnv:
    """What to make a DataParallel with. Raises UnsupportedError where several processes train."""
    if int(os.environ.get("PADDLE_TRAINERS_NUM", "1")) > 1:
        raise UnsupportedError(
            "fluid.dygraph trains in one process", cure="start the script once, without launch"
        )
    return ParallelEnv()


class DataParallel(Layer):
    """A Layer whose gradients are summed over processes; with one process, the Layer itself."""

    def __init__(self, layers: Layer, strategy: Any):
        super().__init__(f"{layers.full_name()}_data_parallel")
        self._layers = layers

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the Layer computes."""
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """The loss over the number of processes, which is one."""
        return loss

    def apply_collective_grads(self) -> None:
        """Sum the gradients over the processes: there is one."""

    def state_dict(self, *args: Any, **kwargs: Any) -> dict:
        """The state of the Layer, by its own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> tuple[list[str], list[str]]:
        """Set the state of the Layer, by its own names."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict


__all__ = ["DataParallel", "ParallelEnv", "prepare_context"]

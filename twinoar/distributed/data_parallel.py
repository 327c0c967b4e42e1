"""DataParallel in one process: a network as it is, under the names that many processes need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.distributed.group import Group, member
from twinoar.errors import TypeMismatchError
from twinoar.nn.layer import Layer


class DataParallel(Layer):
    """`layers`, whose gradients all processes would add up: this version runs in one process.

    So what it computes, and its gradients, are those of `layers`. The other arguments say how
    gradients travel. Raises TypeMismatchError for what is no Layer, or no group.

    >>> import twinoar
    >>> network = twinoar.DataParallel(twinoar.nn.Linear(2, 3))
    >>> list(network.state_dict())
    ['weight', 'bias']
    """

    def __init__(
        self,
        layers: Layer,
        strategy: Any = None,
        comm_buffer_size: int = 25,
        last_comm_buffer_size: float = 1,
        find_unused_parameters: bool = False,
        group: Group | None = None,
    ):
        if not isinstance(layers, Layer):
            raise TypeMismatchError(
                f"DataParallel takes a Layer, received {type(layers).__name__}",
                cure="pass the network itself",
            )
        if group is not None:
            member(group)
        super().__init__(f"{layers.full_name()}_data_parallel")
        self._layers = layers
        self.find_unused_parameters, self.group = find_unused_parameters, group

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
        return self._layers(*inputs, **kwargs)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within the block gradients are not added up over processes: there is one."""
        yield

    def scale_loss(self, loss: Any) -> Any:
        """The loss: it is divided among processes, of which there is one."""
        return loss

    def init_reducer(self) -> None:
        """Make ready to add up gradients: there is nothing to add."""

    def apply_collective_grads(self) -> None:
        """Add up the gradients of all processes: there is one."""

    def state_dict(self, *args: Any, **kwargs: Any) -> dict:
        """The state of the layers, by their own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict

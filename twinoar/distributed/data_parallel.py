"""DataParallel: the same network in all processes, each with its part of the batch.

After each backward the gradients become their means over the processes, so that all of them take
the same step. They travel together, up to `comm_buffer_size` MB at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.autograd.after import after_backward
from twinoar.core.interpreter import recording, using
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, communicator_of, member
from twinoar.errors import ArgumentError, DistributedError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_together
from twinoar.ops.math.fill import zeros_of
from twinoar.runtime.collective import Communicator, current_world

MEGABYTE = 2**20


class DataParallel(Layer):
    """`layers`, whose gradients are the means over all processes after each backward.

    All processes make it, with networks of the same parameters; they begin with the values of the
    first process. find_unused_parameters: a parameter that a process has not used counts as one
    with zeros as its gradient; without it, processes that use different ones are an error.
    comm_buffer_size: MB of gradients that travel as one. group: the processes, all by default.
    strategy, last_comm_buffer_size: without effect. Raises TypeMismatchError for what is no Layer,
    or no group, DistributedError, on all processes, where their networks differ.

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
        if not comm_buffer_size > 0:
            raise ArgumentError(f"comm_buffer_size is {comm_buffer_size}, expected MB above 0")
        there = member(group)
        super().__init__(f"{layers.full_name()}_data_parallel")
        self._layers = layers
        self.find_unused_parameters, self.group = find_unused_parameters, group
        self._buffer_bytes = int(comm_buffer_size * MEGABYTE)
        self._averages = True
        self._number, self._world = there.id, current_world()
        if there.nranks > 1:
            share_state(layers, communicator_of(group), is_alone)
            after_backward(self._after_backward)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
        return self._layers(*inputs, **kwargs)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within the block gradients stay each process's own, and add up.

        The first backward after it takes the means of all that has been added up.
        """
        before, self._averages = self._averages, False
        try:
            yield
        finally:
            self._averages = before

    def _after_backward(self, here: Any, leaves: list) -> None:
        """Let the gradients of parameters among the leaves be their means over the processes."""
        if not self._averages or current_world() is not self._world:
            return
        changed = {id(x) for x in leaves}
        parameters = [p for p in self._layers.parameters() if not (p.stop_gradient or is_alone(p))]
        found = [id(p) in changed for p in parameters]
        if not any(found):
            return
        if here.runs:
            found = self._agreed(parameters, found)
        reached = [p for p, is_there in zip(parameters, found, strict=True) if is_there]
        with using(recording(False)):
            self._average(here, reached)

    def _average(self, here: Any, reached: Sequence[Any]) -> None:
        average_gradients(here, reached, self._number, self._buffer_bytes)

    def _agreed(self, parameters: Sequence[Any], found: list[bool]) -> list[bool]:
        """Which parameters have a gradient in any process.

        Raises DistributedError, in all of them, where it is not the same ones in each.
        """
        table = self._world.of(self._number).all_gather(np.array(found))
        either = np.asarray(table.any(0))
        if not self.find_unused_parameters and not table[:, either].all():
            position = int(np.argmax(either & ~table.all(0)))
            has, lacks = (np.flatnonzero(table[:, position] == t).tolist() for t in (True, False))
            raise DistributedError(
                f"the parameter {parameters[position].name} has a gradient on the ranks {has} and "
                f"none on {lacks}",
                cure="DataParallel(..., find_unused_parameters=True) counts none as zeros",
            )
        return [bool(x) for x in either]

    def scale_loss(self, loss: Any) -> Any:
        """The loss: gradients become means by themselves."""
        return loss

    def init_reducer(self) -> None:
        """Make ready to add up gradients: it is."""

    def apply_collective_grads(self) -> None:
        """Add up the gradients of all processes: each backward has done it."""

    def state_dict(self, *args: Any, **kwargs: Any) -> dict:
        """The state of the layers, by their own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict


def is_alone(parameter: Any) -> bool:
    """Whether a parameter is another one on each process, such as an expert's: `no_sync`."""
    return bool(getattr(parameter, "no_sync", False))


def average_gradients(here: Any, parameters: Sequence[Any], group: int, buffer_bytes: int) -> None:
    """Let the gradients of parameters be their means over the ranks of a group, by its number.

    The last come first, as they are there first. A parameter without a gradient has zeros.
    """
    held = [(p, here.gradients.read(here, p)) for p in reversed(parameters)]
    pairs = [(p, zeros_of(p.spec) if g is None else g) for p, g in held]
    for bucket in buckets([g for _, g in pairs], buffer_bytes):
        found = all_reduce_together(tuple(pairs[i][1] for i in bucket), group)
        means = found if isinstance(found, tuple) else (found,)
        for i, mean in zip(bucket, means, strict=True):
            here.gradients.set(here, pairs[i][0], mean)


def buckets(tensors: Sequence[Tensor], limit_bytes: int) -> list[list[int]]:
    """Positions of tensors that travel as one: of one dtype, up to so many bytes.

    >>> a, b = twinoar.zeros([4]), twinoar.zeros([4], "float64")
    >>> buckets([a, b, a, a], 32)
    [[0, 2], [3], [1]]
    """
    made: dict[str, list[list[int]]] = {}
    filled: dict[str, int] = {}
    for position, x in enumerate(tensors):
        size, name = x.dtype.itemsize * int(np.prod(x.shape)), x.dtype.name
        own = made.setdefault(name, [])
        if not own or filled[name] + size > limit_bytes:
            own.append([])
            filled[name] = 0
        own[-1].append(position)
        filled[name] += size
    return [bucket for own in made.values() for bucket in own]


def share_state(
    layers: Layer, there: Communicator, is_own: Callable[[Any], bool] | None = None
) -> None:
    """Give the parameters and buffers of all ranks the values of the first.

    is_own: what each rank keeps as it is. Raises DistributedError, on all ranks, where their names,
    shapes or dtypes differ.
    """
    state = [
        (name, x)
        for name, x in (*layers.named_parameters(), *layers.named_buffers())
        if is_own is None or not is_own(x)
    ]
    own = [f"{name}: {x.dtype.name}{x.shape}" for name, x in state]
    for rank, other in zip(there.ranks, there.all_gather_object(own), strict=True):
        _check_equal(own, other, there.ranks[there.rank], rank)
    for bucket in buckets([x for _, x in state], 25 * MEGABYTE):
        arrays = [state[i][1].numpy() for i in bucket]
        flat = there.broadcast(np.concatenate([a.reshape(-1) for a in arrays]), 0)
        if there.rank:
            parts = np.split(flat, np.cumsum([a.size for a in arrays])[:-1])
            for i, part, array in zip(bucket, parts, arrays, strict=True):
                state[i][1].set_value(part.reshape(array.shape))


def _check_equal(own: list[str], other: list[str], rank: int, another: int) -> None:
    for mine, theirs in zip([*own, "nothing"], [*other, "nothing"], strict=False):
        if mine != theirs:
            raise DistributedError(
                f"the networks of the ranks differ: rank {rank} has {mine}, rank {another} has "
                f"{theirs}",
                cure="build the same network in all processes",
            )


__all__ = ["DataParallel"]

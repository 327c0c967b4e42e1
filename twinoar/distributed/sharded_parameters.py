"""A network of which each rank has a part of every parameter, gradient and moment.

Parameters lie on a mesh of the ranks, cut along a dimension that their number divides. Whoever
needs one whole, in the forward pass and again in the backward pass, puts it together for that call
alone; gradients are summed up to the part that each rank updates, after each backward. What goes in
and comes out are ordinary tensors: each rank's part of the batch.
"""

from __future__ import annotations

from typing import Any

from twinoar.autograd.after import after_backward
from twinoar.autograd.py_layer import PyLayer
from twinoar.core.interpreter import current, recording, using
from twinoar.core.tree import flatten, map_leaves
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.parts import dtensor_from_local, dtensor_to_local
from twinoar.distributed.auto_parallel.placement import Replicate, Shard
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh
from twinoar.distributed.auto_parallel.sharding import marked, reshard, unshard_dtensor
from twinoar.distributed.auto_parallel.training import ShardingStage3, shard_layer, shard_optimizer
from twinoar.distributed.data_parallel import share_state
from twinoar.distributed.group import Group, communicator_of, member, world_group
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer
from twinoar.runtime.collective import current_world

DIMENSION = "sharding"  # the name of the mesh's only one


class _MeanOverRanks(PyLayer):
    """x, whose gradient is one of `count`: losses of ranks are means of their own batches."""

    @staticmethod
    def forward(ctx: Any, x: Any, count: int) -> Any:
        ctx.count = count
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g / ctx.count


def mesh_of(group: Group | None) -> ProcessMesh:
    """The ranks of a group, which are all, as a mesh. Raises UnsupportedError for fewer."""
    there = member(group)
    if there.ranks != world_group().ranks:
        raise UnsupportedError(
            f"parameters divided among the ranks {there.ranks} of {world_group().nranks}",
            cure="leave out group: all ranks divide them",
        )
    return ProcessMesh(there.ranks, dim_names=[DIMENSION])


def divide_parameters(layers: Layer, mesh: ProcessMesh) -> None:
    """Let the parameters of a network lie on a mesh, cut where it divides a dimension."""
    stage = ShardingStage3(DIMENSION, mesh)
    for p in layers.parameters():
        if p.placements is None:
            marked(p, mesh, stage.placements(mesh, p))
    shard_layer(layers, mesh)


class DividedGradients:
    """What sums up the gradients of a network to the part that each rank has of its parameter."""

    def __init__(self, layers: Layer, mesh: ProcessMesh):
        self._layers, self._mesh, self._world = layers, mesh, current_world()
        after_backward(self._divide)

    def _divide(self, here: Any, leaves: list) -> None:
        if current_world() is not self._world or not here.runs:
            return
        changed = {id(x) for x in leaves}
        with using(recording(False)):
            for p in self._layers.parameters():
                grad = here.gradients.read(here, p) if id(p) in changed else None
                if grad is not None and grad.placements not in (None, p.placements):
                    here.gradients.set(here, p, reshard(grad, self._mesh, p.placements))


def divide_moments(optimizer: Optimizer, mesh: ProcessMesh) -> None:
    """Let the moments of an optimizer lie as the parameters of `divide_parameters` do.

    Raises UnsupportedError for one that has stepped.
    """
    if optimizer.has_stepped:
        raise UnsupportedError(
            "an optimizer that has stepped has the moments of all parameters",
            cure="divide it among ranks before its first step",
        )
    shard_optimizer(optimizer, ShardingStage3(DIMENSION, mesh))
    optimizer.overflow_of_all = whole  # type: ignore[attr-defined]  # a GradScaler asks for it


def on_mesh(inputs: Any, mesh: ProcessMesh) -> Any:
    """Tensors of which each rank has its rows, as tensors on the mesh. Raises UnsupportedError."""
    if not current().runs:
        raise UnsupportedError(
            "a trace of a network whose parameters are divided, on each rank's own batch",
            cure='parallelize(..., {"dp_config": {"sharding_level": 3}}) is compiled, too',
        )

    def place(x: Any) -> Any:
        is_own = isinstance(x, Tensor) and x.ndim > 0 and x.placements is None
        return dtensor_from_local(x, mesh, [Shard(0)]) if is_own else x

    return map_leaves(place, inputs)


def off_mesh(outputs: Any, mesh: ProcessMesh, inputs: Any) -> Any:
    """What each rank has of tensors whose rows are those of the batch; others whole.

    How a result lies does not say: where a batch is small it is put together, and weights are not.
    So what has as many rows as an input, or some for each of them, counts as a batch.
    """
    leaves = [x for x in flatten(inputs)[0] if isinstance(x, Tensor) and x.ndim > 0]
    rows = {int(x.shape[0]) * (mesh.size if x.placements is None else 1) for x in leaves}

    def take(x: Any) -> Any:
        if not isinstance(x, Tensor) or x.placements is None:
            return x
        is_batch = x.ndim > 0 and any(n and x.shape[0] % n == 0 for n in rows)
        if is_batch or x.placements[0] == Shard(0):
            return _MeanOverRanks.apply(dtensor_to_local(x, mesh, [Shard(0)]), mesh.size)
        return dtensor_to_local(x, mesh, [Replicate()])

    return map_leaves(take, outputs)


class ShardedParameters(Layer):
    """`layers`, of which each rank of a group has a part; all ranks begin with those of the first.

    Each gives its rows of the batch, as many as the others, and gets its rows of the result.
    Statistics of batches are those of all ranks. Raises TypeMismatchError for what is no Layer.
    """

    def __init__(self, layers: Layer, group: Group | None = None):
        if not isinstance(layers, Layer):
            raise TypeMismatchError(f"expected a Layer, received {type(layers).__name__}")
        super().__init__(f"{layers.full_name()}_sharded")
        self.mesh = mesh_of(group)
        share_state(layers, communicator_of(group))
        divide_parameters(layers, self.mesh)
        self._gradients = DividedGradients(layers, self.mesh)
        self._layers = layers

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
        given, named = on_mesh((list(inputs), kwargs), self.mesh)
        return off_mesh(self._layers(*given, **named), self.mesh, (given, named))

    def state_dict(self, *args: Any, **kwargs: Any) -> dict:
        """The state of the layers, by their own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict


def whole(state: Any) -> Any:
    """A state with ordinary tensors in place of those on a mesh; all ranks call it."""

    def join(x: Any) -> Any:
        is_divided = isinstance(x, Tensor) and getattr(x, "placements", None) is not None
        return unshard_dtensor(x) if is_divided else x

    return map_leaves(join, state)

"""Tensors on a mesh of processes: each keeps a part, and the tensor knows how it lies.

What one does with them is what one does with any tensor: see `machine`. In one process a tensor is
whole, and remembers how it was said to lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.device import to_host
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.machine import (
    device_of_mesh,
    is_alone,
    is_here,
    lies_of,
    placed,
)
from twinoar.distributed.auto_parallel.placement import Placement, Replicate, Shard
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, as_mesh
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.ops.create.fill import clone


class DistAttr:
    """A mesh, and for each dimension of a tensor the name of the mesh's, or None."""

    def __init__(self, mesh: ProcessMesh, sharding_specs: Sequence[str | None]):
        self.process_mesh, self.sharding_specs = as_mesh(mesh), list(sharding_specs)
        for name in self.sharding_specs:
            if name is not None and name not in mesh.dim_names:
                raise ArgumentError(f"no dimension {name!r}, there are {mesh.dim_names}")


def shard_tensor(
    data: Any,
    mesh: ProcessMesh,
    placements: Sequence[Placement],
    dtype: Any = None,
    place: Any = None,
    stop_gradient: bool | None = None,
) -> Tensor:
    """A tensor of which each process of a mesh keeps its part; a parameter becomes one itself.

    data: the whole, on every process. placements: for each dimension of the mesh, Replicate where
    it lacks. All processes call it, those outside the mesh too. Raises ArgumentError,
    TypeMismatchError; UnsupportedError for a mesh of processes that there are not.

    >>> from twinoar.distributed import ProcessMesh, Shard
    >>> x = shard_tensor([[1.0, 2.0]], ProcessMesh([0], ["x"]), [Shard(0)])
    >>> x.tolist(), x.placements
    ([[1.0, 2.0]], [Shard(dim=0)])
    """
    as_mesh(mesh)
    if getattr(data, "is_parameter", False):
        return marked(data, mesh, placements)
    if isinstance(data, Tensor):
        made = data.detach().clone() if dtype is None else data.detach().astype(dtype)
        made.stop_gradient = data.stop_gradient if stop_gradient is None else stop_gradient
    else:
        made = to_tensor(data, dtype, place, stop_gradient is None or stop_gradient)
    return marked(made, mesh, placements)


def marked(tensor: Any, mesh: ProcessMesh, placements: Sequence[Placement]) -> Any:
    """The tensor, which from now on lies on the mesh and says how."""
    given = checked(placements, mesh, tensor.ndim)
    if is_alone(mesh):
        tensor._lying = mesh, given
    else:
        tensor._data = placed(tensor._data, device_of_mesh(mesh), lies_of(given))
    return tensor


def checked(placements: Sequence[Placement], mesh: ProcessMesh, ndim: int) -> list[Placement]:
    """A placement for each dimension of the mesh, with dimensions counted from 0."""
    given = list(placements)
    if len(given) > mesh.ndim:
        raise ArgumentError(f"{len(given)} placements for a mesh of {mesh.ndim} dimensions")
    for n, placement in enumerate(given):
        if not isinstance(placement, Placement):
            raise TypeMismatchError(
                f"placements: expected Shard, Replicate or Partial, received "
                f"{type(placement).__name__}"
            )
        if isinstance(placement, Shard):
            dim = placement.get_dim()
            if not -ndim <= dim < ndim:
                raise ArgumentError(f"{placement} of a tensor of {ndim} dimensions")
            given[n] = Shard(dim % ndim)
    return given + [Replicate()] * (mesh.ndim - len(given))


def dtensor_from_fn(
    fn: Callable[..., Tensor],
    mesh: ProcessMesh,
    placements: Sequence[Placement],
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """What `fn(*args, **kwargs)` makes, on a mesh."""
    return shard_tensor(fn(*args, **kwargs), mesh, placements)


def reshard(dist_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]) -> Tensor:
    """The tensor, lying in another way, or on another mesh. The gradient flows through.

    All processes of the mesh call it; where the mesh is another one, all there are. In a Program,
    where how things lie is decided when it runs, it is the tensor.
    """
    if not isinstance(dist_tensor, EagerTensor):
        return clone(dist_tensor)
    given = checked(placements, as_mesh(mesh), dist_tensor.ndim)
    if is_alone(mesh):
        return marked(clone(dist_tensor), mesh, given)
    data = placed(dist_tensor._data, device_of_mesh(mesh), lies_of(given))
    if not is_here(dist_tensor._data):  # what comes from other processes has its history there
        return EagerTensor(data, dist_tensor.stop_gradient)
    return with_data(clone(dist_tensor), data)


def unshard_dtensor(dist_tensor: Tensor) -> Tensor:
    """The whole of a tensor that lies on a mesh, as an ordinary tensor on each process."""
    if not isinstance(dist_tensor, EagerTensor):
        return clone(dist_tensor)
    return with_data(clone(dist_tensor), to_host(dist_tensor._data))


def with_data(x: Any, data: Any) -> Any:
    """A tensor whose elements lie otherwise from now on; its history is what it was."""
    x._data = data
    return x


def shard_op(op: Callable[..., Any], process_mesh: Any = None, *args: Any, **kwargs: Any) -> Any:
    """A function whose operands processes divide: itself, as they do that by how operands lie."""
    if process_mesh is not None:
        as_mesh(process_mesh)
    return op


def in_auto_parallel_align_mode() -> bool:
    """False."""
    return False


def enable_auto_dp() -> None:
    """Divide batches among processes: there is one."""


__all__ = declared(globals())

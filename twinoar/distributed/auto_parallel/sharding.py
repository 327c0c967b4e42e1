"""Tensors on a mesh of one process: each is whole, and remembers how it was said to lie."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.placement import Placement, Replicate
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, as_mesh, check_alone
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.io import DataLoader
from twinoar.nn.layer import Layer
from twinoar.ops.create.fill import clone
from twinoar.optimizer import Optimizer


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
    """A tensor whose parts lie on a mesh: of one process, so a copy of it; a parameter is itself.

    placements: for each dimension of the mesh. Raises UnsupportedError for a mesh of other ranks,
    ArgumentError, TypeMismatchError.

    >>> from twinoar.distributed import ProcessMesh, Shard
    >>> x = shard_tensor([[1.0, 2.0]], ProcessMesh([0], ["x"]), [Shard(0)])
    >>> x.tolist(), x.placements
    ([[1.0, 2.0]], [Shard(dim=0)])
    """
    check_alone(mesh)
    if getattr(data, "is_parameter", False):
        return _marked(data, mesh, placements)
    if isinstance(data, Tensor):
        made = data.detach().clone() if dtype is None else data.detach().astype(dtype)
        made.stop_gradient = data.stop_gradient if stop_gradient is None else stop_gradient
    else:
        made = to_tensor(data, dtype, place, stop_gradient is None or stop_gradient)
    return _marked(made, mesh, placements)


def _marked(tensor: Any, mesh: ProcessMesh, placements: Sequence[Placement]) -> Any:
    """The tensor, which from now on says how it lies."""
    given = list(placements)
    for placement in given:
        if not isinstance(placement, Placement):
            raise TypeMismatchError(
                f"placements: expected Shard, Replicate or Partial, received "
                f"{type(placement).__name__}"
            )
        if placement.is_shard() and not -tensor.ndim <= placement.get_dim() < tensor.ndim:  # type: ignore[attr-defined]
            raise ArgumentError(f"{placement} of a tensor of {tensor.ndim} dimensions")
    if len(given) > mesh.ndim:
        raise ArgumentError(f"{len(given)} placements for a mesh of {mesh.ndim} dimensions")
    tensor.process_mesh = mesh
    tensor.placements = given + [Replicate()] * (mesh.ndim - len(given))
    return tensor


def dtensor_from_fn(
    fn: Callable[..., Tensor],
    mesh: ProcessMesh,
    placements: Sequence[Placement],
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """What `fn(*args, **kwargs)` makes, on a mesh."""
    return shard_tensor(fn(*args, **kwargs), mesh, placements)


def dtensor_from_local(
    local_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]
) -> Tensor:
    """The tensor whose part of this process is given: of one process, the part."""
    return _marked(clone(local_tensor), check_alone(mesh), placements)


def reshard(dist_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]) -> Tensor:
    """A tensor that lies in another way: of one process, a copy. The gradient flows through."""
    return _marked(clone(dist_tensor), check_alone(mesh), placements)


def unshard_dtensor(dist_tensor: Tensor) -> Tensor:
    """The whole of a tensor that lies on a mesh: of one process, a copy."""
    return clone(dist_tensor)


def shard_layer(
    layer: Layer,
    process_mesh: ProcessMesh,
    shard_fn: Callable[..., Any] | None = None,
    input_fn: Callable[..., Any] | None = None,
    output_fn: Callable[..., Any] | None = None,
) -> Layer:
    """A layer whose parameters lie on a mesh: itself.

    shard_fn(name, sublayer, mesh): says how each layer's parameters lie, otherwise each process has
    them. input_fn(inputs, mesh), output_fn(outputs, mesh): change what goes in and comes out.
    """
    if not isinstance(layer, Layer):
        raise TypeMismatchError(f"shard_layer takes a Layer, received {type(layer).__name__}")
    mesh = check_alone(process_mesh)
    for name, sublayer in layer.named_sublayers(include_self=True):
        if shard_fn is not None:
            shard_fn(name, sublayer, mesh)
    for parameter in layer.parameters():
        if getattr(parameter, "placements", None) is None:
            _marked(parameter, mesh, [])
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, inputs, outputs: output_fn(outputs, mesh))
    return layer


class ShardingStage1:
    """Moments that processes would divide: `shard_fn` of `shard_optimizer`."""

    def __init__(self, sharding_mesh_dim: int | str, mesh: ProcessMesh | None = None):
        self.sharding_mesh_dim, self.mesh = sharding_mesh_dim, mesh
        if mesh is not None:
            check_alone(mesh).get_dim_size(sharding_mesh_dim)


class ShardingStage2(ShardingStage1):
    """Moments and gradients that processes would divide."""


class ShardingStage3(ShardingStage1):
    """Moments, gradients and parameters that processes would divide."""


def shard_optimizer(
    optimizer: Optimizer,
    shard_fn: Callable[..., Any] | ShardingStage1 | None = None,
    gradient_accumulation_steps: int = 1,
) -> Optimizer:
    """An optimizer whose moments processes would divide: itself.

    Raises UnsupportedError for gradient_accumulation_steps above 1.
    """
    if not isinstance(optimizer, Optimizer):
        raise TypeMismatchError(f"expected an optimizer, received {type(optimizer).__name__}")
    if gradient_accumulation_steps != 1:
        raise UnsupportedError(
            f"gradient_accumulation_steps is {gradient_accumulation_steps}",
            cure="call backward() several times before step()",
        )
    return optimizer


def shard_scaler(scaler: Any) -> Any:
    """A GradScaler that processes share: itself."""
    return scaler


def shard_dataloader(
    dataloader: DataLoader,
    meshes: ProcessMesh | Sequence[ProcessMesh],
    input_keys: Sequence[str] | None = None,
    shard_dims: Any = None,
    is_dataset_splitted: bool = False,
    dense_tensor_idx: Any = None,
) -> DataLoader:
    """A DataLoader whose batches processes would divide: itself."""
    for mesh in [meshes] if isinstance(meshes, ProcessMesh) else meshes:
        check_alone(mesh)
    return dataloader


def shard_op(op: Callable[..., Any], process_mesh: Any = None, *args: Any, **kwargs: Any) -> Any:
    """A function whose operands processes would divide: itself."""
    if process_mesh is not None:
        check_alone(process_mesh)
    return op


def local_map(
    func: Callable[..., Any],
    out_placements: Sequence[Any],
    in_placements: Sequence[Any] | None = None,
    process_mesh: ProcessMesh | None = None,
    reshard_inputs: bool = False,
) -> Callable[..., Any]:
    """A function of the parts of tensors, as one of the tensors, which are the same here."""
    if process_mesh is not None:
        check_alone(process_mesh)

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return mapped


class LocalLayer(Layer):
    """Base of layers that compute with the parts of tensors: of one process, the tensors."""

    def __init__(
        self,
        out_dist_attrs: Sequence[Any],
        grad_dist_attrs: Sequence[Any] = (),
    ):
        super().__init__()
        self.out_dist_attrs, self.grad_dist_attrs = out_dist_attrs, grad_dist_attrs
        for mesh, _ in out_dist_attrs:
            check_alone(mesh)


def in_auto_parallel_align_mode() -> bool:
    """False."""
    return False


def enable_auto_dp() -> None:
    """Divide batches among processes: there is one."""


__all__ = declared(globals())

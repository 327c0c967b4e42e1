"""Layers, optimizers and batches on a mesh of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.core.tree import map_leaves
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.machine import is_alone
from twinoar.distributed.auto_parallel.parts import dtensor_from_local
from twinoar.distributed.auto_parallel.placement import Placement, Replicate, Shard
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, as_mesh, get_mesh
from twinoar.distributed.auto_parallel.sharding import marked
from twinoar.distributed.world import get_rank
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.io import (
    BatchSampler,
    DataLoader,
    DistributedBatchSampler,
    RandomSampler,
    SequenceSampler,
)
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer


def shard_layer(
    layer: Layer,
    process_mesh: ProcessMesh,
    shard_fn: Callable[..., Any] | None = None,
    input_fn: Callable[..., Any] | None = None,
    output_fn: Callable[..., Any] | None = None,
) -> Layer:
    """A layer whose parameters and buffers lie on a mesh: itself.

    shard_fn(name, sublayer, mesh): says how each layer's parameters lie, otherwise each process has
    them. input_fn(inputs, mesh), output_fn(outputs, mesh): change what goes in and comes out.
    """
    if not isinstance(layer, Layer):
        raise TypeMismatchError(f"shard_layer takes a Layer, received {type(layer).__name__}")
    mesh = as_mesh(process_mesh)
    for name, sublayer in layer.named_sublayers(include_self=True):
        if shard_fn is not None:
            shard_fn(name, sublayer, mesh)
    for x in (*layer.parameters(), *layer.buffers()):
        if x.placements is None:
            marked(x, mesh, [])
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, inputs, outputs: output_fn(outputs, mesh))
    return layer


class ShardingStage1:
    """Moments that the processes along a dimension of a mesh divide: `shard_fn` of an optimizer.

    sharding_mesh_dim: its name or number. mesh: by default that on which a parameter lies.
    """

    divides_parameters = False

    def __init__(self, sharding_mesh_dim: int | str, mesh: ProcessMesh | None = None):
        self.sharding_mesh_dim, self.mesh = sharding_mesh_dim, mesh
        if mesh is not None:
            as_mesh(mesh).get_dim_size(sharding_mesh_dim)

    def __call__(self, key: str, param: Any, accumulator: Any) -> Any:
        """The moment `key` of a parameter, divided."""
        mesh = self.mesh or param.process_mesh or get_mesh()
        if mesh is None or accumulator.ndim == 0 or accumulator.shape != param.shape:
            return accumulator
        return marked(accumulator, mesh, self.placements(mesh, param))

    def placements(self, mesh: ProcessMesh, param: Any) -> list[Placement]:
        """How what belongs to a parameter lies: as it does, and cut along the dimension."""
        found = list(param.placements or [Replicate()] * mesh.ndim)
        at, count = mesh.axis_of(self.sharding_mesh_dim), mesh.get_dim_size(self.sharding_mesh_dim)
        taken = {p.get_dim() for p in found if isinstance(p, Shard)}
        free = (d for d, n in enumerate(param.shape) if d not in taken and n % count == 0)
        dim = next(free, None)
        if dim is not None and found[at].is_replicated():
            found[at] = Shard(dim)
        return found


class ShardingStage2(ShardingStage1):
    """Moments that processes divide; gradients are summed up to the part that each needs."""


class ShardingStage3(ShardingStage1):
    """Moments, gradients and parameters that processes divide."""

    divides_parameters = True


def shard_optimizer(
    optimizer: Optimizer,
    shard_fn: Callable[..., Any] | ShardingStage1 | None = None,
    gradient_accumulation_steps: int = 1,
) -> Optimizer:
    """An optimizer whose moments lie as `shard_fn(key, param, moment)` says: itself.

    By default they lie as their parameters do. Raises UnsupportedError for
    gradient_accumulation_steps above 1, ArgumentError after the first step.
    """
    if not isinstance(optimizer, Optimizer):
        raise TypeMismatchError(f"expected an optimizer, received {type(optimizer).__name__}")
    if gradient_accumulation_steps != 1:
        raise UnsupportedError(
            f"gradient_accumulation_steps is {gradient_accumulation_steps}",
            cure="call backward() several times before step()",
        )
    if shard_fn is None:
        return optimizer
    if isinstance(shard_fn, ShardingStage1) and shard_fn.divides_parameters:
        for param in optimizer._parameter_list or ():
            mesh = shard_fn.mesh or param.process_mesh or get_mesh()
            if mesh is not None:
                marked(param, mesh, shard_fn.placements(mesh, param))
    optimizer._memory.place_by(shard_fn)
    return optimizer


def shard_scaler(scaler: Any) -> Any:
    """A GradScaler that processes share: itself, as what it asks of gradients is asked of all."""
    return scaler


class ShardDataloader:
    """Batches of a DataLoader of which each process loads its part, as tensors on a mesh.

    Made by `shard_dataloader`.
    """

    def __init__(
        self,
        loader: DataLoader,
        meshes: Sequence[ProcessMesh],
        keys: Sequence[str] | None,
        dims: Sequence[int | str | None],
    ):
        self._loader, self._meshes, self._keys, self._dims = loader, meshes, keys, dims
        self.batch_sampler = loader.batch_sampler

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        for batch in self._loader:
            if isinstance(batch, dict):
                keys = list(self._keys or batch)
                yield {k: self._placed(batch[k], n) for n, k in enumerate(keys)}
            elif isinstance(batch, tuple | list):
                yield type(batch)(self._placed(x, n) for n, x in enumerate(batch))
            else:
                yield self._placed(batch, 0)

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def _placed(self, value: Any, n: int) -> Any:
        mesh = self._meshes[min(n, len(self._meshes) - 1)]
        dim = self._dims[min(n, len(self._dims) - 1)]

        def place(x: Any) -> Any:
            if not isinstance(x, Tensor):
                return x
            places: list[Placement] = [Replicate() for _ in range(mesh.ndim)]
            if dim is not None:
                places[mesh.axis_of(dim)] = Shard(0)
            return dtensor_from_local(x, mesh, places)

        return map_leaves(place, value)


def shard_dataloader(
    dataloader: DataLoader,
    meshes: ProcessMesh | Sequence[ProcessMesh],
    input_keys: Sequence[str] | None = None,
    shard_dims: Any = None,
    is_dataset_splitted: bool = False,
    dense_tensor_idx: Any = None,
) -> Any:
    """A DataLoader whose batches lie on a mesh, cut along `shard_dims` of it.

    meshes, shard_dims: one for all inputs of a batch, or one for each. is_dataset_splitted: whether
    the loader gives each process its own samples already; otherwise it is divided, so that one
    batch of it is one for all of them. Raises ArgumentError, TypeMismatchError.
    """
    chosen = [as_mesh(m) for m in ([meshes] if isinstance(meshes, ProcessMesh) else meshes)]
    dims = list(shard_dims) if isinstance(shard_dims, tuple | list) else [shard_dims]
    if all(is_alone(mesh) for mesh in chosen):
        return dataloader
    counts = {
        mesh.get_dim_size(dim)
        for mesh, dim in zip(chosen * len(dims), dims, strict=False)
        if dim is not None
    }
    if len(counts) > 1:
        raise ArgumentError(f"inputs are cut into different numbers of parts, {sorted(counts)}")
    if counts and not is_dataset_splitted:
        dim = next(d for d in dims if d is not None)
        dataloader = _divided(dataloader, chosen[0], dim)
    return ShardDataloader(dataloader, chosen, input_keys, dims)


def _divided(loader: DataLoader, mesh: ProcessMesh, dim: int | str) -> DataLoader:
    """The same loader, of which this process takes its share of each batch."""
    sampler, count = loader.batch_sampler, mesh.get_dim_size(dim)
    plain = type(sampler) is BatchSampler and type(sampler.sampler) in (
        SequenceSampler,
        RandomSampler,
    )
    if not plain:
        raise ArgumentError(
            "the loader has a sampler of its own, whose order processes cannot share",
            cure="let it give each process its own samples, and pass is_dataset_splitted=True",
        )
    if sampler.batch_size % count:
        raise ArgumentError(
            f"{count} processes cannot share batches of {sampler.batch_size} equally",
            cure="give it a batch_size that they divide, or pass is_dataset_splitted=True",
        )
    own = DistributedBatchSampler(
        loader.dataset,
        sampler.batch_size // count,
        count,
        mesh.get_rank_by_dim_and_process_id(dim, get_rank()),
        shuffle=sampler.shuffle,
        drop_last=sampler.drop_last,
    )
    return DataLoader(
        loader.dataset,
        batch_sampler=own,
        collate_fn=loader.collate_fn,
        num_workers=loader.num_workers,
    )


__all__ = declared(globals())

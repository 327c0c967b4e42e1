"""Between tensors on a mesh and the parts of them that processes compute with as they like."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.autograd.py_layer import PyLayer
from twinoar.core.public import declared
from twinoar.core.tree import map_leaves
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.machine import (
    Sharded,
    device_of_mesh,
    is_alone,
    joined,
    lies_of,
    local_of,
    placed,
)
from twinoar.distributed.auto_parallel.placement import Placement
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh
from twinoar.distributed.auto_parallel.sharding import checked, marked, reshard
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.ops.create.fill import clone

Placements = Sequence[Placement]


class _ToLocal(PyLayer):
    """The part of a tensor; its gradient is the tensor whose parts the gradients are."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.lies, ctx.device = x._data.lies, x._data.device
        return EagerTensor(local_of(x._data))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        lies = [None if isinstance(lie, str) else lie for lie in ctx.lies]
        return EagerTensor(joined(g._data, ctx.device, lies))


class _FromLocal(PyLayer):
    """The tensor whose parts are given; their gradients are the parts of its gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any, device: Any, lies: Any) -> Any:
        ctx.lies, ctx.device = lies, device
        return EagerTensor(joined(x._data, device, lies))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        lies = [None if isinstance(lie, str) else lie for lie in ctx.lies]
        return EagerTensor(placed(g._data, ctx.device, lies).local)


def dtensor_from_local(local_tensor: Tensor, mesh: ProcessMesh, placements: Placements) -> Tensor:
    """The tensor of which each process gives its part. The gradient flows to the parts.

    Raises ArgumentError, on all processes, where parts are not as long as `shard_tensor` would cut
    them: the first processes have as much as any, the last what is left.
    """
    if is_alone(mesh):
        return marked(clone(local_tensor), mesh, placements)
    given = lies_of(checked(placements, mesh, local_tensor.ndim))
    return _FromLocal.apply(local_tensor, device_of_mesh(mesh), given)


def dtensor_to_local(
    dist_tensor: Tensor, mesh: ProcessMesh | None = None, placements: Placements | None = None
) -> Tensor:
    """The part of a tensor that this process has, first lying as `placements`, where given."""
    if placements is not None:
        dist_tensor = reshard(dist_tensor, mesh or dist_tensor.process_mesh, placements)
    if not isinstance(getattr(dist_tensor, "_data", None), Sharded):
        return clone(dist_tensor)
    return _ToLocal.apply(dist_tensor)


def local_map(
    func: Callable[..., Any],
    out_placements: Sequence[Placements | None],
    in_placements: Sequence[Placements | None] | None = None,
    process_mesh: ProcessMesh | None = None,
    reshard_inputs: bool = False,
) -> Callable[..., Any]:
    """A function of parts, as one of tensors on a mesh.

    out_placements: how each result lies, None for what is none. in_placements: how each argument
    has to lie; with `reshard_inputs` those that do not are moved. Raises ArgumentError for one that
    lies otherwise, or where no argument, nor `process_mesh`, says which mesh it is.
    """

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        wanted = list(in_placements or [None] * len(args))
        meshes = [x.process_mesh for x in args if getattr(x, "process_mesh", None) is not None]
        mesh = process_mesh or next(iter(meshes), None)
        if mesh is None:
            raise ArgumentError("no argument lies on a mesh", cure="pass process_mesh")
        given = [
            _part(x, mesh, places, reshard_inputs)
            for x, places in zip(args, wanted + [None] * (len(args) - len(wanted)), strict=True)
        ]
        found = func(*given, **kwargs)
        results = found if isinstance(found, tuple | list) else (found,)
        if len(results) != len(out_placements):
            raise ArgumentError(f"{len(out_placements)} out_placements, {len(results)} results")
        made = tuple(
            x if places is None else dtensor_from_local(x, mesh, places)
            for x, places in zip(results, out_placements, strict=True)
        )
        return made if isinstance(found, tuple | list) else made[0]

    return mapped


def _part(x: Any, mesh: ProcessMesh, places: Placements | None, may_move: bool) -> Any:
    if getattr(x, "process_mesh", None) is None:
        return x
    if places is not None and list(places) != list(x.placements):
        if not may_move:
            raise ArgumentError(
                f"an argument lies as {x.placements}, expected {list(places)}",
                cure="pass reshard_inputs=True, or call reshard before",
            )
        x = reshard(x, mesh, places)
    return dtensor_to_local(x)


class LocalLayer(Layer):
    """Base of layers that compute with parts: arguments come as parts, results lie as is said.

    out_dist_attrs: for each result a mesh and placements. grad_dist_attrs: of gradients, which lie
    as the results do.
    """

    def __init__(self, out_dist_attrs: Sequence[Any], grad_dist_attrs: Sequence[Any] = ()):
        super().__init__()
        for mesh, _ in out_dist_attrs:
            if not isinstance(mesh, ProcessMesh):
                raise TypeMismatchError(f"expected a ProcessMesh, received {type(mesh).__name__}")
        self.out_dist_attrs, self.grad_dist_attrs = out_dist_attrs, grad_dist_attrs

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        given = map_leaves(lambda x: dtensor_to_local(x) if _lies(x) else x, (inputs, kwargs))
        found = super().__call__(*given[0], **given[1])
        results = found if isinstance(found, tuple | list) else (found,)
        made = [
            dtensor_from_local(x, *attr)
            for x, attr in zip(results, self.out_dist_attrs, strict=True)
        ]
        return type(found)(made) if isinstance(found, tuple | list) else made[0]


def _lies(x: Any) -> bool:
    return getattr(x, "process_mesh", None) is not None


__all__ = declared(globals())

"""Attention of tensors whose positions lie along the axis "sep" of a mesh, by a ring."""

from __future__ import annotations

from typing import Any

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.auto_parallel.machine import device_of_mesh, grid_of, is_alone
from twinoar.distributed.auto_parallel.parts import dtensor_from_local, dtensor_to_local
from twinoar.distributed.auto_parallel.placement import Replicate, Shard
from twinoar.distributed.auto_parallel.sharding import reshard
from twinoar.distributed.group import Group, group_alone
from twinoar.distributed.ring_attention import ring_attention
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.shape.concat import concat, split
from twinoar.runtime.collective import current_world

AXIS = "sep"


class RingFlashAttention:
    """Attention over the processes along "sep", by `apply`; see `distributed.ring_attention`."""

    @staticmethod
    def apply(
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout: float = 0.0,
        is_causal: bool = False,
        fixed_seed_offset: Any = None,
        training: bool = True,
    ) -> Tensor:
        """Attention of [B,L,H,D] on a mesh, cut along L; [B,L,H,D] that lies as query does.

        is_causal: the positions lie as `shard_seq_load_balance` lets them. attn_mask: of this
        process's positions and all others, [.., .., L of it, L]; then is_causal counts for nothing,
        as in Paddle. fixed_seed_offset, training: without effect. Raises UnsupportedError for
        dropout, ArgumentError for a mesh without "sep".
        """
        mesh = _mesh_of(query)
        found = ring_attention(
            *(dtensor_to_local(query), dtensor_to_local(key), dtensor_to_local(value)),
            attn_mask=attn_mask,
            dropout=dropout,
            is_causal=is_causal,
            group=_group_of(mesh),
            balanced=is_causal and attn_mask is None,
        )
        return dtensor_from_local(found, mesh, query.placements)


def shard_seq_load_balance(tensor: Tensor, seq_dim: int) -> Tensor:
    """A tensor that is whole, cut along "sep": a part from the front and one from the back each.

    Raises ShapeError where the processes times two do not divide the positions.
    """
    mesh, order = _mesh_of(tensor), _order(tensor, seq_dim)
    placements = list(tensor.placements)
    placements[mesh.dim_names.index(AXIS)] = Shard(seq_dim)
    return reshard(_in_order(tensor, seq_dim, order), mesh, placements)


def unshard_seq_load_balance(tensor: Tensor, seq_dim: int) -> Tensor:
    """What `shard_seq_load_balance` has cut, whole and in its order."""
    mesh, order = _mesh_of(tensor), _order(tensor, seq_dim)
    placements = list(tensor.placements)
    placements[mesh.dim_names.index(AXIS)] = Replicate()
    whole = reshard(tensor, mesh, placements)
    return _in_order(whole, seq_dim, [order.index(i) for i in range(len(order))])


def _mesh_of(tensor: Any) -> Any:
    mesh = getattr(tensor, "process_mesh", None)
    if mesh is None or AXIS not in mesh.dim_names:
        raise ArgumentError(
            f'expected a tensor on a mesh with an axis "{AXIS}"',
            cure='shard_tensor(x, ProcessMesh([0, 1], dim_names=["sep"]), [Replicate()])',
        )
    return mesh


def _group_of(mesh: Any) -> Group:
    """The processes along "sep", in the group that moves parts of tensors on the mesh."""
    if is_alone(mesh):
        return group_alone()
    number = grid_of(device_of_mesh(mesh)).groups[mesh.dim_names.index(AXIS)]
    found: Group = group_alone() if number < 0 else current_world().faces[number]
    return found


def _order(tensor: Any, axis: int) -> list[int]:
    """Which chunks of the sequence stand one after the other: each process has two."""
    size = _mesh_of(tensor).get_dim_size(AXIS)
    if tensor.shape[axis] % (2 * size):
        raise ShapeError(
            f"{tensor.shape[axis]} positions for {size} processes with two parts each",
            cure=f"make their number a multiple of {2 * size}",
        )
    return [chunk for rank in range(size) for chunk in (rank, 2 * size - 1 - rank)]


def _in_order(x: Any, axis: int, order: list[int]) -> Any:
    parts = split(x, len(order), axis)
    return concat([parts[i] for i in order], axis)


__all__ = declared(globals())

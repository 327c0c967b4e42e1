"""Operators that Paddle keeps apart: fused softmaxes, losses, and older names for graphs."""

from __future__ import annotations

from typing import Any

from twinoar.core.explain import explained
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.geometric import reindex_graph, sample_neighbors, send_u_recv
from twinoar.ops.create import clone, full_like
from twinoar.ops.diagonal import triu
from twinoar.ops.elementwise import add
from twinoar.ops.reduce import mean
from twinoar.ops.reduce import sum as total
from twinoar.ops.segment import Pool
from twinoar.ops.softmax import softmax

Tensor = Value
REDUCTIONS: tuple[tuple[str, Any], ...] = (("sum", total), ("mean", mean), ("none", clone))


@explained
def softmax_mask_fuse(x: Tensor, mask: Tensor, name: str | None = None) -> Tensor:
    """softmax(x + mask) along the last axis.

    x: [B,H,M,N], scores. mask: [B,1,M,N], added to them. Returns [B,H,M,N].
    """
    return softmax(add(x, mask), -1, name=name)


@explained
def softmax_mask_fuse_upper_triangle(x: Tensor) -> Tensor:
    """softmax of x along the last axis, without what stands right of the diagonal.

    x: [B,H,M,M], scores. Returns [B,H,M,M].
    """
    return softmax(add(x, triu(full_like(x, float("-inf")), 1)), -1)


@explained
def identity_loss(x: Tensor, reduction: str | int = "none") -> Tensor:
    """x as a loss: its sum, its mean, or as it is.

    reduction: "sum" or 0, "mean" or 1, "none" or 2. Raises ArgumentError.
    """
    for number, (word, reduce) in enumerate(REDUCTIONS):
        if reduction in (word, number):
            return reduce(x)
    raise ArgumentError(f"reduction must be sum, mean or none, received {reduction!r}")


def graph_send_recv(
    x: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    pool_type: Pool = "sum",
    out_size: Any = None,
    name: str | None = None,
) -> Tensor:
    """The older name of `geometric.send_u_recv`."""
    return send_u_recv(x, src_index, dst_index, pool_type, out_size, name)


def graph_reindex(
    x: Tensor,
    neighbors: Tensor,
    count: Tensor,
    value_buffer: Any = None,
    index_buffer: Any = None,
    flag_buffer_hashtable: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The older name of `geometric.reindex_graph`; the flag is without effect."""
    return reindex_graph(x, neighbors, count)


def graph_sample_neighbors(
    row: Tensor,
    colptr: Tensor,
    input_nodes: Tensor,
    eids: Tensor | None = None,
    perm_buffer: Any = None,
    sample_size: int = -1,
    return_eids: bool = False,
    flag_perm_buffer: bool = False,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The older name of `geometric.sample_neighbors`; the flag is without effect."""
    return sample_neighbors(row, colptr, input_nodes, sample_size, eids, return_eids)


__all__ = [
    "graph_reindex",
    "graph_sample_neighbors",
    "graph_send_recv",
    "identity_loss",
    "softmax_mask_fuse",
    "softmax_mask_fuse_upper_triangle",
]

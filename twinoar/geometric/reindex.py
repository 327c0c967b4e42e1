"""Numbers from 0 for the nodes of a part of a graph.

They prepare data: they run at once, on the values of their operands, and have no gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.function import function
from twinoar.core.values import Value as Tensor
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError


@function
def reindex_graph(
    x: Tensor, neighbors: Tensor, count: Tensor, value_buffer: Any = None, index_buffer: Any = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Nodes and their neighbors, numbered from 0 in the order in which they come first.

    x: [M], the nodes, each once. neighbors: [K], those of the first node, of the second, and so on.
    count: [M], how many each has. The buffers are without effect. Returns the source of each edge,
    [K], and its destination, [K], in new numbers, and the node that each new number stands for.
    Raises ShapeError.

    >>> x, neighbors = twinoar.to_tensor([7, 3]), twinoar.to_tensor([3, 9, 9])
    >>> out = twinoar.geometric.reindex_graph(x, neighbors, twinoar.to_tensor([2, 1]))
    >>> [t.tolist() for t in out]
    [[1, 2, 2], [0, 0, 1], [7, 3, 9]]
    """
    return _reindexed(x, [neighbors], [count])


@function
def reindex_heter_graph(
    x: Tensor,
    neighbors: Sequence[Tensor],
    count: Sequence[Tensor],
    value_buffer: Any = None,
    index_buffer: Any = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`reindex_graph` for edges of several kinds: a list of neighbors and one of counts, joined."""
    return _reindexed(x, neighbors, count)


def _reindexed(
    x: Tensor, neighbors: Sequence[Tensor], count: Sequence[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    nodes = np.asarray(x).reshape(-1)
    counts = [np.asarray(c).reshape(-1) for c in count]
    sources = np.concatenate([np.asarray(n).reshape(-1) for n in neighbors])
    if any(len(c) != len(nodes) for c in counts) or sum(c.sum() for c in counts) != len(sources):
        raise ShapeError(
            f"count must say for each of {len(nodes)} nodes how many of the {len(sources)} "
            "neighbors are its own",
            cure="give one number for each element of x",
        )
    places = np.arange(len(nodes), dtype=nodes.dtype)
    destinations = np.concatenate([np.repeat(places, c) for c in counts])
    every, first, inverse = np.unique(
        np.concatenate([nodes, sources]), return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    renamed = number[inverse[len(nodes) :]].astype(sources.dtype)
    return to_tensor(renamed), to_tensor(destinations), to_tensor(every[order])


__all__ = ["reindex_graph", "reindex_heter_graph"]

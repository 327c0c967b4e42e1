"""Samples of the neighbors of nodes, in graphs given as compressed sparse columns.

They prepare data: they run at once, on the values of their operands, and have no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.function import function
from twinoar.core.values import Value as Tensor
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.random.philox import words
from twinoar.ops.random.uniform import generator


@function
def sample_neighbors(
    row: Tensor,
    colptr: Tensor,
    input_nodes: Tensor,
    sample_size: int = -1,
    eids: Tensor | None = None,
    return_eids: bool = False,
    perm_buffer: Any = None,
) -> tuple[Tensor, ...]:
    """At most `sample_size` neighbors of each node, drawn without replacement.

    row: [E], the neighbors of node 0, of node 1, and so on. colptr: [N+1], where those of each node
    begin. input_nodes: [M]. sample_size: -1 for all. eids: [E], numbers of the edges. perm_buffer:
    without effect. Returns the neighbors, [K], how many each node has, [M] int32, and with
    `return_eids` the numbers of their edges, [K]. Raises ArgumentError where eids are missing,
    AxisError for a node that is not there.

    >>> row, colptr = twinoar.to_tensor([1, 2, 0]), twinoar.to_tensor([0, 2, 3, 3])
    >>> neighbors, count = twinoar.geometric.sample_neighbors(row, colptr, twinoar.arange(3))
    >>> neighbors.tolist(), count.tolist()
    ([1, 2, 0], [2, 1, 0])
    """
    return _sampled(row, colptr, None, input_nodes, sample_size, eids, return_eids)


@function
def weighted_sample_neighbors(
    row: Tensor,
    colptr: Tensor,
    edge_weight: Tensor,
    input_nodes: Tensor,
    sample_size: int = -1,
    eids: Tensor | None = None,
    return_eids: bool = False,
) -> tuple[Tensor, ...]:
    """At most `sample_size` neighbors of each node, drawn by weight without replacement.

    edge_weight: [E], positive. The rest is as for `sample_neighbors`. Source: Efraimidis and
    Spirakis 2006, algorithm A-Res.
    """
    return _sampled(row, colptr, edge_weight, input_nodes, sample_size, eids, return_eids)


def _sampled(
    row: Tensor,
    colptr: Tensor,
    weight: Tensor | None,
    nodes: Tensor,
    sample_size: int,
    eids: Tensor | None,
    return_eids: bool,
) -> tuple[Tensor, ...]:
    if return_eids and eids is None:
        raise ArgumentError("return_eids=True needs eids", cure="pass the numbers of the edges")
    starts, wanted = (np.asarray(x).reshape(-1) for x in (colptr, nodes))
    missing = wanted[(wanted < 0) | (wanted >= len(starts) - 1)]
    if missing.size:
        raise AxisError(
            f"node {missing[0]} is not among the {len(starts) - 1} nodes of colptr",
            cure="colptr holds one number more than there are nodes",
        )
    random = np.random.default_rng(words(np.asarray(generator.next_key()), 4))
    chosen = [
        _chosen(np.arange(starts[n], starts[n + 1]), weight, sample_size, random) for n in wanted
    ]
    edges = np.concatenate([np.zeros(0, np.int64), *chosen])
    counts = to_tensor(np.array([len(c) for c in chosen], np.int32))
    found = to_tensor(np.asarray(row).reshape(-1)[edges]), counts
    return (*found, to_tensor(np.asarray(eids).reshape(-1)[edges])) if return_eids else found


def _chosen(
    edges: np.ndarray, weight: Tensor | None, sample_size: int, random: np.random.Generator
) -> np.ndarray:
    """So many of the edges of a node, in their order."""
    if not 0 <= sample_size < len(edges):
        return edges
    drawn = np.log(random.random(len(edges)))
    if weight is not None:
        drawn /= np.asarray(weight).reshape(-1)[edges]
    return edges[np.sort(np.argsort(-drawn)[:sample_size])]

"""What a search has found: of each node the two strongest edges, and the operation of each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from twinoar.core.public import declared
from twinoar.nn import functional

KEPT = 2  # edges of each node


class Genotype(NamedTuple):
    """Two kinds of cells: (operation, node it reads) for each edge, and the nodes returned."""

    normal: list[tuple[str, int]]
    normal_concat: range
    reduce: list[tuple[str, int]]
    reduce_concat: range


def get_genotype(model: Any) -> Genotype:
    """The strongest operations of a network that is searched: arXiv 1806.09055, section 2.4.

    model: as of `DARTSearch`.

    >>> net = twinoar.slim.nas.darts.Network(4, 3, 2, steps=1, multiplier=1)
    >>> net.alphas_normal.set_value(np.eye(2, 8, k=3, dtype="f4"))
    >>> get_genotype(net).normal
    [('skip_connect', 0), ('sep_conv_3x3', 1)]
    """
    steps, names = model._steps, list(model._primitives)
    last = range(2 + steps - model._multiplier, steps + 2)
    normal, reduce = (
        _strongest(functional.softmax(alphas.detach(), axis=-1).numpy(), steps, names)
        for alphas in (model.alphas_normal, model.alphas_reduce)
    )
    return Genotype(normal, last, reduce, last)


def _strongest(weights: np.ndarray, steps: int, names: list[str]) -> list[tuple[str, int]]:
    real = [i for i, name in enumerate(names) if name != "none"]
    found: list[tuple[str, int]] = []
    start = 0
    for step in range(steps):
        edges = weights[start : start + step + 2][:, real]
        start += step + 2
        kept = np.argsort(-edges.max(axis=1), kind="stable")[:KEPT]
        found += [(names[real[int(edges[j].argmax())]], int(j)) for j in kept]
    return found


__all__ = declared(globals())

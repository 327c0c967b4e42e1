"""Layers as two smaller ones in a row, by singular values.

Sources: Denton et al. 2014, arXiv 1404.0736; Zhang et al. 2015, arXiv 1505.06798.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError

CONVOLUTIONS = (nn.Conv1D, nn.Conv2D, nn.Conv3D)


@dataclass(frozen=True, slots=True)
class Factorized:
    """One layer that was divided: its name, rank, parameters before and after.

    error: what the weight differs by, relative to its own size, from 0 to 1.
    """

    name: str
    rank: int
    before: int
    after: int
    error: float


def factorize(
    model: nn.Layer,
    energy: float = 0.9,
    rank: float | None = None,
    names: Collection[str] | None = None,
) -> list[Factorized]:
    """Put two layers in the place of each Linear and convolution where that saves parameters.

    A weight [in, out] becomes [in, rank] and [rank, out]; filters [out, in, ...] become `rank`
    filters and a convolution of size 1. energy: the share of the sum of squares that is kept, which
    decides about ranks. rank: a share of the full rank instead, or for an int the rank itself.
    names: of layers, as `named_sublayers()` has them, for only these. Left as they are:
    convolutions in groups, weights that several layers share, layers of classes of one's own.
    Parameters are new, so optimizers are made afterwards. Raises ArgumentError, UnknownNameError.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(16, 16))
    >>> factorize(net, rank=4)[0].after
    128
    >>> net(twinoar.ones([2, 16])).shape
    [2, 16]
    """
    if not 0 < energy <= 1:
        raise ArgumentError(f"energy is a share above 0 and at most 1, received {energy}")
    if rank is not None and not ((isinstance(rank, int) and rank > 0) or 0 < rank < 1):
        raise ArgumentError(f"rank is a share between 0 and 1 or a number, received {rank}")
    shared = Counter(id(p) for layer in set(model.sublayers(True)) for p in _parameters(layer))
    places = [place for place in _places(model) if names is None or place[2] in names]
    if missing := set(names or ()) - {name for _, _, name, _ in places}:
        raise UnknownNameError(f"there is no such layer to divide: {', '.join(sorted(missing))}")
    made: dict[int, tuple[nn.Layer, Factorized] | None] = {}
    found = []
    for parent, key, name, layer in places:
        if any(shared[id(p)] > 1 for p in _parameters(layer)):
            continue
        if id(layer) not in made:
            made[id(layer)] = _divided(layer, name, energy, rank)
            if (new := made[id(layer)]) is not None:
                found.append(new[1])
        if (new := made[id(layer)]) is not None:
            parent.add_sublayer(key, new[0])
    return found


def _places(model: nn.Layer) -> Iterator[tuple[nn.Layer, str, str, Any]]:
    """(parent, its name there, the whole name, the layer) of each that can be divided."""
    for prefix, parent in model.named_sublayers(include_self=True):
        for key, layer in list(parent._sub_layers.items()):
            is_plain = type(layer) in CONVOLUTIONS and layer._groups == 1
            if type(layer) is nn.Linear or is_plain:
                yield parent, key, f"{prefix}.{key}" if prefix else key, layer


def _divided(
    layer: Any, name: str, energy: float, rank: float | None
) -> tuple[nn.Layer, Factorized] | None:
    weight = layer.weight.numpy()
    is_linear = isinstance(layer, nn.Linear)
    matrix = (weight if is_linear else weight.reshape(len(weight), -1).T).astype(np.float64)
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    count = _rank(sizes, energy, rank)
    before, after = matrix.size, count * sum(matrix.shape)
    if after >= before:
        return None
    if layer._forward_pre_hooks or layer._forward_post_hooks:
        raise ArgumentError(
            f"{name} has hooks, which its two parts can't both have",
            cure="remove them, or leave the layer out of names",
        )
    roots = np.sqrt(sizes[:count])
    first, second = left[:, :count] * roots, right[:count] * roots[:, None]
    make = _linear if is_linear else _convolution
    total = float(np.square(sizes).sum())
    lost = float(np.square(sizes[count:]).sum())
    error = float(np.sqrt(lost / total)) if total else 0.0
    return make(layer, first, second), Factorized(name, count, before, after, error)


def _rank(sizes: np.ndarray, energy: float, rank: float | None) -> int:
    if isinstance(rank, int):
        return min(rank, len(sizes))
    if rank is not None:
        return max(round(rank * len(sizes)), 1)
    shares = np.cumsum(np.square(sizes))
    return int(np.searchsorted(shares, energy * shares[-1] * (1 - 1e-12))) + 1


def _linear(layer: Any, first: np.ndarray, second: np.ndarray) -> nn.Layer:
    one = nn.Linear(len(first), len(second), bias_attr=False)
    bias = None if layer.bias is not None else False
    other = nn.Linear(len(second), second.shape[1], bias_attr=bias)
    return _filled(layer, one, first, other, second)


def _convolution(layer: Any, first: np.ndarray, second: np.ndarray) -> nn.Layer:
    outer, inner, *window = layer.weight.shape
    count = len(second)
    one = type(layer)(
        inner,
        count,
        window,
        stride=layer._stride,
        padding=layer._padding,
        dilation=layer._dilation,
        padding_mode=layer._padding_mode,
        data_format=layer._data_format,
        bias_attr=False,
    )
    bias = None if layer.bias is not None else False
    other = type(layer)(count, outer, 1, data_format=layer._data_format, bias_attr=bias)
    filters = first.T.reshape(count, inner, *window)
    points = second.T.reshape(outer, count, *[1] * len(window))
    return _filled(layer, one, filters, other, points)


def _filled(
    layer: Any, one: Any, first: np.ndarray, other: Any, second: np.ndarray
) -> nn.Layer:  # fmt: skip
    for part, weight in ((one, first), (other, second)):
        part.weight.set_value(weight.astype(layer.weight.numpy().dtype))
        part.training = layer.training
        part.weight.stop_gradient = layer.weight.stop_gradient
    if layer.bias is not None:
        other.bias.set_value(layer.bias)
    both = nn.Sequential(one, other)
    both.training = layer.training
    return both


def _parameters(layer: nn.Layer) -> list[Any]:
    return [p for p in layer._parameters.values() if p is not None]

"""Draws from distributions that tensors hold: bernoulli, multinomial."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.core.interpreter import recording, using
from twinoar.core.loop.draws import wide_unit
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.create.fill import constant
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.random.philox import wide_word
from twinoar.ops.random.uniform import check_key, generator, wide_units


def _checked_like(key: Spec, x: Spec) -> Spec:
    check_key(key)
    if not x.dtype.is_floating:
        raise DTypeError(f"probabilities must be floating, received {x}")
    return x


@primitive(
    infer=_checked_like,
    grad=lambda: (None, None),
    elements=lambda key, x: x.size,
    desc=Desc("bernoulli", {"X": "x"}, read=lambda slots, attrs: bernoulli(slots["X"][0])),
)
def bernoulli_random(key: Tensor, x: Tensor) -> Tensor:
    """1 with the probability that x holds, else 0. See `bernoulli`."""


@bernoulli_random.kernel
def _(key, x):
    if x.dtype.kind not in "fV":
        raise TypeError
    wide = x.astype(np.float64)
    if x.size and not (wide.min() >= 0 and wide.max() <= 1):
        raise ArgumentError(
            f"probabilities must be in [0, 1], received {wide.min()} to {wide.max()}",
            cure="normalize them, with sigmoid or softmax",
        )
    return (wide_units(key, x.shape) < wide).astype(x.dtype)


@bernoulli_random.lower
def _(i, key, x):
    probability = loop.cast(x[i], float64)
    drawn = wide_unit(loop, wide_word(key, loop.flatten(i, x.shape))) < probability
    is_one = loop.and_(loop.le(0.0, probability), loop.le(probability, 1.0))
    found = loop.select(is_one, loop.cast(drawn, int64), -1)
    return loop.cast(loop.bounded(found, 2, "a probability"), loop.compute_dtype(x.dtype))


@bernoulli_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0, 1, 2, 3), gradient=False)
    yield s(key, s.uniform(0, 1), gradient=False)
    yield s.bad(ArgumentError, "in [0, 1]", key, np.array([1.5], np.float32), static_error=False)
    yield s.bad(DTypeError, "must be floating", key, s.ints(0, 1, 2))


def _multinomial_spec(key: Spec, x: Spec, num_samples: int, replacement: bool) -> Spec:
    _checked_like(key, x)
    if x.ndim not in (1, 2):
        raise ShapeError(f"x must have 1 or 2 dimensions, received {x}")
    if num_samples < 1:
        raise ArgumentError(f"num_samples must be at least 1, received {num_samples}")
    _check_samples(x.shape[-1], num_samples, replacement)
    return Spec((*x.shape[:-1], num_samples), int64)


def _check_samples(available: Any, num_samples: int, replacement: bool) -> None:
    if not replacement and isinstance(available, int) and available < num_samples:
        raise ArgumentError(
            f"{num_samples} different samples are wanted, {available} have a probability above 0",
            cure="draw fewer, or with replacement=True",
        )


@primitive(
    infer=_multinomial_spec,
    grad=lambda: (None, None),
    desc=Desc(
        "multinomial",
        {"X": "x"},
        attrs={"num_samples": "num_samples", "replacement": "replacement"},
        read=lambda slots, attrs: multinomial(
            slots["X"][0], attrs["num_samples"], attrs["replacement"]
        ),
    ),
)
def multinomial_random(
    key: Tensor, x: Tensor, num_samples: int = 1, replacement: bool = False
) -> Tensor:
    """Positions drawn with the weights that x holds. See `multinomial`.

    One, or with replacement: by inversion of the cumulated weights. Several without: those with the
    smallest -log(1 - u) / weight. Source: Efraimidis and Spirakis, "Weighted random sampling with a
    reservoir", 2006.
    """


@multinomial_random.kernel
def _(key, x, num_samples, replacement):
    weights = x.astype(np.float64).reshape(-1, x.shape[-1])
    if num_samples < 1 or x.ndim > 2:
        raise IndexError
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum(-1).all()):
        raise ArgumentError("weights must be finite, not negative, and not all 0")
    independent = replacement or num_samples == 1
    shape = (len(weights), num_samples if independent else weights.shape[-1])
    u = wide_units(key, shape)
    if independent:
        bounds = np.cumsum(weights, -1)
        out = np.stack(
            [np.searchsorted(row, v * row[-1], "right") for row, v in zip(bounds, u, strict=True)]
        )
    else:
        _check_samples(int((weights > 0).sum(-1).min()), num_samples, replacement)
        with np.errstate(divide="ignore"):
            arrival = np.where(weights > 0, -np.log1p(-u) / weights, np.inf)
        first = np.argpartition(arrival, num_samples - 1, -1)[:, :num_samples]
        order = np.argsort(np.take_along_axis(arrival, first, -1), -1)
        out = np.take_along_axis(first, order, -1)
    return out.astype(np.int64).reshape(*x.shape[:-1], num_samples)


@multinomial_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0.1, 1, 5), 3, gradient=False)
    yield s(key, s.uniform(0.1, 1, 2, 4), 6, True, gradient=False)
    yield s.bad(ArgumentError, "2 have a probability", key, s.uniform(0.1, 1, 2), 3)
    yield s.bad(ArgumentError, "not negative", key, -s.uniform(0.1, 1, 2), 1, static_error=False)
    yield s.bad(ShapeError, "1 or 2 dimensions", key, s.uniform(0.1, 1, 2, 2, 2), 1)


@function(method=True)
def bernoulli(x: Tensor, p: float | None = None) -> Tensor:
    """1 with the probability that x holds (or p everywhere), else 0; shape and dtype of x, no
    gradient.

    Raises ArgumentError outside [0, 1].

    >>> import twinoar
    >>> twinoar.bernoulli(twinoar.to_tensor([0.0, 1.0])).tolist()
    [0.0, 1.0]
    """
    with using(recording(False)):
        if p is not None:
            x = broadcast_to(astype(constant(np.array(p)), x.dtype), x.spec.shape)
        return bernoulli_random(generator.next_key(), x)


@function(method=True)
def multinomial(x: Tensor, num_samples: Any = 1, replacement: bool = False) -> Tensor:
    """Positions drawn with the weights in the rows of x: [num_samples] or [rows, num_samples],
    int64.

    x: [n] or [rows, n], not negative; need not sum to 1. Raises ArgumentError, ShapeError.

    >>> import twinoar
    >>> twinoar.multinomial(twinoar.to_tensor([0.0, 2.0])).tolist()
    [1]
    """
    count = size(num_samples, "num_samples")
    return multinomial_random(generator.next_key(), x, count, replacement)

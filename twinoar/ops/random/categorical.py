"""Draws from distributions that tensors hold: bernoulli, multinomial."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.core.interpreter import recording, using
from twinoar.core.loop.draws import ARRAYS, wide_positive, wide_unit
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.loop.rejection import waiting_time
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.create.fill import constant
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.random.philox import wide_of, wide_word
from twinoar.ops.random.philox import words as words_of
from twinoar.ops.random.uniform import check_key, generator, wide_units


def _checked_like(key: Spec, x: Spec) -> Spec:
    check_key(key)
    if not x.dtype.is_floating:
        raise DTypeError(f"probabilities must be floating, received {x}")
    return x


@primitive(
    infer=_checked_like,
    grad=lambda: (None, None),
    elements=lambda key, x: np.size(x),  # of None too, which is refused later
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
    elements=lambda key, x, num_samples, replacement: max(np.size(x), num_samples),
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
    smallest -log(u) / weight. Source: Efraimidis and Spirakis, "Weighted random sampling with a
    reservoir", 2006.
    """


@multinomial_random.kernel
def _(key, x, num_samples, replacement):
    weights = x.astype(np.float64).reshape(-1, x.shape[-1])
    if num_samples < 1 or x.ndim > 2:
        raise IndexError
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum(-1).all()):
        raise ArgumentError("weights must be finite, not negative, and not all 0")
    count = num_samples if replacement or num_samples == 1 else x.shape[-1]
    words = wide_of(words_of(key, 2 * len(weights) * count).astype(np.int64).reshape(-1, 2))
    if replacement or num_samples == 1:
        u = wide_unit(ARRAYS, words).reshape(len(weights), count)
        found = [_places(np.cumsum(row), v) for row, v in zip(weights, u, strict=True)]
        out = np.stack(found) if found else np.zeros((0, count))
    else:
        _check_samples(int((weights > 0).sum(-1).min(initial=count)), num_samples, replacement)
        times = waiting_time(ARRAYS, wide_positive(ARRAYS, words)).reshape(weights.shape)
        with np.errstate(all="ignore"):
            arrival = np.where(weights > 0, times / weights, np.inf)
        out = np.argsort(arrival, -1, kind="stable")[:, :num_samples]
    return out.astype(np.int64).reshape(*x.shape[:-1], num_samples)


def _places(sums: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The first sums that are greater than shares of the last one, which itself is never passed."""
    found = np.searchsorted(sums, u * sums[-1], "right")
    return np.minimum(found, np.searchsorted(sums, sums[-1]))


@multinomial_random.procedure
def _(p, key, x, num_samples, replacement):
    weights = x.reshape(-1, x.shape[-1])
    rows, n = weights.shape
    out = p.results[0].reshape(rows, num_samples)
    if replacement or num_samples == 1:
        sums = p.scratch((rows, n), float64)
        p.launch(_summed, rows, weights, sums)
        p.launch(_chosen, rows * num_samples, key, sums, out, work=30 * rows * num_samples)
    else:
        times = p.scratch((rows, num_samples), float64)
        p.launch(_first, rows, key, weights, times, out, work=30 * x.size)


@procedure
def _summed(row, weights, sums):
    total = cast(0, sums)
    for k in range(weights.shape[1]):
        weight = cast(weights[row, k], sums)
        if not (weight >= 0.0 and weight < math.inf):
            fail()
        total += weight
        sums[row, k] = total
    if total == 0.0:
        fail()


@procedure
def _chosen(row, key, sums, out):
    line, nth = row // out.shape[1], row % out.shape[1]
    low, high = 0, sums.shape[1] - 1
    total = sums[line, high]
    share = wide_unit(loop, wide_word((key[0], key[1]), row)) * total
    while low < high:
        middle = (low + high) // 2
        if sums[line, middle] > share or sums[line, middle] == total:
            high = middle
        else:
            low = middle + 1
    out[line, nth] = low


@procedure
def _first(row, key, weights, times, out):
    """Those with the least times, rising: a heap of the least so far, its root the greatest."""
    n, wanted, filled = weights.shape[1], out.shape[1], 0
    for k in range(n):
        weight = cast(weights[row, k], times)
        if not (weight >= 0.0 and weight < math.inf):
            fail()
        if weight > 0.0:
            u = wide_positive(loop, wide_word((key[0], key[1]), row * n + k))
            time = loop.waiting_time(u) / weight
            if filled < wanted:
                times[row, filled] = time
                out[row, filled] = k
                filled += 1
                if filled == wanted:
                    for start in range(wanted):
                        _sunk(row, times, out, wanted - 1 - start, wanted)
            elif time < times[row, 0]:
                times[row, 0] = time
                out[row, 0] = k
                _sunk(row, times, out, 0, wanted)
    if filled < wanted:
        fail()
    for taken in range(wanted - 1):
        last = wanted - 1 - taken
        _swapped(row, times, out, 0, last)
        _sunk(row, times, out, 0, last)


@procedure
def _sunk(row, times, out, start, size):
    """The element at `start` of a heap of `size` moves down to its place."""
    at = start
    child = 2 * at + 1
    while child < size:
        if child + 1 < size and _is_later(row, times, out, child + 1, child):
            child += 1
        if _is_later(row, times, out, child, at):
            _swapped(row, times, out, child, at)
            at = child
            child = 2 * at + 1
        else:
            child = size


@procedure
def _is_later(row, times, out, a, b):
    x, y = times[row, a], times[row, b]
    return x > y or (x == y and out[row, a] > out[row, b])


@procedure
def _swapped(row, times, out, a, b):
    time, place = times[row, a], out[row, a]
    times[row, a] = times[row, b]
    out[row, a] = out[row, b]
    times[row, b] = time
    out[row, b] = place


@multinomial_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, s.uniform(0.1, 1, 5), 3, gradient=False)
    yield s(key, s.uniform(0.1, 1, 2, 4), 6, True, gradient=False)
    yield s(key, s.uniform(0.1, 1, 3, 40), 40, gradient=False)
    yield s(key, np.array([0.0, 2.0, 0.0, 1.0, 0.0], np.float32), 2, gradient=False)
    yield s.bad(ArgumentError, "2 have a probability", key, s.uniform(0.1, 1, 2), 3)
    yield s.bad(ArgumentError, "not negative", key, -s.uniform(0.1, 1, 2), 1, static_error=False)
    yield s.bad(ShapeError, "1 or 2 dimensions", key, s.uniform(0.1, 1, 2, 2, 2), 1)


@function(method=True)
def bernoulli(x: Tensor, p: float | None = None) -> Tensor:
    """1 with the probability that x holds (or p everywhere), else 0; shape and dtype of x, no
    gradient.

    Raises ArgumentError outside [0, 1].

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

    >>> twinoar.multinomial(twinoar.to_tensor([0.0, 2.0])).tolist()
    [1]
    """
    count = size(num_samples, "num_samples")
    return multinomial_random(generator.next_key(), x, count, replacement)

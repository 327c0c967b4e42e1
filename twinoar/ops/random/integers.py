"""Random integers; and numbers in random order, which is the stable order of 64 bits of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import DType, dtype_of, int64
from twinoar.core.keyword import spelled_freely
from twinoar.core.loop.draws import ARRAYS, below
from twinoar.core.loop.philox import Wide
from twinoar.core.loop.procedure import cast, procedure
from twinoar.core.op.declare import Desc, Shape, Spec, Tensor, function, loop, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError
from twinoar.ops._sizes import shape_from, size, sizes
from twinoar.ops.random.philox import filled, wide_of, wide_word, words
from twinoar.ops.random.uniform import count_of, generator, spec_of_draw

FEW = 1 << 14  # numbers that are put in order in one piece
CHUNK = 1 << 16  # numbers that are distributed together
BUCKETS = 512  # so many pages are at hand at once


def _integers_spec(key: Spec, shape: Shape, low: int, high: int, dtype: DType) -> Spec:
    if low >= high:
        raise ArgumentError(
            f"low must be below high, received low={low} and high={high}", cure="exchange the two"
        )
    return spec_of_draw(key, shape, dtype)


@primitive(
    infer=_integers_spec,
    elements=count_of,
    desc=Desc(
        "randint",
        attrs={"dtype": "dtype", "low": "low", "high": "high"},
        write=lambda attrs, specs: {"shape": ("LONGS", list(attrs["shape"])), "seed": 0},
        read=lambda slots, attrs: randint(
            attrs["low"],
            attrs["high"],
            shape_from(slots, attrs, "shape", "ShapeTensor", "ShapeTensorList"),
            attrs["dtype"],
        ),
    ),
)
def randint_random(
    key: Tensor, shape: tuple[int, ...], low: int, high: int, dtype: DType = int64
) -> Tensor:
    """Integers in [low, high), of `shape`. See `randint`."""


@randint_random.kernel
def _(key, shape, low, high, dtype):
    if low >= high:
        raise ArgumentError(
            f"low must be below high, received low={low} and high={high}", cure="exchange the two"
        )

    def make(words: np.ndarray) -> np.ndarray:
        return below(ARRAYS, wide_of(words), high - low) + low

    return filled(key, count_of(key, shape), 2, np.int64, make).astype(dtype.numpy).reshape(shape)


@randint_random.lower
def _(i, key, shape, low, high, dtype):
    drawn = below(loop, wide_word(key, loop.flatten(i, shape)), high - low)
    return loop.cast(drawn + low, loop.compute_dtype(dtype))


@randint_random.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, (2, 3), -5, 5)
    yield s(key, (4,), 0, 2, "int32")
    yield s(key, (), 0, 9, "float32")
    yield s.bad(ArgumentError, "low must be below high", key, (2,), 3, 3)


@primitive(
    infer=lambda key, n, dtype: spec_of_draw(key, (n,), dtype),
    elements=lambda key, n, dtype: n,
    kernel=lambda key, n, dtype: order_of(key, n).astype(dtype.numpy),
    desc=Desc(
        "randperm",
        attrs={"n": "n", "dtype": "dtype"},
        read=lambda slots, attrs: randperm(attrs["n"], attrs["dtype"]),
    ),
)
def permutation(key: Tensor, n: int, dtype: DType = int64) -> Tensor:
    """The numbers from 0 to n - 1 in random order. See `randperm`."""


def order_of(key: np.ndarray, n: int) -> np.ndarray:
    """The numbers from 0 to n - 1 in the order of 63 bits of each, those of equal ones rising."""
    return np.argsort(
        _rank(wide_of(words(key, 2 * n).astype(np.int64).reshape(-1, 2))), kind="stable"
    )


def _rank(wide: Wide) -> Any:
    """63 bits of a wide word, as an int64 that is not negative."""
    return wide.high * (1 << 31) + wide.low // 2


@permutation.procedure
def _(p, key, n):
    """By buckets of the upper bits, and in each by its share of the rest; then neighbours."""
    buckets = BUCKETS if n > FEW else 1
    chunks = -(-n // CHUNK)
    keys, sorted_keys, order, places = (p.scratch((n,), int64) for _ in range(4))
    starts = p.scratch((chunks, buckets), int64)
    bounds = p.scratch((buckets + 1,), int64)
    p.launch(_ranked, chunks, key, keys, starts, work=20 * n, buckets=buckets)
    p.launch(_bounded, 1, starts, bounds)
    p.launch(_distributed, chunks, keys, starts, sorted_keys, order, work=8 * n, buckets=buckets)
    out = p.results[0]
    p.launch(_finished, buckets, sorted_keys, order, bounds, keys, places, out, buckets=buckets)


@procedure
def _ranked(row, key, keys, starts, *, buckets):
    """The keys of a chunk, and how many of them fall into each bucket."""
    first, last = row * CHUNK, min(len(keys), (row + 1) * CHUNK)
    for k in range(first, last):
        keys[k] = _rank(wide_word((key[0], key[1]), k))
    for b in range(buckets):
        starts[row, b] = 0
    for k in range(first, last):
        starts[row, _bucket(keys[k], buckets)] += 1


def _bucket(rank: Any, buckets: int) -> Any:
    return loop.shr(rank, 63 - (buckets.bit_length() - 1)) if buckets > 1 else 0


@procedure
def _bounded(row, starts, bounds):
    """Where each bucket begins, and what each chunk has of it."""
    place = 0
    for b in range(starts.shape[1]):
        bounds[b] = place
        for chunk in range(len(starts)):
            count = starts[chunk, b]
            starts[chunk, b] = place
            place += count
    bounds[starts.shape[1]] = place


@procedure
def _distributed(row, keys, starts, sorted_keys, order, *, buckets):
    for k in range(row * CHUNK, min(len(keys), (row + 1) * CHUNK)):
        b = _bucket(keys[k], buckets)
        place = starts[row, b]
        starts[row, b] = place + 1
        sorted_keys[place] = keys[k]
        order[place] = k


@procedure
def _finished(row, keys, order, bounds, sorted_keys, places, out, *, buckets):
    """The numbers of a bucket: each to its share of it, and then to its place among neighbours."""
    first, last = bounds[row], bounds[row + 1]
    count = last - first
    for k in range(first, last):
        places[k] = 0
    for k in range(first, last):
        places[first + _share(keys[k], count, buckets)] += 1
    place = first
    for k in range(first, last):
        found = places[k]
        places[k] = place
        place += found
    for k in range(first, last):
        share = first + _share(keys[k], count, buckets)
        at = places[share]
        places[share] = at + 1
        sorted_keys[at] = keys[k]
        out[at] = cast(order[k], out)
    for k in range(first + 1, last):
        rank, number, at = sorted_keys[k], out[k], k
        while at > first and sorted_keys[at - 1] > rank:
            sorted_keys[at] = sorted_keys[at - 1]
            out[at] = out[at - 1]
            at -= 1
        sorted_keys[at] = rank
        out[at] = number


def _share(rank: Any, count: Any, buckets: int) -> Any:
    """In which of `count` equal parts of a bucket a key lies: by 31 of its bits."""
    rest = 63 - (buckets.bit_length() - 1)
    return loop.shr(loop.and_(loop.shr(rank, rest - 31), (1 << 31) - 1) * count, 31)


@permutation.samples
def _(s):
    yield s(np.array([3, 1]), 6)
    yield s(np.array([3, 1]), 0, "int32")


@spelled_freely
def randint(
    low: Any = 0, high: Any = None, shape: Any = (1,), dtype: Any = None, name: str | None = None
) -> Tensor:
    """Integers in [low, high), or in [0, low) where high is None; int64 by default.

    Raises ArgumentError for none.

    >>> import twinoar
    >>> int(twinoar.randint(3, 4))
    3
    """
    first, last = (0, low) if high is None else (low, high)
    kind = int64 if dtype is None else dtype_of(dtype)
    bounds = (size(first, "low"), size(last, "high"))
    return randint_random(generator.next_key(), sizes(shape), *bounds, kind, name=name)


@function
def randint_like(x: Tensor, low: Any = 0, high: Any = None, dtype: Any = None) -> Tensor:
    """Integers in [low, high), or [0, low), of the shape of x and of its dtype where `dtype` is
    None.

    >>> import twinoar
    >>> twinoar.randint_like(twinoar.zeros([2]), 5, 6).tolist()
    [5.0, 5.0]
    """
    return randint(low, high, x.spec.shape, x.dtype if dtype is None else dtype)


@told
def randperm(n: Any, dtype: Any = "int64", name: str | None = None) -> Tensor:
    """The numbers from 0 to n - 1 in random order, [n].

    >>> import twinoar
    >>> sorted(twinoar.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return permutation(generator.next_key(), size(n, "n"), dtype_of(dtype), name=name)

"""Random integers; and numbers in random order, which is the stable order of 64 bits of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import DType, dtype_of, int32, int64
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
SHARES = 2  # of a bucket for each of its numbers: with one, twice as many have to move once more
GROUPS = 64  # parts of the work that have memory of their own; more than there are threads
NEAR = 1 << 13  # shares that a group's own memory has room for: it stays in the caches
RANK_BITS = 63
NUMBER_BITS = 36  # more numbers than any memory holds
WORD_BITS = RANK_BITS - NUMBER_BITS  # of a rank that stand before its number


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
    out, groups = p.results[0], min(buckets, GROUPS)
    ranks, words = p.scratch((n,), int64), p.scratch((n,), int64)
    in_order = out if out.dtype is int64 else p.scratch((n,), int64)
    places = p.scratch((groups * NEAR + SHARES * n,), int32 if n < 1 << 31 else int64)
    starts = p.scratch((chunks, buckets), int64)
    bounds = p.scratch((buckets + 1,), int64)
    p.launch(_ranked, chunks, key, ranks, starts, work=20 * n, buckets=buckets)
    p.launch(_bounded, 1, starts, bounds)
    p.launch(_distributed, chunks, ranks, starts, words, work=8 * n, buckets=buckets)
    p.launch(_finished, groups, words, ranks, bounds, in_order, places, work=20 * n)
    if out is not in_order:
        p.launch(_copied, chunks, in_order, out, work=n)


@procedure
def _ranked(row, key, ranks, starts, *, buckets):
    """The ranks of a chunk, and how many of them fall into each bucket."""
    first, last = row * CHUNK, min(len(ranks), (row + 1) * CHUNK)
    for k in range(first, last):
        ranks[k] = _rank(wide_word((key[0], key[1]), k))
    for b in range(buckets):
        starts[row, b] = 0
    for k in range(first, last):
        starts[row, _bucket(ranks[k], buckets)] += 1


def _bucket(rank: Any, buckets: int) -> Any:
    return loop.shr(rank, RANK_BITS - _bits(buckets)) if buckets > 1 else 0


def _bits(buckets: int) -> int:
    return buckets.bit_length() - 1


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
def _distributed(row, ranks, starts, words, *, buckets):
    """To each bucket its words: what follows of their rank, then the number."""
    for k in range(row * CHUNK, min(len(ranks), (row + 1) * CHUNK)):
        rank = ranks[k]
        b = _bucket(rank, buckets)
        place = starts[row, b]
        starts[row, b] = place + 1
        words[place] = _word(rank, k, buckets)


def _word(rank: Any, number: Any, buckets: int) -> Any:
    """The bits of a rank after those of its bucket, as many as there is room for, and a number."""
    rest = loop.and_(loop.shr(rank, NUMBER_BITS - _bits(buckets)), (1 << WORD_BITS) - 1)
    return loop.or_(loop.shl(rest, NUMBER_BITS), number)


@procedure
def _finished(group, words, ranks, bounds, in_order, places):
    """The numbers of a group's buckets in order."""
    buckets, groups = len(bounds) - 1, (len(places) - SHARES * len(words)) // NEAR
    for bucket in range(group * buckets // groups, (group + 1) * buckets // groups):
        first, last = bounds[bucket], bounds[bucket + 1]
        shares = (last - first) * SHARES
        near = shares <= NEAR
        begin = group * NEAR if near else groups * NEAR + first * SHARES
        _divided(first, last, begin, shares, words, in_order, places)
        _exchanged(first, last, in_order)
        ties = 0
        for k in range(first + 1, last):
            ties += cast((in_order[k - 1] ^ in_order[k]) >> NUMBER_BITS == 0, int64)
        if ties > 0:
            _told_apart(first, last, in_order, ranks)
        for k in range(first, last):
            in_order[k] = _number(in_order[k])


@procedure
def _divided(first, last, begin, shares, words, in_order, places):
    """Each word of a bucket to its share of it."""
    for k in range(begin, begin + shares):
        places[k] = 0
    for k in range(first, last):
        places[begin + _share(words[k], shares)] += 1
    place = cast(first, places)
    for k in range(begin, begin + shares):
        found = places[k]
        places[k] = place
        place += found
    for k in range(first, last):
        share = begin + _share(words[k], shares)
        at = cast(places[share], int64)
        places[share] += 1
        in_order[at] = words[k]


@procedure
def _exchanged(first, last, in_order):
    """Each word to its place among neighbours."""
    for k in range(first + 1, last):
        word, at = in_order[k], k
        while at > first and in_order[at - 1] > word:
            in_order[at] = in_order[at - 1]
            at -= 1
        in_order[at] = word


@procedure
def _copied(row, in_order, out):
    for k in range(row * CHUNK, min(len(out), (row + 1) * CHUNK)):
        out[k] = cast(in_order[k], out)


@procedure
def _told_apart(first, last, in_order, ranks):
    """Those few whose words hold equal bits of their ranks, by all bits."""
    for k in range(first + 1, last):
        word = in_order[k]
        if in_order[k - 1] >> NUMBER_BITS == word >> NUMBER_BITS:
            at, rank = k, ranks[_number(word)]
            while (
                at > first
                and in_order[at - 1] >> NUMBER_BITS == word >> NUMBER_BITS
                and ranks[_number(in_order[at - 1])] > rank
            ):
                in_order[at] = in_order[at - 1]
                at -= 1
            in_order[at] = word


def _number(word: Any) -> Any:
    return loop.and_(word, (1 << NUMBER_BITS) - 1)


def _share(word: Any, shares: Any) -> Any:
    """In which of so many equal parts of a bucket a word lies."""
    return loop.shr(loop.shr(word, NUMBER_BITS) * shares, WORD_BITS)


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

    >>> twinoar.randint_like(twinoar.zeros([2]), 5, 6).tolist()
    [5.0, 5.0]
    """
    return randint(low, high, x.spec.shape, x.dtype if dtype is None else dtype)


@told
def randperm(n: Any, dtype: Any = "int64", name: str | None = None) -> Tensor:
    """The numbers from 0 to n - 1 in random order, [n].

    >>> sorted(twinoar.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return permutation(generator.next_key(), size(n, "n"), dtype_of(dtype), name=name)

"""Random integers; and numbers in random order, which is the stable order of 64 bits of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import DType, dtype_of, int64
from twinoar.core.keyword import spelled_freely
from twinoar.core.loop.draws import ARRAYS, below
from twinoar.core.op.declare import Desc, Shape, Spec, Tensor, function, loop, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError
from twinoar.ops._sizes import shape_from, size, sizes
from twinoar.ops.random.philox import filled, wide_of, wide_word, words
from twinoar.ops.random.uniform import count_of, generator, spec_of_draw


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
    """The numbers from 0 to n - 1 by their wide words, those of equal ones rising."""
    return np.argsort(words(key, 2 * n).astype("<u4", copy=False).view("<u8"), kind="stable")


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

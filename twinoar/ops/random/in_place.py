"""Tensors filled with draws, in place, and draws of the shape of a tensor."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, Value, function
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import full
from twinoar.ops.math.arithmetic import add, divide, multiply
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log1p
from twinoar.ops.math.trigonometry import tan
from twinoar.ops.random.categorical import bernoulli
from twinoar.ops.random.integers import randint
from twinoar.ops.random.uniform import gaussian, normal, uniform


def _filled(x: Tensor, drawn: Tensor) -> Tensor:
    current().rebind(x, astype(drawn, x.dtype))
    return x


def _uniform_like(x: Tensor) -> Tensor:
    return uniform(x.spec.shape, x.dtype if x.dtype.is_floating else None)


@function
def rand_like(input: Tensor, name: str | None = None, *, dtype: Any = None) -> Tensor:
    """Uniform numbers in [0, 1), of the shape of `input` and of its dtype where `dtype` is None.

    >>> twinoar.rand_like(twinoar.zeros([2, 3])).shape
    [2, 3]
    """
    return uniform(input.spec.shape, input.dtype if dtype is None else dtype, 0.0, 1.0, name=name)


@function
def randn_like(x: Tensor, dtype: Any = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1, of the shape of x and of its dtype where
    `dtype` is None.

    >>> twinoar.randn_like(twinoar.zeros([2, 3])).shape
    [2, 3]
    """
    return gaussian(x.spec.shape, dtype=x.dtype if dtype is None else dtype)


@function
def log_normal(mean: Any = 1.0, std: Any = 2.0, shape: Any = None) -> Tensor:
    """exp of normal numbers of that mean and standard deviation. See `normal`.

    >>> twinoar.log_normal(0.0, 0.0, [2]).tolist()
    [1.0, 1.0]
    """
    return exp(normal(mean, std, shape))


@function(method=True)
def log_normal_(x: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Fill x with exp of normal numbers, in place, and return x.

    >>> twinoar.log_normal_(twinoar.zeros([2]), 0.0, 0.0).tolist()
    [1.0, 1.0]
    """
    return _filled(x, exp(gaussian(x.spec.shape, mean, std, dtype=x.dtype)))


@function(method=True)
def bernoulli_(x: Tensor, p: Any = 0.5) -> Tensor:
    """Fill x with 1 with the probability p, else 0, in place, and return x.

    p: a number, or a tensor that broadcasts to x.

    >>> twinoar.bernoulli_(twinoar.zeros([2]), 1.0).tolist()
    [1.0, 1.0]
    """
    kind = p.dtype if isinstance(p, Value) else "float32"
    return _filled(x, bernoulli(full(x.spec.shape, 1.0, kind) * p))


@function(method=True)
def exponential_(x: Tensor, lam: float = 1.0) -> Tensor:
    """Fill x with exponential draws of rate `lam`, in place, and return x.

    >>> bool((twinoar.zeros([5]).exponential_() >= 0).all())
    True
    """
    if lam <= 0:
        raise ArgumentError(f"lam must be positive, received {lam}")
    return _filled(x, divide(-log1p(-_uniform_like(x)), lam))


@function(method=True)
def geometric_(x: Tensor, probs: Any) -> Tensor:
    """Fill x with how many trials of probability `probs` it takes to succeed, and return x.

    The draws are those of Paddle: log(1 - u) / log(1 - probs), not rounded.

    >>> bool((twinoar.geometric_(twinoar.zeros([5]), 0.3) >= 0).all())
    True
    """
    fail = log1p(-probs) if isinstance(probs, Value) else math.log1p(-probs)
    return _filled(x, divide(log1p(-_uniform_like(x)), fail))


@function(method=True)
def cauchy_(x: Tensor, loc: Any = 0, scale: Any = 1) -> Tensor:
    """Fill x with Cauchy draws of that median and scale, in place, and return x.

    >>> twinoar.cauchy_(twinoar.zeros([2]), 3.0, 0.0).tolist()
    [3.0, 3.0]
    """
    angles = multiply(_uniform_like(x) - 0.5, math.pi)
    return _filled(x, add(multiply(tan(angles), scale), loc))


@function(method=True, named=False)
def random_(x: Tensor, from_: int = 0, to: int | None = None) -> Tensor:
    """Fill x with integers in [from_, to), in place, and return x.

    to: by default the first integer that the dtype does not hold exactly.

    >>> twinoar.zeros([2]).random_(3, 4).tolist()
    [3.0, 3.0]
    """
    end = LARGEST[x.dtype.name] if to is None else to
    return _filled(x, randint(from_, end, x.spec.shape))


# where the integers end that a dtype holds exactly
LARGEST = {
    "float16": 2**11 + 1, "bfloat16": 2**8 + 1, "float32": 2**24 + 1, "float64": 2**53 + 1,
    "bool": 2, "uint8": 2**8, "int8": 2**7, "int16": 2**15, "int32": 2**31 - 1, "int64": 2**63 - 1,
}  # fmt: skip

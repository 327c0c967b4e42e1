"""Random numbers."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.nn import functional as F
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import node


@node("RandomNormal", is_random=True)
def random_normal(
    *, shape: list, dtype: int = 1, mean: float = 0.0, scale: float = 1.0, seed: float | None = None
) -> Any:
    return (paddle.randn(shape, "float32") * scale + mean).astype(held(dtype))


@node("RandomUniform", is_random=True)
def random_uniform(
    *, shape: list, dtype: int = 1, low: float = 0.0, high: float = 1.0, seed: float | None = None
) -> Any:
    return paddle.uniform(shape, "float32", low, high).astype(held(dtype))


@node("RandomNormalLike", is_random=True)
def random_normal_like(
    x: Any,
    *,
    dtype: int | None = None,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
) -> Any:
    found = paddle.randn(x.shape, "float32") * scale + mean
    return found.astype(x.dtype if dtype is None else held(dtype))


@node("RandomUniformLike", is_random=True)
def random_uniform_like(
    x: Any,
    *,
    dtype: int | None = None,
    low: float = 0.0,
    high: float = 1.0,
    seed: float | None = None,
) -> Any:
    found = paddle.uniform(x.shape, "float32", low, high)
    return found.astype(x.dtype if dtype is None else held(dtype))


@node("Bernoulli", is_random=True)
def bernoulli(x: Any, *, dtype: int | None = None, seed: float | None = None) -> Any:
    return paddle.bernoulli(x).astype(x.dtype if dtype is None else held(dtype))


@node("Multinomial", is_random=True)
def multinomial(x: Any, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None) -> Any:
    share = F.softmax(x, -1)
    return paddle.multinomial(share, sample_size, True).astype(held(dtype))

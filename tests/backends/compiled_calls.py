"""Calls of functions as compiled Programs, on numbers of which some are special."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import twinoar as paddle
from twinoar import static

SPECIAL = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0]


def sample(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Numbers of which some are equal, and some are special."""
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.5
    if dtype.startswith(("int", "uint")):
        limits = np.iinfo(dtype)
        whole = random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
        few = random.integers(0, 9, shape).astype(dtype)
        return np.where(random.random(shape) < 0.5, whole, few)
    x = random.standard_normal(shape)
    x = np.where(random.random(shape) < 0.3, random.choice(SPECIAL, shape), x)
    x = np.where(random.random(shape) < 0.3, np.round(x), x)
    return x.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def compiled(function: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    """What a Program of a function gives, which runs without NumPy."""
    paddle.enable_static()
    try:
        program = static.Program()
        with static.program_guard(program):
            given = [
                static.data(f"x{n}", list(a.shape), str(a.dtype)) for n, a in enumerate(arrays)
            ]
            found = function(*given)
            outs = list(found) if isinstance(found, (tuple, list)) else [found]
        feed = {f"x{n}": a for n, a in enumerate(arrays)}
        return static.Executor().run(program, feed=feed, fetch_list=outs)
    finally:
        paddle.disable_static()


def same(found: list[np.ndarray], wanted: tuple[np.ndarray, ...]) -> None:
    """The bits of each result, among which are those of nan and of the sign of zero."""
    for f, w in zip(found, wanted, strict=True):
        assert (f.dtype, f.shape) == (w.dtype, w.shape)
        assert f.tobytes() == np.ascontiguousarray(w).tobytes()

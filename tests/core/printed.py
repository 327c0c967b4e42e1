"""Arrays to print. Run by a Python that has the real Paddle, this file records how Paddle does it.

python tests/core/printed.py
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

RECORDED = Path(__file__).with_name("printed.json")
DEFAULTS: dict[str, Any] = dict(
    precision=8, threshold=1000, edgeitems=3, sci_mode=False, linewidth=80
)


@dataclass(frozen=True)
class Case:
    """What to print: an array, the dtype to convert it to, and what `set_printoptions` gets."""

    data: Any
    dtype: str | None = None
    stop_gradient: bool = True
    options: dict[str, Any] = field(default_factory=dict)


def waves(*shape: int, scale: float = 1.0) -> np.ndarray:
    """Numbers that look random and are the same everywhere, about half of them negative."""
    count = int(np.prod(shape))
    steps = (np.arange(count) * 37 + 11) % 101 - 50
    return (steps / 32 * scale).reshape(shape)


NAN, INF = float("nan"), float("inf")
CASES: dict[str, Case] = {
    "whole floats": Case([1.0, 2.0]),
    "negative whole floats": Case([-1.0, 2.0]),
    "fractions": Case([0.5, 0.25, 0.125]),
    "negative fractions": Case([0.5, -0.25, 100.0]),
    "a number as wide as the negative ones": Case([-5, 10]),
    "a number wider than the negative ones": Case([-5, 100]),
    "wide negative": Case([-1000, 10]),
    "tiny": Case([1e-9, 1.0]),
    "tiny negative": Case([-1e-10, 1.0]),
    "huge": Case([1e10, 1.0]),
    "huge and tiny": Case([[1e10, -1e-10]], "float64"),
    "beyond float32's digits": Case([12345678.5, 0.1, 1e20]),
    "negative zero": Case([-0.0, 0.0]),
    "nan and infinities": Case([NAN, INF, -INF, 1.0]),
    "nan among fractions": Case([1.5, NAN]),
    "only nan": Case([NAN]),
    "only infinities": Case([INF, -INF]),
    "float 0-d": Case(3.0),
    "negative fraction 0-d": Case(-3.5),
    "nan 0-d": Case(NAN),
    "int 0-d": Case(-7),
    "bool 0-d": Case(True),
    "complex 0-d": Case(-1 + 2j),
    "ints": Case([1, 2, 3]),
    "negative ints": Case([-1, 2, -3000]),
    "int8": Case([[-1, 0], [127, -128]], "int8"),
    "uint8": Case([0, 255], "uint8"),
    "int32": Case([[1], [-20], [300]], "int32"),
    "bools": Case([True, False]),
    "all true": Case([True, True]),
    "complex": Case([1 + 2j, -3.5 - 4j]),
    "complex with negative imaginary parts": Case([1 - 1j, 1.0]),
    "complex negative zeros": Case(np.array([complex(-0.0, -0.0), 1.0])),
    "complex nan and infinity": Case(np.array([complex(NAN, INF), -INF])),
    "complex128 wraps": Case(np.full((2, 3), -1.25) + 0j),
    "float16": Case([1.5, -2.25, 0.1], "float16"),
    "bfloat16": Case([1.5, -2.25, 0.1], "bfloat16"),
    "float64": Case(waves(2, 3) / 7),
    "wanting a gradient": Case([1.0, 2.0], stop_gradient=False),
    "empty": Case([]),
    "empty rows": Case(np.zeros((3, 0), "int64")),
    "no rows": Case(np.zeros((0, 3), "float32")),
    "empty in three dimensions": Case(np.zeros((2, 0, 3), "float32")),
    "empty in four dimensions": Case(np.zeros((2, 2, 0, 2))),
    "matrix": Case([[1, 2], [3, 4]]),
    "three dimensions": Case(waves(2, 2, 3)),
    "four dimensions": Case(np.ones((2, 2, 2, 2))),
    "a line is full": Case(np.arange(50)),
    "lines of fractions": Case(waves(30) / 3, "float32"),
    "widest in the middle": Case([1, 2, 3, 123456, 4, 5, 6]),
    "negative in the middle": Case([1, 2, 3, -4, 5, 6, 77]),
    "thousand are printed in full": Case(np.arange(1000) % 7),
    "more are summarized": Case(np.arange(1001)),
    "summarized fractions": Case(np.arange(2000, dtype="float32") / 7),
    "summarized bools": Case(np.arange(2000) > 1000),
    "summarized matrix": Case(np.arange(40 * 50).reshape(40, 50)),
    "summarized rows": Case(waves(300, 4)),
    "summarized columns": Case(waves(4, 300)),
    "summarized in three dimensions": Case(waves(8, 20, 9, scale=100)),
    "precision 2": Case(waves(2, 4, scale=100), options=dict(precision=2)),
    "precision 0": Case(waves(2, 4, scale=100), options=dict(precision=0)),
    "scientific": Case([[1.5, -2.25], [1e-7, NAN]], options=dict(sci_mode=True, precision=3)),
    "scientific complex": Case([1 + 2j], options=dict(sci_mode=True, precision=2)),
    "scientific leaves ints": Case([1, 20], options=dict(sci_mode=True)),
    "threshold and edges": Case(waves(10, 10), options=dict(threshold=10, edgeitems=1)),
    "no edges": Case(np.arange(100), options=dict(threshold=10, edgeitems=0)),
    "narrow": Case(np.arange(30), options=dict(linewidth=40)),
    "narrower than one item": Case(waves(4), options=dict(linewidth=10)),
    "wide": Case(waves(30), options=dict(linewidth=120)),
}


def texts(to_tensor: Callable[..., Any], set_options: Callable[..., None]) -> dict[str, str]:
    """How each case is printed."""
    printed = {}
    for name, case in CASES.items():
        set_options(**{**DEFAULTS, **case.options})
        printed[name] = str(
            to_tensor(case.data, dtype=case.dtype, stop_gradient=case.stop_gradient)
        )
    set_options(**DEFAULTS)
    return printed


if __name__ == "__main__":
    import paddle

    RECORDED.write_text(json.dumps(texts(paddle.to_tensor, paddle.set_printoptions), indent=1))

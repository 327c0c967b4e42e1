"""Inputs made for a Program: each kind of number, each size, and what its conditions ask about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim, evaluate, names_in
from twinoar.core.ir import Program, Variable
from twinoar.core.spec import Spec

SIZES = (2, 1, 3, 7)
LARGER_SIZES = (8, 16, 32, 64)  # where the first do not fit, as images that are pooled often
MOST_LITERALS = 16
LARGEST_LITERAL = 1e6
Fill = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]

REALS: list[Fill] = [
    lambda r, shape: r.standard_normal(shape),
    lambda r, shape: r.random(shape),
    lambda r, shape: -r.random(shape),
    lambda r, shape: r.standard_normal(shape) * 10,
    lambda r, shape: np.zeros(shape),
    lambda r, shape: np.ones(shape),
    lambda r, shape: r.standard_normal(shape) * 0.01,
    lambda r, shape: r.standard_normal(shape) * 1000,
    lambda r, shape: np.arange(np.prod(shape), dtype=np.float64).reshape(shape),
]
INTEGERS: list[Fill] = [
    lambda r, shape: r.integers(0, 2, shape),
    lambda r, shape: r.integers(0, 10, shape),
    lambda r, shape: np.ones(shape),
    lambda r, shape: np.zeros(shape),
    lambda r, shape: np.arange(np.prod(shape)).reshape(shape),
    lambda r, shape: np.full(shape, 5),
    lambda r, shape: r.integers(-5, 6, shape),
]
TRUTHS: list[Fill] = [
    lambda r, shape: r.random(shape) < 0.5,
    lambda r, shape: np.ones(shape),
    lambda r, shape: np.zeros(shape),
]


def generated(program: Program, constants: Sequence[Any] = ()) -> Iterator[list[np.ndarray]]:
    """Arrays for the inputs of a Program, without end, the same ones each time.

    constants: of the source; numbers among them may be thresholds.
    """
    rng = np.random.default_rng(0)
    inputs = program.main.inputs
    literals = literals_of(program, constants)
    fills = [_fills(v.spec, literals) for v in inputs]
    plans = list(size_plans(inputs, literals))
    for number in range(max(map(len, fills), default=1) + len(plans)):  # all inputs alike
        plan = plans[number % len(plans)]
        kind = max(0, number - len(plans) + 1)
        yield [_array(v, f[kind % len(f)], plan, rng) for v, f in zip(inputs, fills, strict=True)]
    while True:
        plan = plans[rng.integers(len(plans))]
        yield [
            _array(v, f[rng.integers(len(f))], plan, rng)
            for v, f in zip(inputs, fills, strict=True)
        ]


def size_plans(inputs: list[Variable], literals: list[float]) -> Iterator[dict[str, int]]:
    """Sizes for the unknown dimensions: all the same, then one each, then what literals ask."""
    names = sorted(frozenset().union(*(names_in(d) for v in inputs for d in v.spec.shape)))
    if not names:
        yield {}
        return
    near = {int(c) + d for c in literals if c == int(c) and 0 < c < 64 for d in (-1, 0, 1)}
    for size in chain(SIZES, sorted(near - {0, *SIZES}), LARGER_SIZES):
        yield dict.fromkeys(names, size)
        if size == SIZES[0] and len(names) > 1:
            yield {name: 2 + i for i, name in enumerate(names)}
            yield {name: 1 if i else 3 for i, name in enumerate(names)}


def literals_of(program: Program, also: Sequence[Any] = ()) -> list[float]:
    """The numbers that a Program compares, adds or multiplies with: its thresholds are there."""
    found: dict[float, None] = {}
    operands = (x for o in program.main.walk() for x in o.operands)
    constants = (s.data for s in program.states.values() if s.is_constant)
    for x in chain(also, operands, constants):
        if isinstance(x, np.ndarray) and x.size == 1 and x.dtype.kind in "iuf":
            x = x.item()
        is_number = isinstance(x, (int, float)) and not isinstance(x, bool)
        if is_number and abs(x) <= LARGEST_LITERAL:
            found[x] = None
    return list(found)[:MOST_LITERALS]


def _fills(spec: Spec, literals: list[float]) -> list[Fill]:
    """The ways to fill an input."""
    kind = spec.dtype.numpy.kind
    if kind == "b":
        return TRUTHS
    near = [c + d for c in literals for d in (0, 1, -1)]
    around = [_constant(c) for c in dict.fromkeys(near)]
    if kind in "iu":
        return [*INTEGERS, *around]
    return [*REALS, *around, *(_scaled(c) for c in literals if c)]


def _constant(c: float) -> Fill:
    return lambda r, shape: np.full(shape, c)


def _scaled(c: float) -> Fill:
    return lambda r, shape: r.standard_normal(shape) * c


def _array(v: Variable, fill: Fill, plan: dict[str, int], rng: np.random.Generator) -> np.ndarray:
    sizes = [evaluate(d, plan) if isinstance(d, SymbolicDim) else d for d in v.spec.shape]
    dtype = v.spec.dtype.numpy
    values = fill(rng, tuple(int(n) for n in sizes))
    if dtype.kind == "u":
        values = np.abs(values)
    return np.asarray(values).astype(dtype)

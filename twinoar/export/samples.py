"""Inputs made for a Program: each kind of number, each size, and what its conditions ask about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim, evaluate, names_in
from twinoar.core.ir.program import Program, Variable
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


class Samples:
    """Arrays for the inputs of a Program, the same ones each time.

    constants: of the source; numbers among them may be thresholds.
    """

    def __init__(self, program: Program, constants: Sequence[Any] = ()):
        self.inputs = program.main.inputs
        self.rng = np.random.default_rng(0)
        literals = literals_of(program, constants)
        self.fills = [_fills(v.spec, literals) for v in self.inputs]
        self.names = sorted(names_in_all(self.inputs))
        near = {int(c) + d for c in literals if c == int(c) and 0 < c < 64 for d in (-1, 0, 1)}
        self.sizes = [*SIZES, *sorted(near - {0, *SIZES}), 0]

    def first(self) -> Iterator[list[np.ndarray]]:
        """All inputs filled alike: ordinary numbers of each of the first sizes, then other ones."""
        plans = list(self._plans(self.sizes))
        for number in range(len(plans) + max(map(len, self.fills), default=1)):
            kind = max(0, number - len(SIZES) + 1)
            plan = plans[number % len(plans)]
            yield self._arrays(plan, [f[kind % len(f)] for f in self.fills])

    def larger(self) -> Iterator[list[np.ndarray]]:
        """Ordinary numbers of larger sizes."""
        for plan in self._plans(LARGER_SIZES):
            yield self._arrays(plan, [f[0] for f in self.fills])

    def random(self) -> Iterator[list[np.ndarray]]:
        """Any size for each dimension, any filling for each input, without end."""
        while True:
            plan = {name: int(self.rng.choice(self.sizes)) for name in self.names}
            yield self._arrays(plan, [f[self.rng.integers(len(f))] for f in self.fills])

    def _plans(self, sizes: Sequence[int]) -> Iterator[dict[str, int]]:
        """Sizes for the unknown dimensions: all the same, and with the first also unequal ones."""
        for size in sizes if self.names else sizes[:1]:
            yield dict.fromkeys(self.names, size)
            if size == SIZES[0] and len(self.names) > 1:
                yield {name: 2 + i for i, name in enumerate(self.names)}
                yield {name: 1 if i else 3 for i, name in enumerate(self.names)}

    def _arrays(self, plan: dict[str, int], fills: list[Fill]) -> list[np.ndarray]:
        return [_array(v, f, plan, self.rng) for v, f in zip(self.inputs, fills, strict=True)]


def names_in_all(inputs: Sequence[Variable]) -> frozenset[str]:
    """The names of unknown sizes of these inputs."""
    return frozenset().union(*(names_in(d) for v in inputs for d in v.spec.shape))


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

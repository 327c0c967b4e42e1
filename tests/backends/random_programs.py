"""Programs made at random: operators of all kinds, composed over a few shapes, with states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.autograd.backprop import backprop
from twinoar.core.dtype import DType, float64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, Variable
from twinoar.core.spec import Spec

SIZES = (1, 2, 3, 5, 8, 17)
LARGEST = 20_000  # elements of a value
FUNCTIONS = ("tanh", "sin", "cos", "erf", "abs", "square", "neg", "expm1")
ACTIVATIONS = (
    "relu",
    "gelu",
    "silu",
    "softplus",
    "elu",
    "leaky_relu",
    "hardswish",
    "mish",
    "sigmoid",
)
BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "atan2")
REDUCTIONS = ("sum", "mean", "max", "min", "logsumexp", "prod", "std")


@dataclass
class Made:
    """A Program; arrays for its inputs, and for its states by name."""

    program: Program
    feeds: list[np.ndarray]
    states: dict[str, np.ndarray]


def random_program(seed: int, dtype: DType = float64, gradients: bool = False) -> Made:
    """The Program of a seed. gradients: it returns those of its results by its inputs too."""
    return _Maker(seed, dtype).made(gradients)


class _Maker:
    """Appends operators whose results stay of moderate size."""

    def __init__(self, seed: int, dtype: DType):
        self.random, self.dtype = Random(seed), dtype
        self.program = Program(f"random_{seed}")
        self.numbers = np.random.default_rng(seed)
        self.values: list[Any] = []

    def made(self, gradients: bool) -> Made:
        shapes = [self.shape() for _ in range(self.random.randint(2, 4))]
        inputs = [
            self.program.main.add_input(Spec(s, self.dtype), stop_gradient=False) for s in shapes
        ]
        count = self.random.randint(0, 3)
        states = [
            self.program.add_state(Spec(self.random.choice(shapes), self.dtype), f"state_{n}")
            for n in range(count)
        ]
        self.values = [*inputs, *states]
        with using(Builder(self.program)):
            for _ in range(self.random.randint(5, 30)):
                self.values.append(self.step())
            for s in states:
                self.program.update(s, self.update_of(s))
            outputs = self.random.sample(self.values[len(inputs) :], k=min(3, len(self.values) - 3))
            outputs = [v for v in outputs if isinstance(v, Variable)] or [self.values[-1]]
            self.program.main.outputs = list(outputs)
        if gradients:
            self.program.main.outputs += self.gradients(outputs, inputs)
        return Made(
            self.program,
            [self.array(v) for v in inputs],
            {s.name: self.array(s) for s in states},
        )

    def gradients(self, outputs: list[Variable], inputs: list[Variable]) -> list[Variable]:
        with using(Builder(self.program)):
            ones = {v: paddle.full_like(v, 1.0) for v in outputs if not v.stop_gradient}
            found = backprop(list(reversed(self.program.main.ops)), dict(ones))
        return [g for v in inputs if (g := found.get(v)) is not None]

    def array(self, v: Variable) -> np.ndarray:
        return self.numbers.standard_normal(v.spec.shape).astype(v.spec.dtype.numpy)

    def shape(self) -> tuple[int, ...]:
        return tuple(self.random.choice(SIZES) for _ in range(self.random.randint(0, 4)))

    def pick(self, suits: Callable[[Any], bool] = lambda v: True) -> Any:
        """A value that suits, rather a late one; a new one if none does."""
        found = [v for v in self.values if suits(v)]
        if not found:
            return None
        return found[max(self.random.randrange(len(found)) for _ in range(2))]

    def step(self) -> Any:
        """A new value."""
        while True:
            made = self.random.choice(STEPS)(self)
            if made is not None:
                return made

    def update_of(self, state: Any) -> Any:
        """A value of the state's shape: mostly a step from where it is, or any other."""
        same = [v for v in self.values if v.shape == state.shape]
        chosen = self.random.choice(same)
        if self.random.random() < 0.3:
            return chosen
        return state - 0.1 * chosen


def _unary(m: _Maker) -> Any:
    return getattr(paddle, m.random.choice(FUNCTIONS))(paddle.tanh(m.pick()))


def _activation(m: _Maker) -> Any:
    return getattr(paddle.nn.functional, m.random.choice(ACTIVATIONS))(m.pick())


def _broadcast(m: _Maker) -> Any:
    """Two values of shapes that broadcast."""
    x = m.pick()

    def fits(y: Any) -> bool:
        try:
            shape = np.broadcast_shapes(tuple(x.shape), tuple(y.shape))
        except ValueError:
            return False
        return int(np.prod(shape)) <= LARGEST

    y = m.pick(fits)
    if y is None:
        return None
    out = getattr(paddle, m.random.choice(BINARY))(x, y)
    return paddle.tanh(out) if m.random.random() < 0.3 else out * 0.5


def _quotient(m: _Maker) -> Any:
    x = m.pick()
    return x / (1.5 + paddle.square(paddle.sin(x)))


def _axes(m: _Maker, x: Any) -> list[int]:
    return m.random.sample(range(x.ndim), k=m.random.randint(1, x.ndim))


def _reduction(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    if x is None:
        return None
    name, axes = m.random.choice(REDUCTIONS), _axes(m, x)
    if name == "std":
        if np.prod([x.shape[a] for a in axes]) < 2:
            return None
        return paddle.sqrt(paddle.var(x, axis=axes, unbiased=False, keepdim=True) + 0.5)
    keep = m.random.random() < 0.5
    if name in ("prod", "sum"):
        x = paddle.tanh(x)
    found = getattr(paddle, name)(x, axis=axes, keepdim=keep)
    return paddle.tanh(found) if name == "sum" else found


def _cumulative(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    if x is None:
        return None
    return paddle.tanh(paddle.cumsum(x, axis=m.random.randrange(x.ndim)))


def _softmax(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    if x is None:
        return None
    name = m.random.choice(("softmax", "log_softmax"))
    return getattr(paddle.nn.functional, name)(x, axis=m.random.randrange(x.ndim))


def _layer_norm(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim and v.shape[-1] > 1)
    return None if x is None else paddle.nn.functional.layer_norm(x, [x.shape[-1]], epsilon=0.1)


def _transpose(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim > 1)
    return None if x is None else paddle.transpose(x, m.random.sample(range(x.ndim), k=x.ndim))


def _reshape(m: _Maker) -> Any:
    x = m.pick()
    shape = list(x.shape)
    m.random.shuffle(shape)
    if len(shape) > 1 and m.random.random() < 0.6:
        at = m.random.randrange(len(shape) - 1)
        shape[at : at + 2] = [shape[at] * shape[at + 1]]
    if m.random.random() < 0.3:
        shape.insert(m.random.randint(0, len(shape)), 1)
    return paddle.reshape(x, shape) if len(shape) < 6 else None


def _slice(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    if x is None:
        return None
    index = []
    for n in x.shape:
        kind = m.random.random()
        lo = m.random.randrange(n)
        if kind < 0.5:
            index.append(slice(None))
        elif kind < 0.8:
            index.append(slice(lo, m.random.randint(lo + 1, n), m.random.choice((1, 1, 2))))
        elif kind < 0.9:
            index.append(slice(None, None, -1))
        else:
            index.append(lo)
    return x[tuple(index)]


def _concat(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim and v.size < LARGEST // 2)
    if x is None:
        return None
    y = m.pick(lambda v: v.shape == x.shape)
    return paddle.concat([x, y * 2.0], axis=m.random.randrange(x.ndim))


def _stack(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim < 4 and v.size < LARGEST // 2)
    if x is None:
        return None
    y = m.pick(lambda v: v.shape == x.shape)
    return paddle.stack([x, y], axis=m.random.randint(0, x.ndim))


def _expand(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim < 4 and v.size < LARGEST // 8)
    return None if x is None else paddle.expand(x, [m.random.choice((2, 3, 8)), *x.shape])


def _pad(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim and v.size < LARGEST // 8)
    if x is None:
        return None
    pad = [m.random.randint(0, 2) for _ in range(2 * x.ndim)]
    return paddle.nn.functional.pad(x, pad, value=0.25)


def _matmul(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim > 1)
    if x is None:
        return None
    transposed = m.random.random() < 0.5
    other = m.pick(lambda v: v.ndim == 2 and v.shape[1 if transposed else 0] == x.shape[-1])
    if other is None:
        other, transposed = x, True
    if x.size * other.shape[-2 if transposed else -1] > 50 * LARGEST:
        return None
    return paddle.tanh(paddle.matmul(x, other, transpose_y=transposed))


def _gather(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    if x is None:
        return None
    axis = m.random.randrange(x.ndim)
    index = paddle.to_tensor([m.random.randrange(x.shape[axis]) for _ in range(4)])
    return paddle.index_select(x, index, axis=axis)


def _flip(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    return None if x is None else paddle.flip(x, _axes(m, x))


def _roll(m: _Maker) -> Any:
    x = m.pick(lambda v: v.ndim)
    return (
        None if x is None else paddle.roll(x, m.random.randint(-3, 3), m.random.randrange(x.ndim))
    )


def _chosen(m: _Maker) -> Any:
    """A choice by a mask that rounding cannot change: one of an input."""
    x = m.values[0]
    y = m.pick(lambda v: v.shape == x.shape)
    return paddle.where(x > 0.1, y, -0.5 * x)


STEPS: list[Callable[[_Maker], Any]] = [
    _unary, _unary, _activation, _broadcast, _broadcast, _broadcast, _quotient, _reduction,
    _reduction, _cumulative, _softmax, _layer_norm, _transpose, _reshape, _slice, _concat, _stack,
    _expand, _pad, _matmul, _gather, _flip, _roll, _chosen,
]  # fmt: skip

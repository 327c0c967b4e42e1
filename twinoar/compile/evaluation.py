"""The loop language run by NumPy: the oracle for rules and for code generators, and the kernel of
operators that are defined by an expression alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.compile.math import DRAWS, expand
from twinoar.core.dtype import BY_NUMPY, DType, converted
from twinoar.core.loop.error_function import erf_of, erfinv_of
from twinoar.core.loop.expression import Axis, Expr, axis_value, cast, make, walk
from twinoar.core.loop.gamma import digamma_of, log_gamma_of, polygamma_of
from twinoar.core.loop.language import Reader, compute_dtype, flatten
from twinoar.core.loop.pairs import OF_PRODUCTS
from twinoar.core.loop.special import i0_of, i0e_of, i1_of, i1e_of
from twinoar.errors import ArgumentError, AxisError

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "any": np.any, "all": np.all,
    "prod_real": lambda z, axis: np.prod(z, axis).real,
    "prod_imag": lambda z, axis: np.prod(z, axis).imag,
}  # fmt: skip
FUNCTION_OF_KIND: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "min": np.minimum,
    "max": np.maximum, "lt": np.less, "le": np.less_equal, "eq": np.equal, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "shl": np.left_shift, "shr": np.right_shift,
    "floordiv": np.floor_divide, "mod": np.remainder, "select": np.where, "neg": np.negative,
    "abs": np.abs, "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "round": np.rint,
    "trunc": np.trunc, "not": np.invert,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp_flushing": np.exp,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": erf_of,
    "erfinv": erfinv_of,
    "lgamma": log_gamma_of,
    "digamma": digamma_of,
    "trigamma": lambda x: polygamma_of(x, 1),
    "i0": i0_of,
    "i0e": i0e_of,
    "i1": i1_of,
    "i1e": i1e_of,
}


LOW_BITS = -(1 << 27)  # without its other bits, a float64 is half as long


def _fused(x: Any, y: Any, z: Any) -> Any:
    """x * y + z in extended precision, where the products of halves are exact."""
    wide = np.longdouble
    if x.dtype != np.float64:
        return x.astype(wide) * y + z
    a, b = ((np.asarray(v).view(np.int64) & LOW_BITS).view(np.float64) for v in (x, y))
    c, d = (x - a).astype(wide), (y - b).astype(wide)
    a, b = a.astype(wide), b.astype(wide)
    rest = (np.where(part == 0, -0.0, part) for part in (a * d + b * c, c * d))
    result = sum(rest, a * b + z)  # adding -0 keeps the sign of a zero
    return np.where(np.isnan(result), x.astype(wide) * y + z, result)


class Source:
    """An array that Readers load from."""

    def __init__(self, array: np.ndarray):
        self.array = array.reshape(-1)


def reader_of(array: np.ndarray) -> Reader:
    """A Reader of the elements of an array."""
    return loads(Source(array), array.shape, BY_NUMPY[array.dtype])


def loads(source: Any, shape: tuple[int, ...], dtype: DType) -> Reader:
    """A Reader whose elements are loads from `source` at their positions in row-major order."""

    def element(i: tuple[Expr, ...]) -> Expr:
        return cast(make("load", (source, flatten(i, shape)), dtype), compute_dtype(dtype))

    return Reader(shape, dtype, element)


def compiled(e: Expr, operands: Sequence[Expr | None]) -> Callable[..., Any]:
    """A function from arrays to the value of a node without axes; they stand for its `operands`."""
    nodes = list(walk(e))
    place = {n: k for k, n in enumerate(nodes)}
    given = [(place[x], k) for k, x in enumerate(operands) if x in place]
    known = {x for x in operands if x is not None}
    initial = [n.dtype.numpy.type(n.args[0]) if n.kind == "const" else None for n in nodes]
    steps = [
        (place[n], _function(n), [place[c] for c in n.children])
        for n in nodes
        if n.kind != "const" and n not in known
    ]

    def run(*arrays: Any) -> Any:
        values = list(initial)
        for at, k in given:
            values[at] = arrays[k]
        with np.errstate(all="ignore"):
            for at, function, children in steps:
                values[at] = function(*[values[c] for c in children])
        return values[-1]

    return run


def _part(z: Any, part: int | None = None) -> Any:
    """A complex number, or one of its two parts."""
    return z if part is None else z.imag if part else z.real


def _joined(real: Any, imag: Any) -> Any:
    """Complex numbers of their parts; 1j * inf would have a real part, too."""
    real, imag = np.broadcast_arrays(real, imag)
    joined = np.empty(real.shape, np.result_type(real, np.complex64))
    joined.real, joined.imag = real, imag
    return joined


def _function(e: Expr) -> Callable[..., Any]:
    """What computes a node from the values of its children."""
    match e.kind:
        case "linear":
            constant, terms = np.int64(e.args[0]), [c for _, c in e.args[1]]
            return lambda *x: sum((v * c for v, c in zip(x, terms, strict=True)), constant)
        case "cast":
            return lambda x: converted(np.asarray(x), e.dtype)
        case "bitcast":
            return lambda x: np.asarray(x).view(e.dtype.numpy)
        case "fma":
            return lambda *x: _fused(*x).astype(e.dtype.numpy)
        case "call" if e.args[0] in DRAWS:
            operands = [make("var", (f"x{k}",), c.dtype) for k, c in enumerate(e.children)]
            return compiled(expand(e.args[0], *operands), operands)
        case "complex":
            return _joined
        case "call":
            return _called(e.args[0], e.dtype)
    found: Callable[..., Any] = FUNCTION_OF_KIND[e.kind]
    return found


def _called(name: str, dtype: DType) -> Callable[..., Any]:
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    found: Callable[..., Any] | None = getattr(np, name, None)
    if found is not None:
        return found
    return lambda *x: np.vectorize(getattr(math, name))(*x).astype(dtype.numpy)


def elements(reader: Reader, exact: bool = False) -> np.ndarray:
    """All elements of a reader, as an array of its shape and dtype.

    exact: functions by their expansions of twinoar.compile.math, in place of NumPy's.
    """
    axes = [Axis(n, f"i{k}") for k, n in enumerate(reader.shape)]
    if 0 in reader.shape:
        return np.zeros(reader.shape, reader.dtype.numpy)
    with np.errstate(all="ignore"):
        out = Evaluation(axes, exact).of(reader[tuple(map(axis_value, axes))])
    return np.broadcast_to(out, reader.shape).astype(reader.dtype.numpy)


class Evaluation:
    """Values of nodes as arrays with one dimension for each axis; reductions add dimensions."""

    def __init__(self, axes: Sequence[Axis], exact: bool):
        self.rank, self.exact = len(axes), exact
        self.values: dict[Expr, np.ndarray] = {}
        self.axes: Mapping[Axis, np.ndarray] = {
            a: np.arange(a.size).reshape([-1 if k == n else 1 for k in range(self.rank)])
            for n, a in enumerate(axes)
        }

    def of(self, e: Expr) -> np.ndarray:
        """The value of a node."""
        if e not in self.values:
            self.values[e] = self._compute(e)
        return self.values[e]

    def _compute(self, e: Expr) -> Any:
        a = e.args
        if e.kind == "const":
            return e.dtype.numpy.type(a[0])
        if e.kind == "axis":
            return self.axes[a[0]]
        if e.kind == "load":
            return _part(a[0].array[self.of(a[1])], *a[2:])
        if e.kind == "bounded":
            index = self.of(a[0])
            wrong = index[(index < 0) | (index >= (a[1] or 1))]
            if wrong.size and not a[1]:
                raise ArgumentError(a[2])
            if wrong.size:
                raise AxisError(f"{a[2]} {wrong.flat[0]} is out of range for size {a[1]}")
            return index
        if e.kind == "call" and self.exact:
            return self.of(expand(*a))
        if e.kind == "reduce":
            return self._reduce(*a)
        return _function(e)(*[self.of(c) for c in e.children])

    def _reduce(self, kind: str, axes: tuple[Axis, ...], term: Expr) -> Any:
        inner = Evaluation((), self.exact)
        count = len(axes)
        inner.rank = self.rank + count
        grown = (1,) * count
        inner.axes = {
            **{a: v.reshape(v.shape + grown) for a, v in self.axes.items()},
            **{
                a: np.arange(a.size).reshape(
                    (1,) * (self.rank + n) + (-1,) + (1,) * (count - n - 1)
                )
                for n, a in enumerate(axes)
            },
        }
        values = np.asarray(inner.of(term))
        values = values.reshape((1,) * (inner.rank - values.ndim) + values.shape)
        sizes = values.shape[: self.rank] + tuple(a.size for a in axes)
        terms = math.prod(sizes[self.rank :])
        flat = np.broadcast_to(values, sizes).reshape(*sizes[: self.rank], terms)
        if kind.startswith("arg"):
            return (np.argmax if kind == "argmax" else np.argmin)(flat, axis=-1)
        found = REDUCTIONS[kind](flat, axis=-1)
        return found.astype(found.real.dtype if kind in OF_PRODUCTS else values.dtype)

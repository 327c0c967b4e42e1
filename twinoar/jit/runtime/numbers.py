"""Conversions to Python's numbers, and functions of numbers, where only a run knows them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from twinoar.core.dim import SymbolicDim, max_dim, number_of
from twinoar.core.dtype import DType, bool_, complex128, float64, int64
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ConversionError, TypeMismatchError
from twinoar.jit.runtime.branch import ternary
from twinoar.jit.runtime.calls import call, in_place_of
from twinoar.jit.runtime.lists import length, stack_of
from twinoar.jit.runtime.truth import condition
from twinoar.ops.control.number import Number, number, python_function
from twinoar.ops.control.number_range import check_fits

LARGEST_LIST = 1024  # elements of a tensor that tolist() takes apart into numbers


def is_symbolic(x: Any) -> bool:
    """True for what only a run knows: a tensor or size while a Program is built."""
    return isinstance(x, (Value, SymbolicDim)) and not current().runs


@in_place_of(int)
def int_(x: Any = 0, *base: Any) -> Any:
    """`int(x)`."""
    if isinstance(x, SymbolicDim):
        return x
    if not is_symbolic(x):
        return int(x, *base)
    one = _real(x, int)
    if one.dtype.is_floating:
        check_fits(number(one, float64))
    return number(one, int64)


@in_place_of(float)
def float_(x: Any = 0.0) -> Any:
    """`float(x)`."""
    if not is_symbolic(x):
        return float(x)
    return number(number_of(x) if isinstance(x, SymbolicDim) else _real(x, float), float64)


def _real(x: Any, kind: type) -> Any:
    """`x`, of which a number of this kind is made; Python's own error where it is complex."""
    one = _single(x)
    return kind(0j) if one.dtype.is_complex else one


@in_place_of(complex)
def complex_(*parts: Any) -> Any:
    """`complex(x)`, or of a real and an imaginary part."""
    if not any(map(is_symbolic, parts)):
        return complex(*parts)
    real, *imaginary = (
        number(number_of(p) if isinstance(p, SymbolicDim) else _single(p), complex128)
        if is_symbolic(p)
        else p
        for p in parts
    )
    return real + imaginary[0] * 1j if imaginary else real


@in_place_of(bool)
def bool_of(x: Any = False) -> Any:
    """`bool(x)`."""
    decides = condition(x)
    return number(decides, bool_) if isinstance(decides, Variable) else bool(decides)


@in_place_of(operator.index)
def index(x: Any) -> Any:
    """`operator.index(x)`."""
    if isinstance(x, Value) and is_symbolic(x) and not x.dtype.is_integer:
        raise TypeMismatchError(
            f"an index must be an integer, received {x.spec}", cure="use int(x)"
        )
    return int_(x) if is_symbolic(x) else operator.index(x)


@in_place_of(Variable.item, Tensor.item)
def item(x: Value, *place: Any) -> Any:
    """`x.item()`."""
    if place:
        flat = len(place) == 1
        x = x.reshape([-1])[place[0]] if flat else x[tuple(place)]
    one = _single(current().lift(x))
    return number(one, python_dtype_of(one.dtype))


def python_dtype_of(dtype: DType) -> DType:
    """That of Python's numbers for the elements of a dtype."""
    if dtype.is_complex:
        return complex128
    return float64 if dtype.is_floating else int64 if dtype.is_integer else dtype


@in_place_of(Variable.tolist, Tensor.tolist)
def tolist(x: Value) -> Any:
    """`x.tolist()`."""
    v = current().lift(x)
    if not v.spec.is_static or v.spec.size > LARGEST_LIST:
        raise ConversionError(
            f"tolist() of {v.name} ({v.spec}) makes as many numbers as it has elements",
            cure=f"work on the tensor itself; up to {LARGEST_LIST} elements, of a known shape, "
            "become numbers",
        )
    return _nested(v)


def _nested(v: Any) -> Any:
    return [_nested(v[i]) for i in range(v.spec.shape[0])] if v.ndim else item(v)


@in_place_of(Variable.numpy, Tensor.numpy)
def numpy(x: Value) -> Any:
    """`x.numpy()`."""
    raise ConversionError(
        f"numpy() asks for the data of a tensor ({x.spec}), which only a run knows",
        cure="use operators on the tensor, or int(x), float(x), x.item() for one number; "
        "NumPy's functions can run on the host by static.py_func",
    )


@in_place_of(len)
def len_(x: Any) -> Any:
    """`len(x)`; of a tensor the first size, which may be one that only a run knows."""
    if stack_of(x) is not None:
        return length(x)
    if not is_symbolic(x) or isinstance(x, SymbolicDim):
        return len(x)
    if not x.spec.shape:
        return Value.__len__(x)  # raises
    return x.spec.shape[0]


@in_place_of(min)
def min_(*args: Any, **options: Any) -> Any:
    """`min(...)`."""
    return _extreme(min, args, options, lambda new, best: new < best)


@in_place_of(max)
def max_(*args: Any, **options: Any) -> Any:
    """`max(...)`."""
    return _extreme(max, args, options, lambda new, best: new > best)


def _extreme(plain: Callable, args: tuple, options: dict[str, Any], beats: Callable) -> Any:
    """The first of the candidates that no other beats."""
    key = options.get("key")
    candidates = list(args[0]) if len(args) == 1 else list(args)
    ranks = [call(key)(c) for c in candidates] if key is not None else candidates
    if not candidates:
        return plain(candidates, **options)
    if not any(map(is_symbolic, ranks)):
        return candidates[plain(range(len(ranks)), key=ranks.__getitem__)]
    if all(isinstance(r, (int, SymbolicDim)) for r in ranks) and key is None:
        return _extreme_size(plain, ranks)
    best, rank = candidates[0], ranks[0]
    for candidate, own in zip(candidates[1:], ranks[1:], strict=True):
        better = condition(beats(own, rank))
        best = _either(better, candidate, best)
        rank = best if key is None else _either(better, own, rank)
    return best


def _either(decides: Any, x: Any, y: Any) -> Any:
    if not isinstance(decides, Variable):
        return x if decides else y
    x, y = (number_of(v) if isinstance(v, SymbolicDim) else v for v in (x, y))
    return ternary(decides, lambda: x, lambda: y)


def _extreme_size(plain: Callable, sizes: list[Any]) -> Any:
    found = sizes[0]
    for size in sizes[1:]:
        larger = max_dim(found, size)
        found = larger if plain is max else found + size - larger
    return found


@in_place_of(round)
def round_(x: Any, digits: int | None = None) -> Any:
    """`round(x)`."""
    if is_symbolic(x) and isinstance(x, Value) and not isinstance(x, Number):
        raise TypeMismatchError(
            "Python's round takes numbers, received a tensor",
            cure="use x.round() or paddle.round, or round(float(x))",
        )
    return round(x) if digits is None else round(x, digits)


def _single(x: Any) -> Variable:
    """A tensor of one element as a symbol. Raises ArgumentError for more."""
    v: Variable = current().lift(x)
    if isinstance(v.spec.size, int) and v.spec.size != 1:
        raise ArgumentError(
            f"one number is wanted, the tensor has {v.spec.size} elements",
            cure="give an index: x[0], or reduce it",
        )
    return v


# Functions of `math`, and where they are defined.
for _name in ("tanh", "atan", "fabs"):
    in_place_of(getattr(math, _name))(python_function(_name))
for _name in ("exp", "expm1", "sinh", "cosh"):
    in_place_of(getattr(math, _name))(python_function(_name, overflows=True))
for _name in ("sin", "cos", "tan"):
    in_place_of(getattr(math, _name))(python_function(_name, lambda x: abs(x) < math.inf))
for _name in ("isnan", "isinf", "isfinite"):
    in_place_of(getattr(math, _name))(python_function(_name))
in_place_of(math.sqrt)(python_function("sqrt", lambda x: x >= 0))
for _name in ("log", "log2", "log10"):
    in_place_of(getattr(math, _name))(python_function(_name, lambda x: x > 0))


def _whole(plain: Callable) -> Callable:
    """A function that makes a whole number of a number."""

    def function(x: Any) -> Any:
        return plain(float_(x) if is_symbolic(x) and not isinstance(x, SymbolicDim) else x)

    return function


for _name in ("floor", "ceil", "trunc"):
    in_place_of(getattr(math, _name))(_whole(getattr(math, _name)))

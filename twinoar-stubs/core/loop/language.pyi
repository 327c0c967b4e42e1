"""Loop language: what one element of an operator's result is, in terms of elements of its operands."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.core.loop.language
from typing import Any, Literal, overload

import numpy as _numpy

class Axis:
    """A loop's counter: 0, 1, .."""
    def __init__(self, size: Any, name: builtins.str = 'k') -> None: ...
    name: Any
    size: Any
class Expr:
    """A node: `kind`, `args` (Exprs and plain values), `dtype`; equal nodes are one object."""
    def __init__(self, kind: builtins.str, args: builtins.tuple[Any, ...], dtype: twinoar.dtype, bounds: builtins.tuple[Any, Any]) -> None: ...
    @property
    def value(self) -> Any:
        """The value of a constant, None for other nodes."""
    def __add__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __radd__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __sub__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __rsub__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __mul__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __rmul__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __truediv__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __rtruediv__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __floordiv__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __mod__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __pow__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __rpow__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __neg__(self) -> twinoar.core.loop.language.Expr: ...
    def __abs__(self) -> twinoar.core.loop.language.Expr: ...
    def __lt__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __le__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __gt__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __ge__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __and__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __or__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __xor__(self, other: Any) -> twinoar.core.loop.language.Expr: ...
    def __invert__(self) -> twinoar.core.loop.language.Expr: ...
    def __bool__(self) -> builtins.bool: ...
    @property
    def order(self) -> builtins.str:
        """What sorts the terms of a sum, by kinds and names: no number, which may vary by size."""
    args: Any
    bounds: Any
    children: builtins.tuple[twinoar.core.loop.language.Expr, ...]
    depth: builtins.int
    dtype: Any
    free: builtins.frozenset[twinoar.core.loop.language.Axis]
    kind: Any
class Reader:
    """An operand as a rule sees it: `x[i, j]` is an element, loaded or computed on the spot."""
    def __init__(self, shape: collections.abc.Sequence[Any], dtype: twinoar.dtype, element: collections.abc.Callable[[builtins.tuple[twinoar.core.loop.language.Expr, ...]], twinoar.core.loop.language.Expr]) -> None: ...
    @property
    def ndim(self) -> builtins.int:
        """Number of dimensions."""
    def __getitem__(self, index: Any) -> twinoar.core.loop.language.Expr: ...
    def broadcast(self, index: collections.abc.Sequence[Any]) -> twinoar.core.loop.language.Expr:
        """The element at an index of a shape that this one broadcasts to."""
    def padded(self, index: collections.abc.Sequence[Any], fill: Any = 0) -> twinoar.core.loop.language.Expr:
        """The element at an index, or `fill` where that lies outside."""
    def over(self, i: collections.abc.Sequence[twinoar.core.loop.language.Expr], axes: collections.abc.Iterable[Any], keepdim: builtins.bool) -> builtins.tuple[builtins.tuple[builtins.int, ...], collections.abc.Callable[..., twinoar.core.loop.language.Expr]]:
        """What element i of a reduction over axes, counted from 0, reduces: sizes and term."""
    dtype: Any
    element: Any
    shape: Any
def abs(x: Any) -> twinoar.core.loop.language.Expr:
    """The absolute value."""
def add(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x + y; of bool, whether either holds."""
def all_(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """Whether all terms hold, as `sum`."""
def and_(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """Both, of bool; common bits, of integers."""
def any_(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """Whether any term holds, as `sum`."""
def argmax(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """Where the first greatest term is, in row-major order; a nan counts as greatest."""
def argmin(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """Where the first least term is, as `argmax`."""
def at(x: Any, index: collections.abc.Sequence[Any]) -> Any:
    """The element of an operand at an index of a shape that it broadcasts to; numbers stay."""
def bitcast(x: twinoar.core.loop.language.Expr, dtype: twinoar.dtype) -> twinoar.core.loop.language.Expr:
    """The bits of x read as another dtype of the same size."""
def bounded(index: Any, size: Any, what: builtins.str = 'index') -> twinoar.core.loop.language.Expr:
    """An index that data gave: checked to be in [0, size) while running; 0 where it is not."""
def call(name: builtins.str, *args: Any) -> twinoar.core.loop.language.Expr:
    """One of FUNCTIONS or DRAWS, by name; `twinoar.compile.math` says how it is computed."""
def cast(x: Any, dtype: twinoar.dtype) -> twinoar.core.loop.language.Expr:
    """x as another dtype; NumPy's rules."""
def ceil(x: Any) -> twinoar.core.loop.language.Expr:
    """x rounded up, as `floor`."""
def clamped(index: Any, size: Any) -> twinoar.core.loop.language.Expr:
    """The index moved into [0, size), so that reading there is safe."""
def compute_dtype(dtype: twinoar.dtype) -> twinoar.dtype:
    """The dtype in which elements of `dtype` are computed: float32 for floats of 16 and 8 bits."""
def conj(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """The complex conjugate; a real number as it is."""
def const(value: Any, dtype: twinoar.dtype | None = None) -> twinoar.core.loop.language.Expr:
    """A constant; a bool, int, float or complex is bool, int64, float32 or complex64 by default."""
def div(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x / y of floating numbers."""
def eq(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x == y, a bool."""
def flatten(index: collections.abc.Sequence[Any], shape: collections.abc.Sequence[Any]) -> twinoar.core.loop.language.Expr:
    """The position of an element in row-major order."""
def floor(x: Any) -> twinoar.core.loop.language.Expr:
    """x rounded down; integers are whole already."""
def floordiv(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x / y rounded down, of integers; 0 where y is 0."""
def fma(x: Any, y: Any, z: Any) -> twinoar.core.loop.language.Expr:
    """x * y + z, rounded once."""
def ge(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x >= y, a bool."""
def gt(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x > y, a bool."""
def imag(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """The imaginary part; 0 for a real number."""
def isfinite(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """False of nan and the infinities."""
def isinf(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """True of the infinities."""
def isnan(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """True of nan."""
def le(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x <= y, a bool."""
def lt(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x < y, a bool."""
def max(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """The greater one; nan if either is nan, as NumPy's maximum."""
maximum = max
def min(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """The lesser one; nan if either is nan, as NumPy's minimum."""
def mod(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x - floordiv(x, y) * y, of integers; 0 where y is 0."""
def mul(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x * y; of bool, whether both hold."""
def ne(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x != y, a bool; true of nan."""
def neg(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """-x."""
def not_(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """The bits of x turned over; `not x` for bool."""
def of_parts(real: Any, imag: Any) -> twinoar.core.loop.language.Expr:
    """The complex number of two real ones, in float32 or float64."""
def or_(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """Either, of bool; all bits, of integers."""
def pair(x: Any, y: Any) -> builtins.tuple[twinoar.core.loop.language.Expr, twinoar.core.loop.language.Expr]:
    """Both operands of a binary node in one dtype: numbers take that of the other operand."""
def power(x: twinoar.core.loop.language.Expr, exponent: Any) -> twinoar.core.loop.language.Expr:
    """x to a power; to a whole number, which may be negative, by multiplication."""
def prod(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """The product, as `sum`."""
def real(x: twinoar.core.loop.language.Expr) -> twinoar.core.loop.language.Expr:
    """The real part; a real number as it is."""
def reduce(kind: builtins.str, sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """`kind` (sum, prod, min, max, any, all, argmin, argmax) of term(k0, ...) for k below sizes."""
def refused(condition: Any, value: Any, message: builtins.str) -> twinoar.core.loop.language.Expr:
    """`value`; where the condition holds it is 0, and the run ends in an error that says `message`."""
def round(x: Any) -> twinoar.core.loop.language.Expr:
    """The nearest whole number, ties to even, as `floor`."""
def select(condition: Any, x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x where the condition holds, y elsewhere; both are computed."""
def shl(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x * 2 ** y of integers, by bits."""
def shr(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x // 2 ** y of integers, by bits; the sign is kept."""
def sqrt(x: Any) -> twinoar.core.loop.language.Expr:
    """The square root, correctly rounded."""
def sub(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """x - y."""
def sum(sizes: collections.abc.Iterable[Any], term: collections.abc.Callable[..., Any]) -> twinoar.core.loop.language.Expr:
    """The sum of term(k0, k1, ...) for all k below sizes; in the dtype of the term."""
def trunc(x: Any) -> twinoar.core.loop.language.Expr:
    """x rounded towards zero, as `floor`."""
def unflatten(position: Any, shape: collections.abc.Sequence[Any]) -> builtins.tuple[twinoar.core.loop.language.Expr, ...]:
    """The index of the element at a position in row-major order."""
def xor_(x: Any, y: Any) -> twinoar.core.loop.language.Expr:
    """One of the two, of bool; differing bits, of integers."""

"""Nodes of the loop language: typed expressions, each made once, and the algebra of integers.

Integers of 64 bits are kept as sums of multiples, `linear`, so that index arithmetic simplifies by
itself: (4 * i + j) // 4 is i where j is below 4. What is known of a value's range is kept with it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from twinoar.core.dtype import (
    FLOAT8,
    REAL_OF,
    DType,
    bfloat16,
    bool_,
    complex64,
    float16,
    float32,
    float64,
    int64,
)
from twinoar.core.loop.axis import Axis
from twinoar.core.loop.text import shown
from twinoar.core.varying import divides, highest, is_one, is_varying, less, lowest, same
from twinoar.errors import DTypeError

Bounds = tuple[int | None, int | None]  # least and greatest value, None where not known
UNKNOWN: Bounds = (None, None)
WIDENED = {float32: (float16, bfloat16, *FLOAT8), float64: (float16, bfloat16, float32, *FLOAT8)}
LARGE = 1 << 61  # what indices stay below
TOLD = 100  # characters of a term that tell it from others
LONGEST = 10_000  # characters of an expression's text: what is shared is written out at each use


class Expr:
    """A node: `kind`, `args` (Exprs and plain values), `dtype`; equal nodes are one object.

    children: the Exprs among its arguments. free: the axes that its value depends on. depth: how
    deep reductions are nested in it. bounds: its range, for integers.
    """

    children: tuple[Expr, ...]
    free: frozenset[Axis]
    depth: int
    __slots__ = (
        "__weakref__", "_order", "args", "bounds", "children", "depth", "dtype", "free", "kind",
    )  # fmt: skip

    def __init__(self, kind: str, args: tuple[Any, ...], dtype: DType, bounds: Bounds):
        self.kind, self.args, self.dtype, self.bounds = kind, args, dtype, bounds
        self._order = ""
        if kind == "linear":
            self.children = tuple([term for term, _ in args[1]])
        else:
            self.children = tuple([a for a in args if isinstance(a, Expr)])
        free: frozenset[Axis] = NOTHING
        depth = 0
        for c in self.children:
            if c.free is not free:
                free = free | c.free if free else c.free
            if c.depth > depth:
                depth = c.depth
        self.depth = depth
        if kind == "axis":
            free = frozenset((args[0],))
        elif kind == "reduce":
            free -= frozenset(args[1])
            self.depth += 1
        self.free = free

    @property
    def value(self) -> Any:
        """The value of a constant, None for other nodes."""
        return self.args[0] if self.kind == "const" else None

    def __add__(self, other: Any) -> Expr:
        return add(self, other)

    def __radd__(self, other: Any) -> Expr:
        return add(other, self)

    def __sub__(self, other: Any) -> Expr:
        return sub(self, other)

    def __rsub__(self, other: Any) -> Expr:
        return sub(other, self)

    def __mul__(self, other: Any) -> Expr:
        return mul(self, other)

    def __rmul__(self, other: Any) -> Expr:
        return mul(other, self)

    def __truediv__(self, other: Any) -> Expr:
        return div(self, other)

    def __rtruediv__(self, other: Any) -> Expr:
        return div(other, self)

    def __floordiv__(self, other: Any) -> Expr:
        return floordiv(self, other)

    def __mod__(self, other: Any) -> Expr:
        return mod(self, other)

    def __pow__(self, other: Any) -> Expr:
        return power(self, other)

    def __rpow__(self, other: Any) -> Expr:
        return power(wrap(other, self.dtype), self)

    def __neg__(self) -> Expr:
        return neg(self)

    def __abs__(self) -> Expr:
        return make("abs", (self,), self.dtype)

    def __lt__(self, other: Any) -> Expr:
        return lt(self, other)

    def __le__(self, other: Any) -> Expr:
        return le(self, other)

    def __gt__(self, other: Any) -> Expr:
        return lt(other, self)

    def __ge__(self, other: Any) -> Expr:
        return le(other, self)

    def __and__(self, other: Any) -> Expr:
        return logic("and", self, other)

    def __or__(self, other: Any) -> Expr:
        return logic("or", self, other)

    def __xor__(self, other: Any) -> Expr:
        return logic("xor", self, other)

    def __invert__(self) -> Expr:
        return not_(self)

    def __bool__(self) -> bool:
        raise TypeError(
            "an element has no truth while a rule is written: use select(condition, a, b)"
        )

    @property
    def order(self) -> str:
        """What sorts the terms of a sum, by kinds and names: no number, which may vary by size.

        Nor when it was made: what a process had made before would change the text of a kernel.
        """
        if not self._order:
            inner = ",".join([c.order for c in self.children])
            name = self.args[0].name if self.kind == "axis" else f"{self.kind}({inner})"
            self._order = name[:TOLD]
        return self._order

    def __repr__(self) -> str:
        texts: dict[Expr, str] = {}
        for e in walk(self):
            text = shown(e, texts)
            texts[e] = text if len(text) <= LONGEST else f"{e.kind}(...)"
        return texts[self]


NOTHING: frozenset[Axis] = frozenset()
_made: weakref.WeakValueDictionary[tuple[Any, ...], Expr] = weakref.WeakValueDictionary()


def make(kind: str, args: tuple[Any, ...], dtype: DType, bounds: Bounds = UNKNOWN) -> Expr:
    """The node of this kind with these arguments, made where there is none yet."""
    # What a name stands for is not told by the name.
    key = (kind, args, dtype.name) if kind != "var" else (kind, args, dtype.name, bounds)
    found = _made.get(key)
    if found is None:
        if kind not in MOVED and _meets_complex(args, dtype):
            return of_complex[0](kind, args, dtype)
        found = _made[key] = Expr(kind, args, dtype, bounds)
    return found


MOVED = ("complex", "load", "var")  # kinds of nodes that complex numbers have
of_complex: list[Callable[..., Expr]] = []  # what answers for others: `pairs`, built upon this


def _meets_complex(args: tuple[Any, ...], dtype: DType) -> bool:
    """True for an operation on complex numbers, which is one on their parts."""
    if dtype.is_complex:
        return True
    x = args[0] if args else None
    if isinstance(x, Expr):
        return x.dtype.is_complex
    return x in ("argmax", "argmin") and args[2].dtype.is_complex


OF_NUMBER = {bool: bool_, int: int64, complex: complex64}


def const(value: Any, dtype: DType | None = None) -> Expr:
    """A constant; a bool, int, float or complex is bool, int64, float32 or complex64 by default."""
    if type(value) is int and (dtype is None or dtype is int64):
        return _integer(value)
    if dtype is None:
        dtype = next((d for kind, d in OF_NUMBER.items() if isinstance(value, kind)), float32)
    if is_varying(value):
        whole = make("const", (value,), int64, (value, value))
        return whole if dtype is int64 else make("cast", (whole,), dtype)
    if dtype.is_complex:
        z, part = complex(value), REAL_OF[dtype]
        return make("complex", (const(z.real, part), const(z.imag, part)), dtype)
    if dtype.is_floating:
        return _number(float(value).hex(), dtype)
    value = bool(value) if dtype is bool_ else int(value)
    return make("const", (value,), dtype, (int(value), int(value)))


@lru_cache(maxsize=4096)  # nine of ten constants are such, and few differ
def _integer(value: int) -> Expr:
    return make("const", (value,), int64, (value, value))


@lru_cache(maxsize=4096)
def _number(text: str, dtype: DType) -> Expr:
    """The constant that a hexadecimal text stands for; 0.0 and -0.0 are two."""
    with np.errstate(over="ignore"):
        value = float(dtype.numpy.type(float.fromhex(text)))
    return make("const", (value, text), dtype)


def axis_value(axis: Axis) -> Expr:
    """The counter of a loop; 0 where it runs once."""
    if is_one(axis.size):
        return const(0)
    return make("axis", (axis,), int64, (0, axis.size - 1))


def wrap(x: Any, like: DType | None = None) -> Expr:
    """An Expr as it is; a number as a constant of dtype `like`."""
    return x if isinstance(x, Expr) else const(x, like)


def pair(x: Any, y: Any) -> tuple[Expr, Expr]:
    """Both operands of a binary node in one dtype: numbers take that of the other operand."""
    x = wrap(x, y.dtype if isinstance(y, Expr) else None)
    y = wrap(y, x.dtype)
    if x.dtype is not y.dtype:
        raise DTypeError(
            f"elements of {x.dtype.name} and {y.dtype.name} meet",
            cure="cast one of them, s.cast(y, x.dtype); a number of that type is "
            "s.const(1.0, x.dtype)",
        )
    return x, y


def is_index(*xs: Expr) -> bool:
    """True where the algebra of integers applies: numbers that no sum of a few makes wrap.

    It does not apply to what data holds: x + 1 > x is false of the greatest integer.
    """
    return all([x.dtype is int64 and _fits(x, -LARGE, LARGE) for x in xs])


# Integers as sums of multiples.

Terms = dict[Expr, int]


def split(x: Expr) -> tuple[int, Terms]:
    """`x` as a constant and multiples of terms."""
    if x.kind == "const":
        return x.args[0], {}
    if x.kind == "linear":
        return x.args[0], dict(x.args[1])
    return 0, {x: 1}


def join(constant: int, terms: Terms) -> Expr:
    """The sum of a constant and multiples of terms."""
    constant, terms = reunited(constant, {t: c for t, c in terms.items() if not same(c, 0)})
    kept = sorted(terms.items(), key=lambda item: item[0].order)
    if not kept:
        return const(constant)
    if len(kept) == 1 and same(constant, 0) and is_one(kept[0][1]):
        return kept[0][0]
    low: int | None = constant
    high: int | None = constant
    for t, c in kept:
        ends = t.bounds if c > 0 else (t.bounds[1], t.bounds[0])
        low = None if low is None or ends[0] is None else low + c * ends[0]
        high = None if high is None or ends[1] is None else high + c * ends[1]
    return make("linear", (constant, tuple(kept)), int64, (low, high))


def reunited(constant: int, terms: Terms) -> tuple[int, Terms]:
    """The same sum, in which mod(x, d) + d * floordiv(x, d) is x."""
    for rest, c in terms.items():
        if rest.kind != "mod" or rest.args[1].value is None:
            continue
        wanted = c * rest.args[1].value
        for whole, factor in terms.items():
            if whole.kind == "floordiv" and whole.args == rest.args and same(factor, wanted):
                others = {t: k for t, k in terms.items() if t is not rest and t is not whole}
                more, parts = split(rest.args[0])
                for t, k in parts.items():
                    others[t] = others.get(t, 0) + c * k
                kept = {t: k for t, k in others.items() if not same(k, 0)}
                return reunited(constant + c * more, kept)
    return constant, terms


def weighted_sum(xs: Iterable[Expr], factors: Iterable[int]) -> Expr:
    """The sum of each of `xs` times its factor."""
    constant = 0
    terms: Terms = {}
    for x, factor in zip(xs, factors, strict=True):
        more, others = split(x)
        constant += factor * more
        for t, c in others.items():
            terms[t] = terms.get(t, 0) + factor * c
    return join(constant, terms)


def parted(x: Expr, divisor: int) -> tuple[Expr, Expr]:
    """Two sums: x is divisor * the first + the second, which no term of could be divided."""
    constant, terms = split(x)
    whole = {t: c // divisor for t, c in terms.items() if divides(divisor, c)}
    rest = {t: c for t, c in terms.items() if t not in whole}
    return join(constant // divisor, whole), join(constant % divisor, rest)


def within(x: Expr, low: int, high: int) -> bool:
    """True where `x` is known to be in [low, high)."""
    least, greatest = x.bounds
    if least is None or greatest is None:
        return False
    return less(low - 1, least) and less(greatest, high)


def _fits(x: Expr, low: int, high: int) -> bool:
    """As `within`; where only some sizes say so, those that do not are planned for apart."""
    least, greatest = x.bounds
    return least is not None and greatest is not None and low <= least and greatest < high


def add(x: Any, y: Any) -> Expr:
    """x + y; of bool, whether either holds."""
    x, y = pair(x, y)
    if is_index(x, y):
        return weighted_sum((x, y), (1, 1))
    if x.dtype is bool_:
        return logic("or", x, y)
    if x.dtype.is_integer and 0 in (x.value, y.value):
        return x if y.value == 0 else y
    return make("add", (x, y), x.dtype)


def sub(x: Any, y: Any) -> Expr:
    """x - y."""
    x, y = pair(x, y)
    return weighted_sum((x, y), (1, -1)) if is_index(x, y) else make("sub", (x, y), x.dtype)


def mul(x: Any, y: Any) -> Expr:
    """x * y; of bool, whether both hold."""
    x, y = pair(x, y)
    if x.dtype is bool_:
        return logic("and", x, y)
    if x.dtype is int64:
        for factor, other in ((x.value, y), (y.value, x)):
            if factor is not None and _stays(other, factor):
                constant, terms = split(other)
                return join(constant * factor, {t: c * factor for t, c in terms.items()})
        x, y = sorted((x, y), key=lambda e: e.order)
    if is_one(x.value):
        return y
    if is_one(y.value):
        return x
    return make("mul", (x, y), x.dtype)


def _stays(x: Expr, factor: int) -> bool:
    """True for an index that is one after it is multiplied, too."""
    largest = LARGE // max(abs(factor), 1)
    return is_index(x) and _fits(x, -largest, largest + 1)


def div(x: Any, y: Any) -> Expr:
    """x / y of floating numbers."""
    x, y = pair(x, y)
    return x if is_one(y.value) else make("div", (x, y), x.dtype)


def neg(x: Expr) -> Expr:
    """-x."""
    return weighted_sum((x,), (-1,)) if is_index(x) else make("neg", (x,), x.dtype)


def floordiv(x: Any, y: Any) -> Expr:
    """x / y rounded down, of integers; 0 where y is 0."""
    x, y = pair(x, y)
    divisor = y.value
    if is_one(divisor):
        return x
    if x.dtype is int64 and divisor is not None and divisor > 0:
        whole, rest = parted(x, divisor)
        if within(rest, 0, divisor):
            return whole
        if x.value is not None:
            return const(x.value // divisor)
        least, greatest = rest.bounds
        bounds = (
            None if least is None else least // divisor,
            None if greatest is None else greatest // divisor,
        )
        return add(whole, make("floordiv", (rest, y), int64, bounds))
    return make("floordiv", (x, y), x.dtype)


def mod(x: Any, y: Any) -> Expr:
    """x - floordiv(x, y) * y, of integers; 0 where y is 0."""
    x, y = pair(x, y)
    divisor = y.value
    if x.dtype is int64 and divisor is not None and divisor > 0:
        _, rest = parted(x, divisor)
        if within(rest, 0, divisor):
            return rest
        if x.value is not None:
            return const(x.value % divisor)
        return make("mod", (rest, y), int64, (0, divisor - 1))
    return make("mod", (x, y), x.dtype)


def power(x: Expr, exponent: Any) -> Expr:
    """x to a power; to a whole number, which may be negative, by multiplication."""
    if not isinstance(exponent, int) or x.dtype.is_complex:
        return make("call", ("pow", *pair(x, exponent)), x.dtype)
    if exponent < 0:
        return div(1.0, power(x, -exponent))
    out, square = const(1, x.dtype), x
    while exponent:
        if exponent & 1:
            out = mul(out, square)
        exponent >>= 1
        square = mul(square, square) if exponent else square
    return out


# Comparison, logic, choice.


def lt(x: Any, y: Any) -> Expr:
    """x < y, a bool."""
    x, y = pair(x, y)
    known = _compared(x, y)
    return make("lt", (x, y), bool_) if known is None else const(known)


def le(x: Any, y: Any) -> Expr:
    """x <= y, a bool."""
    x, y = pair(x, y)
    if is_index(x, y):
        return lt(x, y + 1)
    known = _compared(y, x)
    return make("le", (x, y), bool_) if known is None else const(not known)


def eq(x: Any, y: Any) -> Expr:
    """x == y, a bool."""
    x, y = pair(x, y)
    if x is y and not x.dtype.is_differentiable:
        return const(True)
    if _compared(x, y) or _compared(y, x):
        return const(False)
    return make("eq", (x, y), bool_)


def _compared(x: Expr, y: Expr) -> bool | None:
    """Whether x < y, where the ranges say so."""
    if is_index(x, y):
        least, greatest = weighted_sum((x, y), (1, -1)).bounds
    elif x.dtype.is_integer:
        (a, b), (c, d) = _range(x), _range(y)
        least, greatest = a - d, b - c
    else:
        return None
    if greatest is not None and less(greatest, 0):
        return True
    return False if least is not None and less(-1, least) else None


def _range(x: Expr) -> tuple[int, int]:
    """Between what an integer lies; a literal may lie outside of its dtype."""
    info = np.iinfo(x.dtype.numpy)
    low, high = x.bounds
    return info.min if low is None else low, info.max if high is None else high


def logic(kind: str, x: Any, y: Any) -> Expr:
    """`and`, `or` or `xor` of the bits; of truth values for bool."""
    x, y = pair(x, y)
    if x.dtype is bool_ and kind != "xor":
        ends = kind == "or"
        for known, other in ((x.value, y), (y.value, x)):
            if known is not None:
                return const(ends) if known is ends else other
    return x if x is y and kind != "xor" else make(kind, (x, y), x.dtype)


def not_(x: Expr) -> Expr:
    """The bits of x turned over; `not x` for bool."""
    if x.value is not None and x.dtype is bool_:
        return const(not x.value)
    return make("not", (x,), x.dtype)


def select(condition: Any, x: Any, y: Any) -> Expr:
    """x where the condition holds, y elsewhere; both are computed."""
    condition = wrap(condition, bool_)
    x, y = pair(x, y)
    if condition.value is not None:
        return x if condition.value else y
    (a, b), (c, d) = x.bounds, y.bounds
    low = None if a is None or c is None else lowest(a, c)
    high = None if b is None or d is None else highest(b, d)
    return x if x is y else make("select", (condition, x, y), x.dtype, (low, high))


def cast(x: Any, dtype: DType) -> Expr:
    """x as another dtype; NumPy's rules."""
    x = wrap(x)
    if x.dtype is dtype:
        return x
    if x.kind == "cast" and x.args[0].dtype is dtype and dtype in WIDENED.get(x.dtype, ()):
        return x.args[0]  # as it was
    exact = x.value is not None and (dtype.is_floating or not x.dtype.is_floating)
    if exact and (dtype.is_floating or dtype in (bool_, int64)):
        return const(x.value, dtype)
    return make("cast", (x,), dtype, x.bounds if dtype is int64 else UNKNOWN)


# Walking.


def walk(*roots: Expr) -> Iterator[Expr]:
    """Each node below and including `roots` once, operands first."""
    seen: set[Expr] = set()
    stack = [(r, False) for r in reversed(roots)]
    while stack:
        e, is_ready = stack.pop()
        if is_ready:
            yield e
        elif e not in seen:
            seen.add(e)
            if not e.children:
                yield e
                continue
            stack.append((e, True))
            stack += [(c, False) for c in reversed(e.children) if c not in seen]

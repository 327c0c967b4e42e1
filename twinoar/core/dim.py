"""Dimensions that are not yet numbers: polynomials of names, in a normal form.

A `Dim` is an int or a `SymbolicDim`. Equal expressions have equal normal forms, so
`N * 2 // 2 == N`; what has no polynomial form (a division with remainder, a maximum) is an
opaque atom.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, TypeVar, Union

from twinoar.core.delayed import mark
from twinoar.errors import ArgumentError, ShapeError

Dim = Union[int, "SymbolicDim"]
Atom = str | tuple[str, Dim, Dim]  # a name, or (function, operand, operand)
Monomial = tuple[Atom, ...]  # sorted by text
F = TypeVar("F", bound=Callable[..., Any])
MAX_TERMS = 4096  # of a polynomial; sizes of real programs have a few
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "max": max,
}


def _of_sizes(rule: F) -> F:
    """Arithmetic of sizes; with a float it is that of numbers, with a tensor the tensor's."""

    @functools.wraps(rule)
    def with_any(a: SymbolicDim, b: Any) -> Any:
        if isinstance(b, (int, SymbolicDim)):
            return rule(a, b)
        if isinstance(b, Integral):
            return rule(a, int(b))
        if isinstance(b, float):
            return getattr(number_of(a), rule.__name__)(b)
        return NotImplemented

    return with_any  # type: ignore[return-value]


class SymbolicDim:
    """An unknown size: `N`, `2*N + 1`, `max(N, M)`; immutable.

    Equal to another of the same normal form, and to -1, which is how Paddle spells an unknown size.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int]):
        self.terms = tuple(sorted(((m, c) for m, c in terms.items() if c), key=_order))

    @_of_sizes
    def __add__(self, other: Dim) -> Dim:
        total = dict(self.terms)
        for m, c in _terms(other):
            total[m] = total.get(m, 0) + c
        return _simplest(total)

    @_of_sizes
    def __mul__(self, other: Dim) -> Dim:
        total: dict[Monomial, int] = {}
        if len(self.terms) * len(_terms(other)) > MAX_TERMS:
            raise ShapeError(f"a size has more than {MAX_TERMS} terms", cure="name parts of it")
        for m, c in self.terms:
            for n, d in _terms(other):
                product = tuple(sorted(m + n, key=_text))
                total[product] = total.get(product, 0) + c * d
        return _simplest(total)

    def __neg__(self) -> Dim:
        return self * -1

    @_of_sizes
    def __sub__(self, other: Dim) -> Dim:
        return self + (other * -1)

    @_of_sizes
    def __rsub__(self, other: Dim) -> Dim:
        return (self * -1) + other

    @_of_sizes
    def __floordiv__(self, other: Dim) -> Dim:
        exact = _divide(self, other)
        return _simplest({(("floordiv", self, other),): 1}) if exact is None else exact

    @_of_sizes
    def __rfloordiv__(self, other: int) -> Dim:
        return _simplest({(("floordiv", other, self),): 1})

    @_of_sizes
    def __mod__(self, other: Dim) -> Dim:
        return 0 if _divide(self, other) is not None else _simplest({(("mod", self, other),): 1})

    @_of_sizes
    def __rmod__(self, other: int) -> Dim:
        return _simplest({(("mod", other, self),): 1})

    @_of_sizes
    def __pow__(self, other: Dim) -> Dim:
        if not isinstance(other, int) or other < 0:
            raised: Dim = number_of(self) ** other
            return raised
        return functools.reduce(operator.mul, [self] * other, 1)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Any:
        return number_of(self) / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / number_of(self)

    def __rpow__(self, other: Any) -> Any:
        return other ** number_of(self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __round__(self, digits: int | None = None) -> Dim:
        return self

    __trunc__ = __floor__ = __ceil__ = __pos__ = __round__

    def __abs__(self) -> Dim:
        return max_dim(self, -self)

    def __lt__(self, other: Any) -> Any:
        return _compared(self, other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return _compared(self, other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return _compared(self, other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return _compared(self, other, operator.ge)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SymbolicDim):
            return self.terms == other.terms
        return other == -1 if isinstance(other, int) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.terms)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return mark(self, ":") or _text_of_terms(self)

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        return mark(self, f":{how}") or format(str(self), how)

    def __int__(self) -> int:
        raise ShapeError(
            f"the size {self} is not known before the program runs",
            cure="give the size in static.data or InputSpec",
        )

    __index__ = __float__ = __complex__ = __int__


class _Numbers:
    """Holds what makes a number, in a Program, of a size."""

    make: Callable[[SymbolicDim], Any]


def set_numbers(make: Callable[[SymbolicDim], Any]) -> None:
    """Let `make` give the value that stands for a size where no size is asked for."""
    _Numbers.make = staticmethod(make)


def number_of(dim: Dim) -> Any:
    """`dim` as a number that operators take."""
    return dim if isinstance(dim, int) else _Numbers.make(dim)


def _compared(a: SymbolicDim, b: Any, holds: Callable[[Any, Any], Any]) -> Any:
    """Whether `a` stands so to `b`: a truth value, or one that only a run knows."""
    if isinstance(b, Integral | SymbolicDim):
        difference: Dim = a - (b if isinstance(b, SymbolicDim) else int(b))
        if isinstance(difference, int):
            return holds(difference, 0)
        least, most = _least(difference), -_least(-difference)
        if holds(least, 0) == holds(most, 0):
            return holds(least, 0)
    return holds(number_of(a), number_of(b) if isinstance(b, SymbolicDim) else b)


def _least(x: Dim) -> float:
    """A number that `x` is never below; names are at least 0."""
    if isinstance(x, int):
        return x
    grows = all(c > 0 and all(isinstance(atom, str) for atom in m) for m, c in x.terms if m)
    return dict(x.terms).get((), 0) if grows else -math.inf


def symbol(name: str) -> SymbolicDim:
    """The unknown size `name`.

    >>> symbol("N") * 2 + 1
    2*N+1
    """
    return SymbolicDim({(name,): 1})


def is_known(*dims: Dim) -> bool:
    """True if all `dims` are integers."""
    return all(isinstance(d, int) for d in dims)


def max_dim(a: Dim, b: Dim) -> Dim:
    """The larger size, or the expression for it."""
    if a == b and not (isinstance(a, int) ^ isinstance(b, int)):
        return a
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    first, second = sorted((a, b), key=str)
    for inner, outer in ((first, second), (second, first)):  # max(a, max(a, b)) = max(a, b)
        if isinstance(outer, SymbolicDim) and _is_max_of(outer, inner):
            return outer
    for known, x in ((a, b), (b, a)):  # max(max(a, 2) - 1, 0) = max(a - 1, max(2 - 1, 0))
        if isinstance(known, int) and isinstance(x, SymbolicDim) and _is_at_least(x, known):
            return x
        split = _split_max(x) if isinstance(known, int) and isinstance(x, SymbolicDim) else None
        if split is not None:
            return max_dim(split[0], max(split[1], known))
    return _simplest({(("max", first, second),): 1})


def _is_at_least(x: SymbolicDim, least: int) -> bool:
    """True for sums of names, which are sizes and never negative, and `least` or more."""
    constant = sum(c for m, c in x.terms if not m)
    is_sum = all(c > 0 and all(isinstance(atom, str) for atom in m) for m, c in x.terms if m)
    return is_sum and constant >= least


def evaluate(dim: Dim, sizes: Mapping[str, int]) -> int:
    """The number that `dim` is under `sizes`, of names and of whole expressions.

    Raises ShapeError for a name without a size.
    """
    if isinstance(dim, int):
        return dim
    try:
        return _evaluate_terms(dim, sizes)
    except ShapeError:
        text = _text_of_terms(dim)
        if text not in sizes:
            raise
        return sizes[text]


def _evaluate_terms(dim: SymbolicDim, sizes: Mapping[str, int]) -> int:
    total = 0
    for monomial, coefficient in dim.terms:
        product = coefficient
        for atom in monomial:
            product *= _atom_value(atom, sizes)
        total += product
    return total


def differ(a: Dim, b: Dim) -> bool:
    """True for sizes that are known not to be equal."""
    if isinstance(a, int) and isinstance(b, int):
        return a != b
    difference = a - b
    if isinstance(difference, int):
        return difference != 0
    return not _least(difference) <= 0 <= -_least(-difference)


def names_in(dim: Dim) -> frozenset[str]:
    """The names that `dim` depends on."""
    if isinstance(dim, int):
        return frozenset()
    found: frozenset[str] = frozenset()
    for monomial, _ in dim.terms:
        for atom in monomial:
            found |= {atom} if isinstance(atom, str) else names_in(atom[1]) | names_in(atom[2])
    return found


def substitute_dim(dim: Dim, new: Mapping[str, Dim]) -> Dim:
    """`dim` with names replaced by sizes or expressions."""
    return (
        parse_dim(ast.parse(str(dim), mode="eval").body, new) if not isinstance(dim, int) else dim
    )


def parse_dim(node: ast.expr | str, new: Mapping[str, Dim] | None = None) -> Dim:
    """Inverse of `str(dim)`, on text or on a parsed expression."""
    if isinstance(node, str):
        node = ast.parse(node, mode="eval").body
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return symbol(name) if new is None or name not in new else new[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -parse_dim(operand, new)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b = parse_dim(left, new), parse_dim(right, new)
            match operator:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.FloorDiv():
                    return a // b
                case ast.Mod():
                    return a % b
        case ast.Call(func=ast.Name(id="max"), args=[left, right]):
            return max_dim(parse_dim(left, new), parse_dim(right, new))
    raise ArgumentError(f"expected a size such as 3, N or 2*N+1, received {ast.unparse(node)!r}")


def _text_of_terms(x: SymbolicDim) -> str:
    return "+".join(_term_text(m, c) for m, c in x.terms).replace("+-", "-")


def _terms(x: Dim) -> tuple[tuple[Monomial, int], ...]:
    return x.terms if isinstance(x, SymbolicDim) else (((), x),)


def _simplest(terms: Mapping[Monomial, int]) -> Dim:
    kept = {m: c for m, c in terms.items() if c}
    if not kept:
        return 0
    if kept.keys() == {()}:
        return kept[()]
    return SymbolicDim(kept)


def _divide(a: Dim, b: Dim) -> Dim | None:
    """a / b where it is exact for every value of the names; None where it is not known to be."""
    if isinstance(a, int) or (isinstance(b, SymbolicDim) and len(b.terms) != 1):
        return 1 if isinstance(b, SymbolicDim) and a == b else None
    if b == 0:
        raise ShapeError(f"the size {a} is divided by zero")
    ((divisor, scale),) = _terms(b)
    quotient: dict[Monomial, int] = {}
    for monomial, coefficient in a.terms:
        rest = list(monomial)
        for atom in divisor:
            if atom not in rest:
                return None
            rest.remove(atom)
        if coefficient % scale:
            return None
        quotient[tuple(rest)] = coefficient // scale
    return _simplest(quotient)


def _is_max_of(outer: SymbolicDim, inner: Dim) -> bool:
    (monomial, coefficient), *others = outer.terms
    if others or coefficient != 1 or len(monomial) != 1 or monomial[0][0] != "max":
        return False
    return any(
        x == inner or (isinstance(x, SymbolicDim) and _is_max_of(x, inner)) for x in monomial[0][1:]
    )


def _split_max(x: SymbolicDim) -> tuple[Dim, int] | None:
    """A size and a number of which `x` is the larger one; None where it is not that."""
    terms = dict(x.terms)
    more = terms.pop((), 0)
    if len(terms) != 1:
        return None
    ((monomial, coefficient),) = terms.items()
    atom = monomial[0]
    if coefficient != 1 or len(monomial) != 1 or isinstance(atom, str) or atom[0] != "max":
        return None
    for known, other in ((atom[1], atom[2]), (atom[2], atom[1])):
        if isinstance(known, int):
            return other + more, known + more
    return None


def _atom_value(atom: Atom, sizes: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        if atom not in sizes:
            raise ShapeError(f"the size {atom} is not known: no operand or feed has it")
        return sizes[atom]
    function, a, b = atom
    return FUNCTIONS[function](evaluate(a, sizes), evaluate(b, sizes))


def _text(atom: Atom) -> str:
    if isinstance(atom, str):
        return atom
    function, a, b = atom
    if function == "max":
        return f"max({a},{b})"
    return f"(({a}){'//' if function == 'floordiv' else '%'}({b}))"


def _term_text(monomial: Monomial, coefficient: int) -> str:
    factors = [_text(a) for a in monomial]
    if not factors:
        return str(coefficient)
    if coefficient == 1:
        return "*".join(factors)
    return "-" + "*".join(factors) if coefficient == -1 else "*".join([str(coefficient), *factors])


def _order(term: tuple[Monomial, int]) -> tuple[int, list[str]]:
    monomial, _ = term
    return -len(monomial), [_text(a) for a in monomial]

"""A size that varies from call to call, in place of a number while a Program is planned.

It has a number, the hint, and knows what it is: `N`, `2*N + 1`. Arithmetic keeps both. Whoever asks
for more than arithmetic gets the hint's answer, and the question is noted as a guard: what was
planned holds for all sizes that answer every guard as the hint did. It is no int, so C code that
wants one asks for its index, which is the guard that it is this very number; `isinstance` says int,
as shapes are checked by it everywhere.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinoar.core.dim import Atom, Dim, SymbolicDim, evaluate, symbol
from twinoar.errors import ProgramError

MOST = 1 << 32  # of any size that is served
TYPICAL = 256  # what a size is taken for at least where any choice is right, and one is faster
Relation = str  # of a difference to 0: "==" or "<"
HOLDS: dict[Relation, Callable[[int, int], bool]] = {"==": operator.eq, "<": operator.lt}
NUMBERS = (int, float, complex)


class LateQuestionError(ProgramError):
    """A question about a size of a plan that is made: it serves no sizes but as numbers."""


class Guards:
    """The answers given so far. hints: by name, each at least 1, as all sizes served must be."""

    def __init__(self, hints: Mapping[str, int]):
        self.hints = dict(hints)
        self.answers: dict[tuple[SymbolicDim, Relation], bool] = {}
        self.is_closed = False
        self._made: dict[Any, Any] = {}

    @property
    def sizes(self) -> dict[str, Any]:
        """What stands for each name: for those of one hint the same, and that is a guard."""
        found: dict[str, Any] = {}
        first: dict[int, str] = {}
        for name, hint in self.hints.items():
            other = first.setdefault(hint, name)
            if other != name:
                self.ask(symbol(name) - symbol(other), "==")
            found[name] = self.of(symbol(other))
        return found

    def of(self, dim: Dim) -> Any:
        """What stands for `dim`: a number for a number."""
        if not isinstance(dim, SymbolicDim):
            return dim
        found = self._made.get(dim)
        if found is None:
            found = self._made[dim] = Varying(dim, evaluate(dim, self.hints), self)
        return found

    def computed(self, kind: str, rule: Callable[[Any, Any], Dim], a: Any, b: Any) -> Any:
        """The size that a rule makes of two, computed once."""
        if not is_varying(a) and a == 0 and kind in ("mul", "floordiv", "mod"):
            return 0
        key = kind, dim_of(a), dim_of(b)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self.of(rule(key[1], key[2]))
        return found

    def ask(self, difference: Dim, relation: Relation) -> bool:
        """Whether a difference stands so to 0: by what is known of all sizes, or by the hint."""
        if not isinstance(difference, SymbolicDim):
            return HOLDS[relation](difference, 0)
        known = _known(difference, relation)
        if known is not None:
            return known
        key = difference, relation
        if key not in self.answers:
            if self.is_closed:
                raise LateQuestionError(f"{difference} {relation} 0 was asked after planning")
            self.answers[key] = HOLDS[relation](evaluate(difference, self.hints), 0)
        return self.answers[key]

    def hold(self, sizes: Mapping[str, int]) -> bool:
        """Whether all answers are right for these sizes."""
        return all(1 <= sizes[name] <= MOST for name in self.hints) and all(
            HOLDS[relation](evaluate(difference, sizes), 0) is answer
            for (difference, relation), answer in self.answers.items()
        )


def _known(difference: SymbolicDim, relation: Relation) -> bool | None:
    """The answer for all sizes from 1 on, where there is one."""
    least, greatest = _range(difference)
    if relation == "<":
        return True if greatest < 0 else False if least >= 0 else None
    return False if least > 0 or greatest < 0 else None


def _range(x: Dim) -> tuple[float, float]:
    """Between which numbers `x` lies."""
    if not isinstance(x, SymbolicDim):
        return x, x
    low: float = 0
    high: float = 0
    for monomial, c in x.terms:
        least: float = 1
        greatest: float = 1
        for a, b in map(_range_of_atom, monomial):
            if a < 0:
                return -math.inf, math.inf
            least, greatest = least * a, greatest * b
        low += c * (least if c > 0 else greatest)
        high += c * (greatest if c > 0 else least)
    return low, high


def _range_of_atom(atom: Atom) -> tuple[float, float]:
    if isinstance(atom, str):
        return 1, MOST
    kind, x, y = atom
    (a, b), (c, d) = _range(x), _range(y)
    if kind == "max":
        return max(a, c), max(b, d)
    if not isinstance(y, int) or y <= 0 or math.inf in (-a, b):
        return -math.inf, math.inf
    return (a // y, b // y) if kind == "floordiv" else (0, y - 1)


class Varying:
    """A size, see above; made by Guards. Equal ones of one plan are one object.

    Whether it is 1 is a guard like any other; who treats one element as many asks `is_one`.
    """

    __slots__ = ("__weakref__", "dim", "guards", "hint")

    def __init__(self, dim: SymbolicDim, hint: int, guards: Guards):
        self.dim, self.hint, self.guards = dim, hint, guards

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, int):
            return NotImplemented
        if is_varying(other) and other.guards is not self.guards:  # type: ignore[attr-defined]
            return False
        return self.guards.ask(_difference(self, other), "==")

    def __lt__(self, other: Any) -> bool:
        other = _whole(other)
        if not isinstance(other, int):
            return bool(self.__index__() < other)
        return self.guards.ask(_difference(self, other), "<")

    def __gt__(self, other: Any) -> bool:
        other = _whole(other)
        if not isinstance(other, int):
            return bool(self.__index__() > other)
        return self.guards.ask(_difference(other, self), "<")

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return not self.guards.ask(self.dim, "==")

    def __index__(self) -> int:
        self.guards.ask(self.dim - self.hint, "==")
        return self.hint

    def __float__(self) -> float:
        return float(self.__index__())

    def __str__(self) -> str:
        return str(self.__index__())

    def __format__(self, how: str) -> str:
        return format(self.__index__(), how)

    __int__, __repr__ = __index__, __str__

    def __neg__(self) -> Any:
        return self.guards.of(-self.dim)

    def __pos__(self) -> Any:
        return self

    __trunc__ = __floor__ = __ceil__ = __pos__

    def __round__(self, digits: int | None = None) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def bit_length(self) -> int:
        """As of the number."""
        return self.__index__().bit_length()


def _difference(a: Any, b: Any) -> Dim:
    guards = a.guards if is_varying(a) else b.guards
    return dim_of(guards.computed("-", operator.sub, a, b))


def is_varying(x: object) -> bool:
    """True for a size that is no number yet."""
    return type(x) is Varying


def dim_of(x: Any) -> Dim:
    """What a size is: an expression where it varies."""
    dim: Dim = x.dim if is_varying(x) else x
    return dim


def _whole(x: Any) -> Any:
    """A float that is whole as an int, and so is what is True."""
    return int(x) if type(x) is bool or (isinstance(x, float) and x.is_integer()) else x


def _kept(name: str, rule: Callable[[Any, Any], Dim]) -> None:
    """Arithmetic that stays symbolic; with what is no int it is the number's."""

    def forward(a: Varying, b: Any) -> Any:
        b = _whole(b)
        if isinstance(b, int):
            return a.guards.computed(name, rule, a, b)
        return rule(a.__index__(), b) if isinstance(b, (float, complex)) else NotImplemented

    def backward(a: Varying, b: Any) -> Any:
        b = _whole(b)
        if isinstance(b, int):
            return a.guards.computed(name, rule, b, a)
        return rule(b, a.__index__()) if isinstance(b, (float, complex)) else NotImplemented

    setattr(Varying, f"__{name}__", forward)
    setattr(Varying, f"__r{name}__", backward)


def _fixed(name: str, rule: Callable[[Any, Any], Any]) -> None:
    """Arithmetic of the number alone."""

    def forward(a: Varying, b: Any) -> Any:
        return rule(a.__index__(), b) if isinstance(b, NUMBERS) else NotImplemented

    def backward(a: Varying, b: Any) -> Any:
        return rule(b, a.__index__()) if isinstance(b, NUMBERS) else NotImplemented

    setattr(Varying, f"__{name}__", forward)
    setattr(Varying, f"__r{name}__", backward)


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    _kept(_name, getattr(operator, _name))
for _name in ("truediv", "pow", "lshift", "rshift", "and", "or", "xor"):
    _fixed(_name, getattr(operator, f"__{_name}__"))


def divides(divisor: Any, x: Any) -> bool:
    """Whether `x` is a multiple for all sizes; False where only some say so."""
    rest = x % divisor
    return not is_varying(rest) and rest == 0


def is_one(x: Any) -> bool:
    """Whether a size is 1 in all calls.

    A dimension that varies is looped over, also where it is 1, and does not broadcast: it has
    exactly what it meets.
    """
    return not is_varying(x) and x == 1


def same(a: Any, b: Any) -> bool:
    """Whether two sizes are equal for all sizes; False where only some say so."""
    if is_varying(a) or is_varying(b):
        return a is b
    return bool(a == b)


def less(a: Any, b: Any) -> bool:
    """Whether a < b for all sizes; False where only some say so."""
    if is_varying(a) or is_varying(b):
        difference = _difference(a, b)
        return _range(difference)[1] < 0
    return bool(a < b)


def lowest(a: Any, b: Any) -> Any:
    """The smaller one for all sizes; None where that is not known."""
    return a if less(a, b) else b if less(b, a + 1) else None


def highest(a: Any, b: Any) -> Any:
    """The larger one for all sizes; None where that is not known."""
    return b if less(a, b) else a if less(b, a + 1) else None


def same_shape(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether sizes are equal one by one, for all sizes."""
    return len(a) == len(b) and all(map(same, a, b))


def typical(x: Any) -> int:
    """A number for what any choice is right for: what varies is not known to be small."""
    if not is_varying(x):
        return x  # type: ignore[no-any-return]
    usual = {name: max(hint, TYPICAL) for name, hint in x.guards.hints.items()}
    return evaluate(x.dim, usual)


def hint_of(x: Any) -> int:
    """The number that a size was first, for what any choice is right for."""
    first: int = x.hint if is_varying(x) else x
    return first


def lesser(a: Any, b: Any) -> Any:
    """The smaller size, typically."""
    return a if typical(a) <= typical(b) else b


def greater(a: Any, b: Any) -> Any:
    """The larger size, typically."""
    return b if typical(a) <= typical(b) else a


def number(x: Any, sizes: Mapping[str, int]) -> int:
    """`x` with numbers put in."""
    return evaluate(x.dim, sizes) if is_varying(x) else x

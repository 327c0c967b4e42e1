"""What decides: the truth of values, comparisons, `in` and `not`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from twinoar.core.dim import SymbolicDim, number_of
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ConversionError
from twinoar.jit.runtime.alias import may_be_same
from twinoar.jit.runtime.lists import length, stack_of
from twinoar.jit.runtime.merge import number_kind
from twinoar.jit.runtime.undefined import defined
from twinoar.ops.control.number import Number, as_number
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal, greater_than, not_equal
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.reduce.reduction import any as any_of
from twinoar.ops.shape.reshape import reshape

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def condition(x: Any) -> Any:
    """What decides where `x` stands as a condition.

    That is one truth value, where only a run knows it; else `x` itself, which Python asks. Tensors
    are true above 0, as in Paddle's eager mode, numbers of Python's where they are not 0.

    Raises ArgumentError for a tensor of more than one element.
    """
    if current().runs:
        return x
    if stack_of(x) is not None:
        x = length(x)
    if isinstance(x, SymbolicDim):
        return _size_is(x, 0, negated=True)
    if not isinstance(x, Value):
        return x
    v = current().lift(x)
    if isinstance(v.spec.size, int) and v.spec.size != 1:
        raise ArgumentError(
            f"the truth of a tensor with {v.spec.size} elements is not decided",
            cure="use .any() or .all()",
        )
    if v.spec.shape != ():
        v = reshape(v, [])
    if v.dtype == "bool":
        return v
    return cast(v, "bool") if isinstance(x, Number) else greater_than(v, 0)


def not_(x: Any) -> Any:
    """`not x`."""
    decides = condition(x)
    return as_number(logical_not(decides)) if isinstance(decides, Variable) else not decides


def compare(kind: str, left: Any, right: Any) -> Any:
    """One comparison, `kind` by its name in `ast`."""
    if kind in ("Is", "IsNot"):
        same = _is(left, right)
        return same if kind == "Is" else not_(same)
    for x in (left, right):
        held = stack_of(x)
        if held is not None:
            held.refuse()
    match kind:
        case "Eq":
            return _equal(left, right)
        case "NotEq":
            return _not_equal(left, right)
        case "In":
            return contains(right, left)
        case "NotIn":
            return not_(contains(right, left))
    return COMPARISONS[kind](left, right)


def contains(container: Any, x: Any) -> Any:
    """`x in container`."""
    if current().runs or isinstance(container, (str, bytes, dict, set, frozenset, range)):
        if isinstance(container, range) and isinstance(x, (Value, SymbolicDim)):
            return contains(list(container), x)
        refuse_key(container, x)
        return x in container
    if isinstance(container, Value):
        return _tensor_contains(container, x)
    if not isinstance(container, (list, tuple)) or not _mentions_symbols((x, container)):
        return x in container
    return any_true(True if x is y else condition(_equal(x, y)) for y in container)


def refuse_key(container: Any, x: Any, how: str = "looked for in") -> None:
    """A number that only a run knows is no key: its hash is not that of the number."""
    if isinstance(container, (dict, set, frozenset)) and is_number_of_a_run(x):
        raise ConversionError(
            f"a number that only a run knows is {how} a {type(container).__name__}",
            cure="compare it with the keys one by one, or pass it as a plain argument",
        )


def hashed(container: Any) -> Any:
    """A set or dict just made. Raises ConversionError for a key that only a run knows."""
    if not current().runs:
        for x in container:
            for leaf in x if isinstance(x, tuple) else (x,):
                refuse_key(container, leaf, "put into")
    return container


def is_number_of_a_run(x: Any) -> bool:
    """True for what is a number in eager mode and a symbol here."""
    return isinstance(x, SymbolicDim) or (isinstance(x, Variable) and x.weak)


def _tensor_contains(container: Value, x: Any) -> Any:
    v = current().lift(container)
    if v.ndim != 1:
        raise ConversionError(
            f"in asks for the truth of comparisons with parts of shape {list(v.shape[1:])}",
            cure="compare and reduce: (x == v).any()",
        )
    return as_number(any_of(equal(v, x)))


def _is(a: Any, b: Any) -> Any:
    """Whether two objects are one. Raises ConversionError where only a run knows that."""
    a, b = defined(a), defined(b)
    if current().runs or a is b:
        return a is b
    if is_number_of_a_run(a) or is_number_of_a_run(b):
        return _is_number(a, b)
    if may_be_same(current().program, a, b):
        raise ConversionError(
            "whether two names stand for one object is asked, and a tensor decides that",
            cure="let a truth value of your own tell: same = x.sum() > 0",
        )
    return False


def _is_number(a: Any, b: Any) -> Any:
    kinds = number_kind(a), number_kind(b)
    if kinds[0] is not kinds[1]:
        return False
    if kinds[0] is bool:
        return _equal(a, b)
    raise ConversionError(
        f"whether two numbers of type {kinds[0].__name__} are one object is asked, "  # type: ignore[union-attr]
        "which Python itself leaves open",
        cure="compare them by ==",
    )


def _equal(a: Any, b: Any) -> Any:
    if isinstance(a, SymbolicDim) and isinstance(b, (int, SymbolicDim)):
        return _size_is(a, b)
    if isinstance(b, SymbolicDim) and isinstance(a, int):
        return _size_is(b, a)
    if type(a) is type(b) and isinstance(a, (list, tuple)) and _mentions_symbols((a, b)):
        if len(a) != len(b):
            return False
        return all_true(condition(_equal(x, y)) for x, y in zip(a, b, strict=True))
    if isinstance(a, SymbolicDim) and isinstance(b, float):
        return number_of(a) == b
    if isinstance(b, SymbolicDim) and isinstance(a, float):
        return number_of(b) == a
    return a == b


def _not_equal(a: Any, b: Any) -> Any:
    if isinstance(a, SymbolicDim) or isinstance(b, SymbolicDim) or _mentions_symbols((a, b)):
        if isinstance(a, Value) or isinstance(b, Value):
            return a != b
        return not_(_equal(a, b))
    return a != b


def _mentions_symbols(x: Any) -> bool:
    """True for a symbol, and a list or tuple with one in it."""
    if isinstance(x, (list, tuple)):
        return any(map(_mentions_symbols, x))
    return isinstance(x, (Value, SymbolicDim))


def _size_is(a: SymbolicDim, b: Any, negated: bool = False) -> Any:
    """Whether two sizes are equal, where it follows from what they are; else as a truth value."""
    difference = a - b
    if isinstance(difference, int):
        return (difference == 0) is not negated
    if (difference > 0) is True or (difference < 0) is True:
        return negated
    op = not_equal if negated else equal
    return as_number(op.function(number_of(difference), 0))


def all_true(truths: Iterable) -> Any:
    """Whether all conditions hold, some of which only a run knows."""
    return _joined(truths, logical_and, False)


def any_true(truths: Iterable) -> Any:
    """Whether one of the conditions holds, some of which only a run knows."""
    return _joined(truths, logical_or, True)


def _joined(truths: Iterable, join: Callable[[Any, Any], Any], deciding: bool) -> Any:
    found: Any = None
    for t in truths:
        if isinstance(t, Variable):
            found = t if found is None else join(found, t)
        elif bool(t) is deciding:
            return deciding
    return (not deciding) if found is None else as_number(found)

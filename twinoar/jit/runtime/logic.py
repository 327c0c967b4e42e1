"""`and`, `or` and chained comparisons: the right side is computed only where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import replay
from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.alias import may_be
from twinoar.jit.runtime.alone import computed_alone
from twinoar.jit.runtime.branch import ternary
from twinoar.jit.runtime.iterators import draws, lose
from twinoar.jit.runtime.stop import ends
from twinoar.jit.runtime.truth import compare, condition
from twinoar.jit.runtime.undecided import Undecided, as_undecided
from twinoar.ops.control.branch_and_loop import as_variable
from twinoar.ops.control.number import Number, as_number
from twinoar.ops.create.fill import identity
from twinoar.ops.math.logical import logical_and, logical_or
from twinoar.ops.shape.reshape import reshape

END = object()


def both(left: Any, *rest: Callable) -> Any:
    """`left and rest[0]() and ...` as a condition."""
    return _decided(left, rest, both, False)


def either(left: Any, *rest: Callable) -> Any:
    """`left or rest[0]() or ...` as a condition."""
    return _decided(left, rest, either, True)


def and_(left: Any, *rest: Callable) -> Any:
    """`left and rest[0]() and ...`: the value that decided."""
    return _chosen(left, rest, and_, False)


def or_(left: Any, *rest: Callable) -> Any:
    """`left or rest[0]() or ...`: the value that decided."""
    return _chosen(left, rest, or_, True)


def chain(left: Any, kind: str, right: Any, *rest: Any) -> Any:
    """`left < right < ...`: rest holds the kinds of comparisons and functions of operands by turns;
    each operand is computed once, where it is needed.
    """
    first = compare(kind, left, right)
    if not rest:
        return first
    further, operand, *more = rest
    return and_(first, lambda: chain(right, further, operand(), *more))


def _decided(left: Any, rest: tuple, again: Callable, settles: bool) -> Any:
    """settles: the truth that makes the rest unneeded."""
    truth = condition(left)
    if not rest:
        return truth
    if isinstance(truth, Variable):
        _refuse_names(rest)
        return _lazily(truth, lambda: again(rest[0](), *rest[1:]), settles)
    return truth if bool(truth) is settles else again(rest[0](), *rest[1:])


def _chosen(left: Any, rest: tuple, again: Callable, settles: bool) -> Any:
    if not rest:
        return left
    truth = condition(left)

    def right() -> Any:
        return again(rest[0](), *rest[1:])

    if not isinstance(truth, Variable):
        return left if bool(truth) is settles else right()
    _refuse_names(rest)
    if isinstance(left, Value) and left.dtype == "bool":
        return _truth_of_both(left, truth, right, settles)
    if settles:
        return ternary(truth, lambda: left, right)
    return ternary(truth, right, lambda: left)


def _truth_of_both(left: Value, truth: Variable, right: Callable, settles: bool) -> Any:
    """`left` joined to what `right()` gives, of the type and shape that both have."""
    given: list[Any] = [left]

    def kept() -> Any:
        given.append(_truth_value(right()))
        return given[-1]

    found = _lazily(truth, kept, settles)
    kinds = {_kind(x) for x in given}
    if kinds == {bool}:
        return as_number(found) if isinstance(found, Variable) else found
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind is None:
        return as_undecided(identity.function(as_variable(current(), found)))
    found = reshape(as_variable(current(), found), [1] * kind) if kind else found
    may_be(current(), found, given)
    return found


def _kind(x: Any) -> Any:
    """What is to be the same of two truth values: their type, and the rank of tensors."""
    if isinstance(x, Undecided):
        return None
    return x.ndim if isinstance(x, Value) and not isinstance(x, Number) else bool


def _truth_value(x: Any) -> Any:
    """`x`, which decides beside a truth value that only a run knows."""
    if isinstance(x, bool) or (isinstance(x, Value) and x.dtype == "bool"):
        return x
    raise ConversionError(
        "and/or of a truth value that only a run knows gives either that or "
        f"{'a tensor of ' + str(x.spec) if isinstance(x, Value) else 'a ' + type(x).__name__}",
        cure="write `a if condition else b`, or compare first, so that both are truth values",
    )


def _lazily(left: Variable, right: Callable, settles: bool) -> Any:
    """`left` joined to what `right()` decides, which is always computed if that is harmless."""
    builder = current()
    value: Any = settles

    def decide() -> None:
        nonlocal value
        value = condition(right())

    with builder.nested() as inner:
        ends(decide)
        truth = as_variable(inner, value if isinstance(value, Value) else bool(value))
    changes = getattr(getattr(inner, "journal", None), "changes", None)
    if not changes and _is_harmless(inner.block):
        if not isinstance(value, Value):
            return left if bool(value) is not settles else settles
        inner.block.outputs = [truth]
        outer = {mine: theirs for theirs, mine in inner.imported.items()}
        (value,) = replay(inner.block, tuple(outer[v] for v in inner.block.inputs))
        return (logical_or if settles else logical_and)(left, value)

    def needed() -> Any:
        value = condition(right())
        return value if isinstance(value, Value) else bool(value)

    def unneeded() -> bool:
        return settles

    return ternary(left, unneeded, needed) if settles else ternary(left, needed, unneeded)


def asked_in_turn(xs: Iterable, name: str) -> Iterator[Any]:
    """What each item of `xs` decides, in turn, for any() or all(), which a tensor may end.

    The items after that are computed anyway. Raises ConversionError where that does more.
    """
    iterator, may_have_ended = iter(xs), False
    makes_items = iterator is xs and not current().runs
    if isinstance(iterator, GeneratorType):
        draws(iterator, iterator.gi_frame.f_locals.values() if iterator.gi_frame else ())
    while True:
        if may_have_ended and makes_items:
            what = f"a tensor decides whether {name}() comes to this item"
            decides = computed_alone(lambda: _next_condition(iterator), what)
        else:
            decides = _next_condition(iterator)
        if decides is END:
            break
        may_have_ended = may_have_ended or isinstance(decides, Variable)
        yield decides
    if may_have_ended and makes_items:
        lose(iterator)


def _next_condition(iterator: Iterator) -> Any:
    x = next(iterator, END)
    return END if x is END else condition(x)


def binding(function: Callable) -> Callable:
    """Mark a delayed expression that assigns names by `:=`."""
    function.binds = True  # type: ignore[attr-defined]
    return function


def _refuse_names(rest: tuple) -> None:
    if any(hasattr(f, "binds") for f in rest):
        raise ConversionError(
            "a name is assigned by := on the right of and/or, which a tensor on the left may skip",
            cure="assign it in a statement of its own, before or in an if",
        )


def _is_harmless(block: Block) -> bool:
    return all(map(_serves_all, block.ops))


def _serves_all(o: Operator) -> bool:
    """True if the operator has no effect and cannot fail on data of the specs that it has."""
    if o.has_effect or not ("scalar" in o.op.rules or o.op.rules.get("total")):
        return False
    shapes = {x.spec.shape for x in o.operands if isinstance(x, Variable) and x.ndim}
    return len(shapes) <= 1 or all(isinstance(d, int) for shape in shapes for d in shape)

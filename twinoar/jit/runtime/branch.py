"""`if` and the conditional expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.builder import Builder
from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.effects import Effects, check_effects
from twinoar.jit.runtime.undefined import Undefined, values_of
from twinoar.ops.control_flow import as_variable, build_if, cond


def if_(
    predicate: Any,
    true: Callable,
    false: Callable,
    names: tuple[str, ...],
    scope: dict[str, Any],
    effects: Effects,
) -> tuple:
    """`if predicate`: the values of `names` after it."""
    values = values_of(names, scope)
    if not isinstance(predicate, Variable):
        return true(*values) if predicate else false(*values)
    check_effects(effects, "an if", predicate)
    builder = current()
    sides = [_trace_branch(builder, side, values) for side in (true, false)]
    (inner_true, after_true), (inner_false, after_false) = sides
    results: list[Any] = []
    carried: list[int] = []
    for i, (a, b) in enumerate(zip(after_true, after_false, strict=True)):
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            results.append(Undefined(names[i]))
        elif _unchanged(a, b):
            results.append(values[i] if a is _UNCHANGED else a)
        else:
            carried.append(i)
            results.append(None)
    for inner, after in sides:
        for i in carried:
            if after[i] is _UNCHANGED:
                after[i] = values[i]
        inner.block.outputs = [_as_output(inner, after[i], names[i]) for i in carried]
    for i, v in zip(carried, build_if(predicate, inner_true, inner_false), strict=True):
        results[i] = v
    return tuple(results)


_UNCHANGED = object()


def _trace_branch(
    builder: Builder, branch: Callable, values: list[Any]
) -> tuple[Builder, list[Any]]:
    """Trace one side; what it leaves as it was is _UNCHANGED."""
    before = [v.latest() if isinstance(v, Variable) else v for v in values]
    with builder.nested() as inner:
        after = []
        for value, start, out in zip(values, before, branch(*values), strict=True):
            now = out.latest() if isinstance(out, Variable) else out
            if out is value and now is start:
                after.append(out if isinstance(out, Undefined) else _UNCHANGED)
            else:
                after.append(inner.lift(out) if isinstance(out, Value) else out)
    return inner, after


def _unchanged(a: Any, b: Any) -> bool:
    """True if both sides leave a name alone, or give it the same plain value."""
    if a is _UNCHANGED or b is _UNCHANGED or isinstance(a, Value) or isinstance(b, Value):
        return a is b and a is _UNCHANGED
    return a is b or (
        type(a) is type(b) and isinstance(a, (bool, int, float, str, tuple)) and a == b
    )


def _as_output(inner: Builder, value: Any, name: str) -> Variable:
    if isinstance(value, (Value, bool, int, float)):
        return as_variable(inner, value)
    raise ConversionError(
        f"{name} is a {type(value).__name__} after one side of an if on a tensor, "
        "and something else after the other",
        cure="give it a tensor or number on both sides",
    )


def ternary(predicate: Any, true: Callable, false: Callable) -> Any:
    """`true() if predicate else false()`."""
    return (
        cond(predicate, true, false)
        if isinstance(predicate, Variable)
        else true()
        if predicate
        else false()
    )

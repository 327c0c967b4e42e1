"""What converted code calls: a plain value takes Python's way, a Variable builds operators."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from twinoar.core.builder import Builder
from twinoar.core.dim import SymbolicDim
from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.convert.names import PREFIX
from twinoar.ops.cast import cast
from twinoar.ops.control_flow import as_variable, build_if, build_while, cond
from twinoar.ops.logical import logical_and, logical_not, logical_or

Effects = tuple[str, ...]


class Undefined:
    """What a name holds that only one branch, or a loop that may not run, would have assigned."""

    def __init__(self, name: str):
        object.__setattr__(self, "name", name)

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        name = object.__getattribute__(self, "name")
        raise ConversionError(
            f"{name} may be undefined here: one branch, or a loop that may not run, "
            "does not assign it",
            cure=f"assign {name} before the branch or loop",
        )

    __getattr__ = __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __setitem__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _refuse
    )
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __matmul__ = __rmatmul__ = __float__ = __int__ = (
        _refuse
    )


def require_defined(values: Iterable[Any]) -> None:
    """Raise ConversionError for a value that only one branch, or a loop, would have assigned."""
    for x in values:
        if isinstance(x, Undefined):
            x._refuse()


def _values(names: tuple[str, ...], scope: dict[str, Any]) -> list[Any]:
    return [scope[n] if n in scope else Undefined(n) for n in names]


def _check_effects(effects: Effects, construct: str, predicate: Variable) -> None:
    if effects:
        raise ConversionError(
            f"{effects[0]} stands inside {construct} that depends on the tensor {predicate.name}: "
            "a Program cannot repeat or skip it",
            cure="move it out, or compute a value in the branch or loop and use it after",
        )


def if_(
    predicate: Any,
    true: Callable,
    false: Callable,
    names: tuple[str, ...],
    scope: dict[str, Any],
    effects: Effects,
) -> tuple:
    """`if predicate`: the values of `names` after it."""
    values = _values(names, scope)
    if not isinstance(predicate, Variable):
        return true(*values) if predicate else false(*values)
    _check_effects(effects, "an if", predicate)
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
    if carried:
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


def while_(
    test: Callable, body: Callable, names: tuple[str, ...], scope: dict[str, Any], effects: Effects
) -> tuple:
    """`while test`: the values of `names` after it."""
    values = _values(names, scope)
    going = test(*values)
    while not isinstance(going, Variable):
        if not going:
            return tuple(values)
        values = list(body(*values))
        going = test(*values)
    _check_effects(effects, "a while", going)
    return tuple(_tensor_loop(test, body, names, values))


def _tensor_loop(
    test: Callable, body: Callable, names: tuple[str, ...], values: list[Any]
) -> list[Any]:
    """A loop as an operator: it carries what the body changes, the rest stays as it is."""
    builder = current()
    carried = _carried(builder, body, names, values)

    def filled(given: tuple) -> list[Any]:
        new = list(values)
        for i, v in zip(carried, given, strict=True):
            new[i] = v
        return new

    def test_carried(*given: Any) -> Any:
        return test(*filled(given))

    def body_carried(*given: Any) -> list[Any]:
        after = body(*filled(given))
        return [after[i] for i in carried]

    results = build_while(builder, test_carried, body_carried, [values[i] for i in carried])
    return filled(tuple(results))


def _carried(
    builder: Builder, body: Callable, names: tuple[str, ...], values: list[Any]
) -> list[int]:
    """Positions of what a trip changes, found by tracing the body once for nothing."""
    with builder.nested() as trial:
        inputs = [
            trial.block.add_input(v.spec, stop_gradient=v.stop_gradient)
            if isinstance(v, Value)
            else v
            for v in values
        ]
        after = body(*inputs)
        changed = [
            i
            for i, (a, b) in enumerate(zip(inputs, after, strict=True))
            if a is not b or (isinstance(a, Variable) and a.rebound is not None)
        ]
    carried = []
    for i in changed:
        if isinstance(values[i], Undefined):
            continue  # born in the body: undefined after the loop, which may not run
        if isinstance(values[i], (Value, bool, int, float)):
            carried.append(i)
        elif type(values[i]) is not type(after[i]) or values[i] != after[i]:
            raise ConversionError(
                f"{names[i]} is a {type(values[i]).__name__} that changes in a loop "
                "that depends on a tensor",
                cure="give it a tensor or number before the loop",
            )
    return carried


class TensorRange:
    """`range` with a bound that is a Variable."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self) -> Iterator[Any]:
        raise ConversionError(
            "a range over a tensor is iterated outside a converted for loop, "
            "or in one with break, continue or return",
            cure="use a while loop on a tensor, or a plain int as the bound",
        )


def range_(*bounds: Any) -> Any:
    """`range(...)`, also of Variables and of sizes that only a run knows."""
    if not any(isinstance(b, (Variable, SymbolicDim)) for b in bounds):
        return range(*bounds)
    given = [_size_variable(b) for b in bounds]
    if len(given) == 1:
        return TensorRange(0, given[0], 1)
    return TensorRange(given[0], given[1], given[2] if len(given) > 2 else 1)


def _size_variable(bound: Any) -> Any:
    if isinstance(bound, SymbolicDim):
        raise ConversionError(
            f"a loop runs over the size {bound}, which only a run knows",
            cure="declare the size in the InputSpec",
        )
    return bound


def for_(
    iterable: Iterable,
    body: Callable,
    names: tuple[str, ...],
    scope: dict[str, Any],
    effects: Effects,
) -> tuple:
    """`for item in iterable`: the values of `names` after it."""
    values = _values(names, scope)
    if not isinstance(iterable, TensorRange):
        for item in _items(iterable):
            values = list(body(item, *values))
        return tuple(values)
    _check_effects(
        effects,
        "a for",
        next(b for b in (iterable.stop, iterable.start, iterable.step) if isinstance(b, Variable)),
    )
    counter, stop, step = iterable.start, iterable.stop, iterable.step
    if isinstance(step, Variable):
        raise ConversionError("the step of a range must be a plain int", cure="write a while loop")
    all_names = (f"{PREFIX}counter", *names)

    def test(i: Any, *rest: Any) -> Any:
        return i < stop if step > 0 else i > stop

    def trip(i: Any, *rest: Any) -> tuple:
        return (i + step, *body(i, *rest))

    start = counter if isinstance(counter, Variable) else as_variable(current(), counter)
    started = [start.astype(stop.dtype) if isinstance(stop, Variable) else start, *values]  # type: ignore[attr-defined]
    return tuple(_tensor_loop(test, trip, all_names, started)[1:])


def _items(iterable: Any) -> Iterable:
    if isinstance(iterable, Variable):
        length = iterable.spec.shape[0] if iterable.spec.shape else 0
        if not isinstance(length, int):
            raise ConversionError(
                f"a for loop runs over the first dimension of {iterable.name} ({iterable.spec}), "
                "whose size only a run knows",
                cure="declare the size in the InputSpec, "
                "or loop over range with a tensor bound and index",
            )
        return (iterable[i] for i in range(length))  # type: ignore[index]
    return iterable


def and_(*parts: Callable) -> Any:
    """`a and b and ...`; short circuit as long as values are plain."""
    result = parts[0]()
    for part in parts[1:]:
        if isinstance(result, Variable):
            result = logical_and(_truth(result), _truth(part()))
        elif not result:
            return result
        else:
            result = part()
    return result


def or_(*parts: Callable) -> Any:
    """`a or b or ...`; short circuit as long as values are plain."""
    result = parts[0]()
    for part in parts[1:]:
        if isinstance(result, Variable):
            result = logical_or(_truth(result), _truth(part()))
        elif result:
            return result
        else:
            result = part()
    return result


def not_(x: Any) -> Any:
    """`not x`."""
    return logical_not(_truth(x)) if isinstance(x, Variable) else not x


def _truth(x: Any) -> Variable:
    v = (
        x
        if isinstance(x, Variable)
        else as_variable(current(), x if isinstance(x, Value) else bool(x))
    )
    return v if v.dtype == "bool" else cast(v, "bool")


def call(function: Any) -> Any:
    """What to call in the place of `function`: its converted form, where it is the user's."""
    if function is range:
        return range_
    if isinstance(function, types.MethodType):
        made = convert_function(function.__func__)
        return function if made is function.__func__ else types.MethodType(made, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(call(function.func), *function.args, **function.keywords)
    return convert_function(function)


def convert_function(function: Any) -> Any:
    """The converted form of a plain function, by the converter that announced itself."""
    return converters[-1](function) if converters else function


converters: list[Callable] = []

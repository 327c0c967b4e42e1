"""`while`, and what all loops on tensors share."""

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
from twinoar.ops.control_flow import build_while


def while_(
    test: Callable, body: Callable, names: tuple[str, ...], scope: dict[str, Any], effects: Effects
) -> tuple:
    """`while test`: the values of `names` after it."""
    values = values_of(names, scope)
    going = test(*values)
    while not isinstance(going, Variable):
        if not going:
            return tuple(values)
        values = list(body(*values))
        going = test(*values)
    check_effects(effects, "a while", going)
    return tuple(tensor_loop(test, body, names, values))


def tensor_loop(
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
    """Positions of the names that a trip gives another value, found by tracing the body once.

    What it changes in place is not among them: `build_while` carries that itself.
    """
    with builder.nested():
        after = body(*values)
    changed = [i for i, (a, b) in enumerate(zip(values, after, strict=True)) if a is not b]
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

"""Operators as readers: the element of a result at an index, by the operator's own rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Expr, cast, wrap
from twinoar.core.loop.language import Reader, compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec

GIVEN = frozenset({"i", "nth", "spec", "specs"})


def has_element(op: Op) -> bool:
    """True for operators of which a rule says what an element is."""
    return "scalar" in op.rules or "lower" in op.rules


def result_reader(
    op: Op,
    operands: Sequence[Any],
    attrs: dict[str, Any],
    specs: Sequence[Spec | None],
    nth: int = 0,
) -> Reader | None:
    """The reader of result `nth`, or None where the operator has no rule for these operands.

    operands: a Reader, a Python number or None each. specs: of the results.
    """
    spec = specs[nth]
    if spec is None or not has_element(op):
        return None
    if any(x.dtype.is_complex for x in (spec, *operands) if isinstance(x, (Spec, Reader))):
        return None  # the loop language has real numbers alone
    dtype = compute_dtype(spec.dtype)
    if "scalar" in op.rules:
        element = _by_scalar(op.rules["scalar"], operands, attrs)
    else:
        found = _by_lower(op, operands, attrs, spec, nth)
        if found is None:
            return None
        element = found
    shape: Any = spec.shape
    return Reader(shape, spec.dtype, lambda i: cast(wrap(element(i), dtype), dtype))


def _by_scalar(
    rule: Callable[..., Any], operands: Sequence[Any], attrs: dict[str, Any]
) -> Callable[[tuple[Expr, ...]], Any]:
    def element(i: tuple[Expr, ...]) -> Any:
        return rule(loop, *(loop.at(x, i) for x in operands), **attrs)

    return element


def _by_lower(
    op: Op, operands: Sequence[Any], attrs: dict[str, Any], spec: Spec, nth: int
) -> Callable[[tuple[Expr, ...]], Any] | None:
    rule = op.rules["lower"]
    given: dict[str, Any] = {**attrs, "nth": nth, "spec": spec}
    names = [o.name for o in op.operands]
    fixed = len(names) - op.variadic
    given.update(zip(names[:fixed], operands, strict=False))
    if op.variadic:
        given[names[-1]] = tuple(operands[fixed:])
    asks = asked_by(rule)
    arguments = {name: given[name] for name in asks if name != "i"}
    if "i" not in asks:  # a rule that looks at its operands first, and may decline
        return rule(**arguments)  # type: ignore[no-any-return]
    return lambda i: rule(i=i, **arguments)


@cache
def asked_by(rule: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a rule's parameters: what it is given."""
    return tuple(inspect.signature(rule).parameters)

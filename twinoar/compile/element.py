"""Operators as readers: the element of a result at an index, by the operator's own rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Axis, Expr, axis_value, cast, wrap
from twinoar.core.loop.language import Reader, compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import DTypeError

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
    dtype = compute_dtype(spec.dtype)
    if "scalar" in op.rules:
        element = _by_scalar(op.rules["scalar"], operands, attrs)
    else:
        found = _by_lower(op, operands, attrs, spec, nth)
        if found is None:
            return None
        element = found
    shape: Any = spec.shape
    reader = Reader(shape, spec.dtype, lambda i: cast(wrap(element(i), dtype), dtype))
    given = (spec, *operands)
    if any([x.dtype.is_complex for x in given if isinstance(x, (Spec, Reader))]):
        return reader if _serves(reader) else None
    return reader


def _serves(reader: Reader) -> bool:
    """Whether a rule uses nothing but what complex numbers have."""
    if 0 in reader.shape:
        return True
    try:
        reader[tuple([axis_value(Axis(n)) for n in reader.shape])]
    except DTypeError:
        return False
    return True


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


def asked_of_library(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """What a call asks of a kernel library; None where it has nothing for it, or no elements."""
    rule = op.rules.get("library")
    specs = tuple([getattr(x, "spec", x) for x in operands])
    if rule is None or any(0 in s.shape for s in specs if isinstance(s, Spec)):
        return None
    given = {**attrs, "specs": specs}
    return rule(**{name: given[name] for name in asked_by(rule)})


@cache
def asked_by(rule: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a rule's parameters: what it is given."""
    return tuple(inspect.signature(rule).parameters)

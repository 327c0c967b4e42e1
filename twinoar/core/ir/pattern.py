"""Patterns: calls of operators that were noted on wildcards, and where a Program has their form."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import using
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.op.attr import Placeholder
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, TwinoarError
from twinoar.late import dataclass

Found = dict[Any, Any]  # values by the name of a parameter or Attr, operators by the pattern's


@dataclass(frozen=True)
class Attr(Placeholder):
    """In a pattern, captures the value of an attribute, or of a literal operand, under `name`."""

    name: str


class _Wildcard(Variable):
    """A pattern's parameter: matches any value."""


class _Results(Sequence[Variable]):
    """The results of an operator whose number its signature does not tell: one by one, `r[0]`."""

    def __init__(self, producer: Operator):
        self.producer = producer

    def __getitem__(self, index: Any) -> Any:
        missing = index + 1 - len(self.producer.results)
        more = tuple(_unknown(self.producer) for _ in range(missing))
        self.producer.results += more
        return self.producer.results[index]

    def __len__(self) -> int:
        raise ArgumentError(
            f"how many results {self.producer.op.name} has is not known in a pattern",
            cure="name those that are wanted by index, results[0]",
        )


class PatternBuilder:
    """The interpreter under which patterns are traced: it notes calls and infers nothing."""

    runs = traces = False

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Note one call."""
        made = Operator(op, operands, attrs)
        count = _result_count(op)
        if count is None:
            return _Results(made)
        made.results = tuple(_unknown(made) for _ in range(count))
        return made.results[0] if count == 1 else made.results


@dataclass(frozen=True)
class Pattern:
    """What a rule looks for. anchor: the operator that all others lead to.

    outputs: the values that are replaced. operators: each after those that it reads.
    """

    outputs: tuple[Variable, ...]
    anchor: Operator
    operators: tuple[Operator, ...]


def pattern_of(function: Callable[..., Any], name: str) -> Pattern:
    """The pattern that `function`, of the rule `name`, builds when it is called on wildcards.

    Raises ArgumentError for one that calls no operator, that does not use a parameter, or whose
    outputs are not all computed on the way to one of them.
    """
    wildcards = [_Wildcard(n, Spec(())) for n in inspect.signature(function).parameters]
    with using(PatternBuilder()):
        try:
            out = function(*wildcards)
        except (TwinoarError, AttributeError, IndexError) as error:
            raise ArgumentError(
                f"the pattern of {name} cannot be traced: {error}",
                cure="call operators alone: wildcards have no shape, no dtype and no data",
            ) from error
    outputs = tuple(out) if isinstance(out, (tuple, list)) else (out,)
    if not all(isinstance(v, Variable) and v.producer is not None for v in outputs):
        raise ArgumentError(
            f"the pattern of {name} must return results of operators, received {outputs}"
        )
    for v in outputs:
        operators = tuple(_leading_to(v.producer))
        if all(o.producer in operators for o in outputs):
            break
    else:
        raise ArgumentError(
            f"the outputs of the pattern of {name} do not all lead to one of them",
            cure="write a rule for each",
        )
    read = {x.name for o in operators for x in o.operands if isinstance(x, _Wildcard)}
    if unused := [w.name for w in wildcards if w.name not in read]:
        raise ArgumentError(f"the pattern of {name} does not use {', '.join(unused)}")
    return Pattern(outputs, v.producer, operators)


def matches(pattern: Pattern, o: Operator) -> Iterator[Found]:
    """Each way in which `o`, with what leads to it, has the form of the pattern."""
    return _of_operator(pattern.anchor, o, {})


def _of_operator(pattern: Operator, o: Operator, found: Found) -> Iterator[Found]:
    if pattern in found:
        if found[pattern] is o:
            yield found
        return
    if pattern.op is not o.op or len(pattern.operands) != len(o.operands):
        return
    given = [o.operands]
    if o.op.rules.get("commutative"):
        given.append(o.operands[::-1])
    for operands in given:
        if not all(map(_may_match, pattern.operands, operands)):
            continue
        pairs = [(p, o.attrs[k]) for k, p in pattern.attrs.items()]
        pairs += zip(pattern.operands, operands, strict=True)
        yield from _of_all(pairs, {**found, pattern: o})


def _may_match(pattern: Any, value: Any) -> bool:
    """False where a glance tells that a value has not the form of the pattern."""
    if isinstance(pattern, Variable):
        producer = pattern.producer
        if producer is None:
            return True
        made = value.producer if isinstance(value, Variable) else None
        return made is not None and made.op is producer.op
    return isinstance(pattern, Attr) or _is_same(pattern, value)


def _of_all(pairs: list[tuple[Any, Any]], found: Found) -> Iterator[Found]:
    if not pairs:
        yield found
        return
    for first in _of_value(*pairs[0], found):
        yield from _of_all(pairs[1:], first)


def _of_value(pattern: Any, value: Any, found: Found) -> Iterator[Found]:
    if isinstance(pattern, _Wildcard) or (
        isinstance(pattern, Attr) and not isinstance(value, Variable)
    ):
        if pattern.name not in found or _is_same(found[pattern.name], value):
            yield {**found, pattern.name: value}
    elif isinstance(pattern, Variable):
        producer = value.producer if isinstance(value, Variable) else None
        if producer is not None and index_of(pattern) == index_of(value):
            assert pattern.producer is not None
            yield from _of_operator(pattern.producer, producer, found)
    elif _is_same(pattern, value):
        yield found


def index_of(v: Variable) -> int:
    """Which result of its producer `v` is."""
    assert v.producer is not None
    return next(n for n, r in enumerate(v.producer.results) if r is v)


def _leading_to(o: Operator | None) -> Iterator[Operator]:
    """The operators of a pattern that lead to `o`, each once and after those that it reads."""
    seen: dict[Operator, None] = {}

    def visit(o: Operator | None) -> None:
        if o is None or o in seen:
            return
        for x in o.operands:
            visit(x.producer if isinstance(x, Variable) else None)
        seen[o] = None

    visit(o)
    return iter(seen)


def _unknown(producer: Operator) -> Variable:
    v = Variable("pattern", Spec(()))
    v.producer = producer
    return v


def _result_count(op: Op) -> int | None:
    """The number of results that an operator's signature tells; None where it tells none."""
    definition = getattr(op, "definition", None)
    if definition is None:
        return None
    hint = definition.__annotations__.get("return")
    if isinstance(hint, str):
        hint = eval(hint, definition.__globals__)
    if typing.get_origin(hint) is not tuple:
        return 1
    kinds = typing.get_args(hint)
    return None if Ellipsis in kinds else len(kinds)


def _is_same(a: Any, b: Any) -> bool:
    """True for the same Variable, and for equal literals of one type."""
    if a is b:
        return True
    if isinstance(a, Variable) or isinstance(b, Variable) or type(a) is not type(b):
        return False
    return bool(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b)

"""Rewrite rules whose pattern and replacement are both written with the operators that users call.

    @rewrite(lambda x, w, b: matmul(x, w) + b)
    def fuse_linear(x, w, b):
        return linear(x, w, b) if b.spec.ndim == 1 else None   # None declines

A parameter of the pattern is a wildcard; the same parameter twice must match the same value;
`Attr("p")` in the place of an attribute captures it under that name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from twinoar.core.attr import Placeholder
from twinoar.core.builder import Builder
from twinoar.core.interpreter import using
from twinoar.core.ir import Block, Operator, Program, Variable, among
from twinoar.core.op import Op
from twinoar.core.spec import Spec


@dataclass(frozen=True)
class Attr(Placeholder):
    """In a pattern, captures the value of an attribute, or of a literal operand, under `name`."""

    name: str


class _Wildcard(Variable):
    """A pattern's parameter: matches any value."""


@dataclass
class Rule:
    """One rewrite rule; `hits` counts its applications."""

    name: str
    doc: str
    pattern: Operator
    replace: Callable[..., Any]
    hits: int = field(default=0, compare=False)


class PatternBuilder:
    """The interpreter under which patterns are traced: it notes calls and infers nothing."""

    runs = False

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Note one call."""
        out = Variable("pattern", Spec(()))
        Operator(op, operands, attrs, (out,))
        return out


def rewrite(pattern: Callable[..., Any]) -> Callable[[Callable[..., Any]], Rule]:
    """Decorator: a rule that replaces what `pattern` builds by what the function returns."""

    def make(replace: Callable[..., Any]) -> Rule:
        names = list(inspect.signature(pattern).parameters)
        with using(PatternBuilder()):
            root = pattern(*[_Wildcard(n, Spec(())) for n in names])
        return Rule(replace.__name__, inspect.getdoc(replace) or "", root.producer, replace)

    return make


def match(pattern: Any, value: Any, found: dict[str, Any]) -> bool:
    """True if `value` has the form of `pattern`; `found` receives its wildcards and Attrs."""
    if isinstance(pattern, _Wildcard):
        return _same(found.setdefault(pattern.name, value), value)
    if isinstance(pattern, Attr):
        return not isinstance(value, Variable) and _same(
            found.setdefault(pattern.name, value), value
        )
    if isinstance(pattern, Variable):
        producer = value.producer if isinstance(value, Variable) else None
        return producer is not None and match(pattern.producer, producer, found)
    if isinstance(pattern, Operator):
        return (
            isinstance(value, Operator)
            and pattern.op is value.op
            and len(pattern.operands) == len(value.operands)
            and all(
                match(p, x, found) for p, x in zip(pattern.operands, value.operands, strict=True)
            )
            and all(match(p, value.attrs[k], found) for k, p in pattern.attrs.items())
        )
    return type(pattern) is type(value) and pattern == value


def apply_rules(program: Program, rules: Sequence[Rule]) -> Program:
    """Apply `rules` to all blocks until none matches, in place. Returns the program."""
    by_op: dict[str, list[Rule]] = {}
    for rule in rules:
        by_op.setdefault(rule.pattern.op.name, []).append(rule)
    for block in [program.main, *(b for o in list(program.main.walk()) for b in o.blocks.values())]:
        while _sweep(program, block, by_op):
            pass
    return program


def _sweep(program: Program, block: Block, rules: dict[str, list[Rule]]) -> bool:
    """One walk over `block`; True if a rule fired."""
    new: dict[Variable, Any] = {}
    fired = False
    for o in list(block.ops):
        o.operands = tuple(_follow(x, new) for x in o.operands)
        for rule in rules.get(o.op.name, ()):
            found: dict[str, Any] = {}
            if not match(rule.pattern, o, found):
                continue
            index = block.ops.index(o)
            builder = Builder(program, block, at=index)
            builder.source, builder.role, builder.follows = o.source, o.role, False
            with using(builder):
                out = rule.replace(**found)
            if out is None:
                del block.ops[index : builder.at]
                continue
            rule.hits += 1
            fired = True
            (result,) = o.results
            assert result is not None
            new[result] = builder.lift(out)
            _keep_name(result, new[result], o)
            block.ops.remove(o)
            break
    if fired:
        block.outputs = [_follow(v, new) for v in block.outputs]
        if block is program.main:
            program.updates = {s: _follow(v, new) for s, v in program.updates.items()}
    return fired


def _keep_name(old: Variable, value: Any, replaced: Operator) -> None:
    if (
        isinstance(value, Variable)
        and value.producer is not None
        and not among(value, replaced.operands)
    ):
        operands = {x for x in replaced.operands if isinstance(x, Variable)}
        if not any(x.producer is not None and among(value, x.producer.operands) for x in operands):
            value.name, old.name = old.name, value.name


def _follow(x: Any, new: dict[Variable, Any]) -> Any:
    while isinstance(x, Variable) and x in new:
        x = new[x]
    return x


def _same(a: Any, b: Any) -> bool:
    return a is b or (
        not isinstance(a, Variable)
        and not isinstance(b, Variable)
        and type(a) is type(b)
        and a == b
    )

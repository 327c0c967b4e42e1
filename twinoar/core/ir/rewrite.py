"""Rewrite rules whose pattern and replacement are both written with the operators that users call.

    @rewrite(lambda x, w, b: matmul(x, w) + b)
    def fuse_linear(x, w, b):
        return linear(x, w, b) if b.spec.ndim == 1 else None   # None declines

A parameter of the pattern is a wildcard: it matches any value, literals and None too. The same
parameter twice must match the same value. `Attr("p")` in the place of an attribute captures it
under that name. The operands of commutative operators are tried in both orders.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.pattern import Attr, Found, Pattern, index_of, matches, pattern_of
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.ir.size_names import names_told
from twinoar.errors import DTypeError, ProgramError, ShapeError, TypeMismatchError
from twinoar.late import dataclass

# A rule that has fired more often than this in one block will go on for ever.
FIRINGS, FIRINGS_PER_OPERATOR = 1000, 10


@dataclass(eq=False)
class Rule:
    """One rewrite rule, and a pass: called with a Program it applies itself to all of it, in place.

    where: a condition on what the pattern's parameters and Attrs have matched, or None. shared:
    True where the rule applies even if an intermediate result is read elsewhere too, so that what
    computes it stays. hits: how often it was applied.
    """

    name: str
    doc: str
    pattern: Pattern
    replace: Callable[..., Any]
    where: Callable[..., bool] | None = None
    shared: bool = False
    hits: int = field(default=0)

    def __post_init__(self) -> None:
        self.__name__ = self.name

    def __call__(self, program: Program) -> Program:
        return apply_rules(program, [self])


def rewrite(
    pattern: Callable[..., Any], *, where: Callable[..., bool] | None = None, shared: bool = False
) -> Callable[[Callable[..., Any]], Rule]:
    """Decorator: a rule that replaces what `pattern` builds by what the function returns.

    where, shared: see Rule. Pattern and function may return several values. Raises ArgumentError
    for a pattern that is none.

    >>> from twinoar import exp, log
    >>> @rewrite(lambda x: exp(log(x)))
    ... def drop_exp_of_log(x):
    ...     return x
    >>> drop_exp_of_log.name
    'drop_exp_of_log'
    """

    def make(replace: Callable[..., Any]) -> Rule:
        name = replace.__name__
        doc = inspect.getdoc(replace) or ""
        return Rule(name, doc, pattern_of(pattern, name), replace, where, shared)

    return make


def apply_rules(program: Program, rules: Sequence[Rule]) -> Program:
    """Apply `rules` to all blocks until none matches, in place. Returns the program.

    Raises ShapeError and DTypeError for a replacement that is another shape or dtype than what it
    replaces, TypeMismatchError for one that is no value, ProgramError for a rule that fires
    without end.
    """
    by_op: dict[str, list[Rule]] = {}
    for rule in rules:
        by_op.setdefault(rule.pattern.anchor.op.name, []).append(rule)
    for block in [program.main, *(b for o in list(program.main.walk()) for b in o.blocks.values())]:
        firings: dict[Rule, int] = {}
        limit = FIRINGS + FIRINGS_PER_OPERATOR * len(block.ops)
        while _Sweep(program, block, by_op, firings, limit).run():
            pass
    return program


class _Sweep:
    """One walk over a block, in which what rules return takes the place of what they match."""

    def __init__(
        self,
        program: Program,
        block: Block,
        rules: dict[str, list[Rule]],
        firings: dict[Rule, int],
        limit: int,
    ):
        self.program, self.block, self.rules = program, block, rules
        self.firings, self.limit = firings, limit
        self.new: dict[Variable, Variable] = {}
        self.removed: set[Operator] = set()
        self.walked: set[Operator] = set()
        self._readers: dict[Variable, dict[Operator, None]] | None = None
        self.returned = {v for v in block.outputs if isinstance(v, Variable)}
        if block is program.main:
            self.returned.update(program.updates.values())

    def run(self) -> bool:
        """True if a rule fired."""
        left = self.block.ops[::-1]
        self.all, self.block.ops = self.block.ops, []
        start = 0
        try:
            while left:
                o = left[-1]
                if self.new:
                    o.operands = tuple(map(self._follow, o.operands))
                start = len(self.block.ops)
                if not any(self._fires(rule, o) for rule in self.rules.get(o.op.name, ())):
                    self.block.ops.append(o)
                self.walked.update(self.block.ops[start:])
                left.pop()
        except BaseException:
            del self.block.ops[start:]  # what the rule has made so far
            raise
        finally:
            kept = [*self.block.ops, *left[::-1]]
            for o in left:
                o.operands = tuple(map(self._follow, o.operands))
            self.block.ops = [o for o in kept if o not in self.removed]
            self.block.outputs = [self._follow(v) for v in self.block.outputs]
            if self.new and self.block is self.program.main:
                updates = self.program.updates.items()
                self.program.updates = {s: self._follow(v) for s, v in updates}
        self.program.version += bool(self.new)
        return bool(self.new)

    def _fires(self, rule: Rule, o: Operator) -> bool:
        return any(self._applies(rule, o, found) for found in matches(rule.pattern, o))

    def _applies(self, rule: Rule, o: Operator, found: Found) -> bool:
        outputs = [found[v.producer].results[index_of(v)] for v in rule.pattern.outputs]
        matched = [found[p] for p in rule.pattern.operators]
        if not self._is_free(rule, matched, outputs):
            return False
        given = {name: value for name, value in found.items() if isinstance(name, str)}
        ops = self.block.ops
        start = len(ops)
        made = self._replacement(rule, o, given)
        if made is None:
            del ops[start:]
            return False
        created = {v for new in ops[start:] for v in new.results if v is not None}
        pairs = list(zip(outputs, _checked(rule, made, outputs), strict=True))
        kept = [(old, value) for old, value in pairs if value not in created]
        if o.role == "forward" and any(_is_cut(a) and not _is_cut(b) for a, b in kept):
            del ops[start:]  # a gradient would flow where none did
            return False
        self._count(rule, o)
        ops[start:] = _needed(ops[start:], made)
        self._note(ops[start:])
        for old, value in pairs:
            self._replace(old, value, value in created)
        self._drop(matched, o, start)
        return True

    def _is_free(self, rule: Rule, matched: list[Operator], outputs: list[Variable | None]) -> bool:
        """True where nobody else needs what the replacement no longer computes."""
        replaced = set(outputs)
        for o in matched:
            for v in o.results:
                others = {} if v is None else self._others(v, matched)
                if v in replaced:
                    if any(r in self.walked for r in others):
                        return False  # it stands before the replacement
                elif not rule.shared and (others or v in self.returned):
                    return False
        return None not in replaced

    def _others(self, v: Variable, matched: list[Operator]) -> dict[Operator, None]:
        readers = self._reading().get(v, {})
        return {r: None for r in readers if r not in matched and r not in self.removed}

    def _reading(self) -> dict[Variable, dict[Operator, None]]:
        """The operators that read each value, as far as they are not removed."""
        if self._readers is None:
            self._readers = {}
            self._note(self.all)
        return self._readers

    def _note(self, operators: Sequence[Operator]) -> None:
        readers = self._readers
        for o in operators if readers is not None else ():
            for x in o.operands:
                if isinstance(x, Variable):
                    readers.setdefault(self._follow(x), {})[o] = None  # type: ignore[union-attr]

    def _replacement(self, rule: Rule, o: Operator, given: dict[str, Any]) -> list[Any] | None:
        builder = _Replacing(self.program, self.block)
        builder.source, builder.role, builder.follows = o.source, o.role, False
        builder.marks = o.marks
        with using(builder):
            try:
                if rule.where is not None and not _called(rule.where, given):
                    return None
                made = _called(rule.replace, given)
                if made is None:
                    return None
                values = list(made) if isinstance(made, (tuple, list)) else [made]
                return [builder.lift(v) for v in values]
            except Exception as error:
                error.add_note(f"in the rule {rule.name}, at {o}")
                raise

    def _count(self, rule: Rule, o: Operator) -> None:
        rule.hits += 1
        fired = self.firings[rule] = self.firings.get(rule, 0) + 1
        if fired > self.limit:
            raise ProgramError(
                f"the rule {rule.name} has fired {fired} times and would go on, last at {o}",
                cure="let it decline, by returning None or by `where`, what it has made itself",
            )

    def _replace(self, old: Variable, value: Variable, is_created: bool) -> None:
        self.new[old] = value
        readers = self._reading()
        readers.setdefault(value, {}).update(readers.pop(old, {}))
        if old in self.returned:
            self.returned.add(value)
        if is_created:
            value.name = old.name
            value.stop_gradient = old.stop_gradient
        if value.latest() is old:  # the handle was rebound to what is now the handle's own value
            value.rebound = None
        if old.latest() is not value:
            old.latest().rebound = value

    def _drop(self, matched: list[Operator], anchor: Operator, start: int) -> None:
        """Remove, last first, what was matched and nobody reads any more."""
        for o in reversed(matched):
            is_read = any(
                v is not None
                and v not in self.new
                and (v in self.returned or self._others(v, [anchor]))
                for v in o.results
            )
            operands = [x for x in o.operands if isinstance(x, Variable)]
            tells = names_told(v for v in o.results if v not in self.new) - names_told(operands)
            if not (is_read or o.has_effect or tells):
                self.removed.add(o)
                continue
            o.results = tuple(None if v in self.new else v for v in o.results)
            if o is anchor:
                self.block.ops.insert(start, o)

    def _follow(self, x: Any) -> Any:
        while isinstance(x, Variable) and x in self.new:
            x = self.new[x]
        return x


class _Replacing(Builder):
    """Builds a replacement: blocks of loops and branches read nothing from outside."""

    def _import(self, v: Variable) -> Variable:
        if isinstance(v, State) and v.home is self.program.main is not self.block:
            raise ProgramError(
                f"a rule cannot bring data, %{v.name}: {v.spec}, into a block of a loop or branch",
                cure="make it there by an operator, such as full, or let the rule decline",
            )
        return super()._import(v)


def _called(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    """`function` on those of the values that it has parameters for."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return function(**given)
    return function(**{name: value for name, value in given.items() if name in parameters})


def _checked(rule: Rule, made: list[Any], outputs: list[Variable]) -> list[Variable]:
    """What a rule returned, which must fit what it replaces."""
    if len(made) != len(outputs):
        raise ProgramError(
            f"the rule {rule.name} replaces {len(outputs)} values, and returned {len(made)}"
        )
    for old, value in zip(outputs, made, strict=True):
        if not isinstance(value, Variable):
            raise TypeMismatchError(
                f"the rule {rule.name} must return a tensor for %{old.name}: {old.spec}, "
                f"received {value!r}",
                cure="make one of it, as full_like(x, value) does",
            )
        if value.spec.dtype is not old.spec.dtype:
            raise DTypeError(
                f"the rule {rule.name} replaces %{old.name}: {old.spec} by {value.spec}",
                cure="cast what it returns, or let it decline",
            )
        if value.spec.shape != old.spec.shape:
            raise ShapeError(
                f"the rule {rule.name} replaces %{old.name}: {old.spec} by {value.spec}",
                cure="reshape what it returns, or let it decline",
            )
    return made


def _needed(operators: list[Operator], values: list[Variable]) -> list[Operator]:
    """Those of the operators that `values` are computed by, and those with an effect."""
    needed, kept = set(values), []
    for o in reversed(operators):
        if o.has_effect or any(v in needed for v in o.results):
            needed.update(x for x in o.operands if isinstance(x, Variable))
            kept.append(o)
    return kept[::-1]


def _is_cut(v: Variable) -> bool:
    """True where no gradient flows, and one could."""
    return v.stop_gradient and v.spec.dtype.is_differentiable


__all__ = ["Attr", "Rule", "apply_rules", "rewrite"]

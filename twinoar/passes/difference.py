"""What differs between two Programs, by structure: other names of the same values do not show."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any

from twinoar.core.ir.program import Block, Operator, Program, State, Variable, copy_program
from twinoar.core.ir.text import print_literal
from twinoar.core.shown import Shown
from twinoar.errors import TypeMismatchError
from twinoar.passes.manager import text_difference


def diff(a: Program, b: Program, context: int = 1) -> str:
    """The operators, states and updates that differ, as a unified diff; "" where there are none.

    Values that correspond are called as in `a`. context: lines shown around a change. Raises
    TypeMismatchError for what is no Program.

    >>> from twinoar import abs, tanh
    >>> from twinoar.core.ir.builder import trace
    >>> from twinoar.core.spec import Spec
    >>> before = trace(lambda x: tanh(x), Spec((2,)))
    >>> print(diff(before, trace(lambda y: tanh(abs(y)), Spec((2,)))))
    @@ -2,3 +2,4 @@
       main(%x: f32[2]) {
    -    %0: f32[2] = tanh(%x)
    +    %0': f32[2] = abs(%x)
    +    %0: f32[2] = tanh(%0')
         return %0
    """
    for program in (a, b):
        if not isinstance(program, Program):
            raise TypeMismatchError(f"expected a Program, received {type(program).__name__}")
    renamed, _ = copy_program(b)
    renamed.name = a.name
    names = _Names()
    names.align_states(list(a.states.values()), list(renamed.states.values()))
    names.align_blocks(a.main, renamed.main)
    names.rename(renamed)
    before, after = (p.to_text(sources=False) for p in (a, renamed))
    return Shown("\n".join(text_difference(before, after, context)))


class _Names:
    """Which value of one Program corresponds to which of another, and what that is called."""

    def __init__(self) -> None:
        self.keys: dict[Variable, Hashable] = {}
        self.numbers: dict[Hashable, int] = {}
        self.names: dict[Variable, str] = {}
        self.taken: set[str] = set()

    def align_states(self, first: Sequence[State], second: Sequence[State]) -> None:
        """States correspond by name and form, the others by form in their order."""
        kinds = [[_kind_of_state(s) for s in states] for states in (first, second)]
        named = {(s.name, k) for s, k in zip(first, kinds[0], strict=True)}
        named &= {(s.name, k) for s, k in zip(second, kinds[1], strict=True)}
        tokens = [
            [(s.name, k) if (s.name, k) in named else k for s, k in zip(states, ks, strict=True)]
            for states, ks in zip((first, second), kinds, strict=True)
        ]
        self.taken.update(s.name for s in first)
        for n, m in _pairs(*tokens):
            self._same(first[n], second[m], ("state", first[n].name))

    def align_blocks(self, first: Block, second: Block) -> None:
        """Inputs correspond by place; operators as in the longest common sequence of both."""
        self.taken.update(v.name for v in first.variables())
        for n, (v, w) in enumerate(zip(first.inputs, second.inputs, strict=False)):
            self._same(v, w, ("input", id(first), n))
        exact = [[self._number(o) for o in block.ops] for block in (first, second)]
        common = set(exact[0]) & set(exact[1])
        tokens = [
            [n if n in common else _form(o) for o, n in zip(block.ops, numbers, strict=True)]
            for block, numbers in zip((first, second), exact, strict=True)
        ]
        for n, m in _pairs(*tokens):
            o, p = first.ops[n], second.ops[m]
            for v, w in zip(o.results, p.results, strict=False):
                if v is not None and w is not None:
                    self.names[w] = v.name
            for (_, inner), (_, other) in zip(o.blocks.items(), p.blocks.items(), strict=False):
                self.align_blocks(inner, other)

    def _same(self, v: Variable, w: Variable, key: Hashable) -> None:
        self.keys[v] = self.keys[w] = key
        self.names[w] = v.name

    def _number(self, o: Operator) -> int:
        """A number for what the operator computes, down to inputs and states."""
        key = (_form(o), tuple(self._operand(x) for x in o.operands))
        number = self.numbers.setdefault(key, len(self.numbers))
        for n, v in enumerate(o.results):
            if v is not None:
                self.keys[v] = ("result", number, n)
        return number

    def _operand(self, x: Any) -> Hashable:
        return self.keys.get(x, x.name) if isinstance(x, Variable) else print_literal(x)

    def rename(self, program: Program) -> None:
        """Give all Variables of a copy the names that they have in the first Program."""
        for v in [*program.states.values(), *_variables(program.main)]:
            if v in self.names:
                v.name = self.names[v]
            else:
                while v.name in self.taken:
                    v.name += "'"
                self.taken.add(v.name)


def _variables(block: Block) -> list[Variable]:
    found = list(block.variables())
    for o in block.ops:
        for nested in o.blocks.values():
            found += _variables(nested)
    return found


def _kind_of_state(s: State) -> Hashable:
    value = print_literal(s.data) if s.is_constant else ""
    return str(s.spec), s.is_parameter, s.is_constant, s.stop_gradient, value


def _form(o: Operator) -> Hashable:
    """An operator without what it reads."""
    attrs = tuple((k, print_literal(a)) for k, a in o.attrs.items() if k not in o.blocks)
    return o.op.name, attrs, tuple("_" if v is None else str(v.spec) for v in o.results)


def _pairs(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places of equal items in the common subsequence of two sequences."""
    found = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return [(m.a + n, m.b + n) for m in found for n in range(m.size)]

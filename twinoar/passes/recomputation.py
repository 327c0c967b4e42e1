"""Less memory for training: what is cheap to keep is kept, the rest is computed again.

Between two checkpoints the values of the forward part are not kept for the backward part: the
operators run a second time, just before their gradients are asked for. Source: Chen et al. 2016,
arXiv 1604.06174, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.ir.program import Block, Operator, Program, State, Variable, copy_block
from twinoar.core.ir.size_names import names_told
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.ops.control.wait import wait

SMALL = 64  # elements: keeping so few costs less than computing them again


def recompute(program: Program, checkpoints: Sequence[Variable | str]) -> Program:
    """Let the backward part, in place, compute again what the forward part had between checkpoints.

    checkpoints: values of the forward part that are kept, Variables or names, in any order; what
    follows the last one is kept too. Values that later segments read, and those of operators with
    an effect, are kept as well. Random numbers are drawn with the keys of the forward part, and so
    are the same, and so are the gradients. Returns the program. Raises ArgumentError for
    what no forward operator defines, ProgramError for a Program without a backward part.
    """
    _Recomputation(program, checkpoints).run()
    return program


class _Recomputation:
    """One run of the pass."""

    def __init__(self, program: Program, checkpoints: Sequence[Variable | str]):
        self.program = program
        ops = program.main.ops
        self.forward = [o for o in ops if o.role == "forward"]
        self.position = {o: n for n, o in enumerate(self.forward)}
        if not any(o.role == "backward" for o in ops):
            raise ProgramError(
                f"the program {program.name} has no backward part",
                cure="call append_backward or minimize first",
            )
        self.marks = [self._checkpoint(c) for c in checkpoints]
        if not self.marks:
            raise ArgumentError(
                "there are no checkpoints", cure="name at least one value of the forward part"
            )
        self.ends = sorted({self.position[v.producer] for v in self.marks})  # type: ignore[index]
        self.kept = self._kept()
        self.again: dict[Variable, Variable] = {}  # values by what they are called first

    def run(self) -> None:
        """Insert copies of forward operators before the backward operators that need them."""
        made: list[Operator] = []
        for o in self.program.main.ops:
            if o.role == "forward":
                made.append(o)
                continue
            wanted = [x for x in o.operands if self._is_recomputed(x) and x not in self.again]
            if wanted:
                made += self._copies(o, self._segments(wanted))
            o.operands = tuple(self._now(x) for x in o.operands)
            made.append(o)
        self.program.main.ops = _steps_early(made)
        self.program.version += 1

    def _checkpoint(self, c: Variable | str) -> Variable:
        v = self.program.variable(c) if isinstance(c, str) else c
        if not isinstance(v, Variable):
            raise TypeMismatchError(
                f"a checkpoint is a Variable or a name, received {type(v).__name__}"
            )
        v = v.latest()
        if v.producer not in self.position:
            raise ArgumentError(
                f"%{v.name} is no result of the forward part, and cannot be a checkpoint",
                cure="name what an operator before the loss defines",
            )
        return v

    def _segment(self, o: Operator) -> int:
        """Which segment a forward operator is in; the last is not computed again."""
        at = self.position[o]
        return sum(end < at for end in self.ends)

    def _kept(self) -> set[Variable]:
        """The values of the forward part that are there for the backward part anyway."""
        main = self.program.main
        kept = {*self.marks, *self.program.updates.values()}
        kept.update(v for v in main.outputs if isinstance(v, Variable))
        for o in self.forward:
            segment = self._segment(o)
            read = [
                x for x in o.operands if isinstance(x, Variable) and x.producer in self.position
            ]
            kept.update(x for x in read if self._segment(x.producer) < segment)  # type: ignore[arg-type]
            results = [v for v in o.results if v is not None]
            tells = names_told(results) - names_told(x for x in o.operands if _is_variable(x))
            if o.has_effect or tells or segment == len(self.ends):
                kept.update(results)
            kept.update(v for v in results if _is_small(v))
        return kept

    def _is_recomputed(self, x: Any) -> bool:
        return isinstance(x, Variable) and x.producer in self.position and x not in self.kept

    def _segments(self, wanted: Sequence[Variable]) -> list[Operator]:
        """The operators of whole segments that the backward part needs results of."""
        numbers = {self._segment(v.producer) for v in wanted}  # type: ignore[arg-type]
        needed = {
            x
            for o in self.program.main.ops
            if o.role != "forward"
            for x in o.operands
            if self._is_recomputed(x) and self._segment(x.producer) in numbers
        }
        found = []
        for o in reversed(self.forward):
            if any(v in needed for v in o.results):
                needed.update(x for x in o.operands if self._is_recomputed(x))
                found.append(o)
        return found[::-1]

    def _copies(self, before: Operator, operators: Sequence[Operator]) -> list[Operator]:
        """Copies of forward operators, whose inputs wait for the gradient that `before` reads."""
        gradient = next(
            (x for x in before.operands if _is_variable(x) and not self._is_forward(x)), None
        )
        held: dict[Variable, Variable] = {}
        made: list[Operator] = []
        for o in operators:
            for x in o.operands:
                if gradient is not None and self._comes_from_outside(x) and x not in held:
                    held[x] = self._held(x, gradient, o, made)
            made.append(self._copy(o, held))
        return made

    def _comes_from_outside(self, x: Any) -> bool:
        """True for what is there before the backward part, and is large."""
        is_value = isinstance(x, Variable) and not isinstance(x, State)
        return is_value and x not in self.again and not _is_small(x)

    def _held(self, x: Variable, gradient: Variable, near: Operator, made: list[Operator]) -> Any:
        name = self.program.names.take(f"{x.name}@WAIT")
        v = Variable(name, x.spec, home=self.program.main, stop_gradient=x.stop_gradient)
        made.append(Operator(wait, (x, gradient), {}, (v,), near.source, "backward", near.marks))
        return v

    def _copy(self, o: Operator, held: dict[Variable, Variable]) -> Operator:
        def now(x: Any) -> Any:
            return self.again.get(x, held.get(x, x)) if isinstance(x, Variable) else x

        attrs = {
            k: copy_block(a, self.program.names, {}) if isinstance(a, Block) else a
            for k, a in o.attrs.items()
        }
        operands = tuple(map(now, o.operands))
        results = tuple(None if v is None else self._result(v) for v in o.results)
        return Operator(o.op, operands, attrs, results, o.source, "backward", o.marks)

    def _result(self, v: Variable) -> Variable | None:
        if v in self.kept:
            return None
        name = self.program.names.take(f"{v.name}@AGAIN")
        new = Variable(name, v.spec, home=self.program.main, stop_gradient=v.stop_gradient)
        self.again[v] = new
        return new

    def _now(self, x: Any) -> Any:
        return self.again.get(x, x) if isinstance(x, Variable) else x

    def _is_forward(self, x: Variable) -> bool:
        return isinstance(x, State) or x.producer is None or x.producer in self.position


def _steps_early(operators: Sequence[Operator]) -> list[Operator]:
    """The operators with each of the optimizer's right behind what it reads.

    Otherwise what a gradient of weights is computed from is kept until the end.
    """
    places: dict[Operator, tuple[int, int]] = {}
    for n, o in enumerate(operators):
        before = [places[x.producer][0] for x in o.operands if _is_variable(x) and x.producer]
        moves = o.role == "optimize" and not o.has_effect
        places[o] = (max(before, default=-1) if moves else n, n)
    return sorted(operators, key=places.__getitem__)


def _is_variable(x: Any) -> bool:
    return isinstance(x, Variable)


def _is_small(v: Variable) -> bool:
    size = v.spec.size
    return isinstance(size, int) and size <= SMALL

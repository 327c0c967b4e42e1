"""The precision of a Program's operators: casts in front of those that compute in another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import DType, bfloat16, float16, float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, infer
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.policy import UNRECORDED, Autocast
from twinoar.core.spec import Spec
from twinoar.ops.math.cast import cast

SHORT = {float16: "fp16", bfloat16: "bf16", float32: "fp32"}  # as Paddle's names have them


def cast_operators(
    program: Program, autocast: Autocast, is_left_out: Callable[[Operator], bool]
) -> None:
    """Let operators of a Program compute as `autocast` says, in place.

    Variables stay the same objects, in other dtypes; each is cast once to each dtype in a block.
    What is left out gets what it had, and so do blocks within: their operators choose, and their
    results are cast back. Results that states take are cast back as well.
    """
    Rewriting(program, autocast, is_left_out).run()
    program.version += 1


def lower_states(
    program: Program,
    autocast: Autocast,
    is_left_out: Callable[[Operator], bool],
    low: DType,
) -> list[State]:
    """Make parameters that `autocast` casts to `low` wherever they are read be it: which ones."""
    asked: dict[State, bool] = {}
    for o in program.main.ops:
        given = o.operands
        if not (is_left_out(o) or o.blocks):
            given = _cast_in_scratch(autocast, o)
        for x, y in zip(o.operands, given, strict=True):
            if _is_weight(x):
                asked[x] = asked.get(x, True) and y.dtype is low
    chosen = [state for state, is_asked in asked.items() if is_asked]
    for state in chosen:
        state._spec = Spec(state.spec.shape, low)
    return chosen


def _cast_in_scratch(autocast: Autocast, o: Operator) -> tuple[Any, ...]:
    scratch = Builder(Program("scratch"), policy=UNRECORDED)
    with using(scratch):
        inputs = [
            scratch.block.add_input(x.spec) if isinstance(x, Variable) else x for x in o.operands
        ]
        return autocast.cast(o.op, tuple(inputs))


def _is_weight(x: Any) -> bool:
    return isinstance(x, State) and x.is_parameter and x.dtype is float32


class Rewriting:
    """One block on its way, the main one for None. original: the dtypes that Variables had."""

    def __init__(
        self,
        program: Program,
        autocast: Autocast,
        is_left_out: Callable[[Operator], bool],
        block: Block | None = None,
    ):
        self.program, self.autocast, self.is_left_out = program, autocast, is_left_out
        self.block = block or program.main
        self.original = {v: v.dtype for v in (*program.states.values(), *self.block.variables())}
        self.casts: dict[tuple[Variable, DType], Variable] = {}
        self.builder = Builder(program, self.block, policy=UNRECORDED)
        self.builder.follows = False

    def run(self) -> None:
        """Rewrite all operators in turn."""
        block = self.block
        ops, block.ops = block.ops, []
        try:
            while ops:
                self._append(ops[0])
                del ops[0]
        finally:
            block.ops += ops  # of a Program that could not be rewritten to its end
        if block is not self.program.main:
            block.outputs = [self._as_it_was(x) for x in block.outputs]
            return
        for state, value in list(self.program.updates.items()):
            self.program.updates[state] = self._in_dtype(value, state.dtype)

    def _append(self, o: Operator) -> None:
        self.builder.source, self.builder.role, self.builder.marks = o.source, o.role, o.marks
        for block in o.blocks.values():
            Rewriting(self.program, self.autocast, self.is_left_out, block).run()
        if o.blocks or self.is_left_out(o):
            operands = tuple(map(self._as_it_was, o.operands))
        else:
            operands = self._cast(o)
        specs = infer(o.op, operands, o.attrs, o.source)
        for v, spec in zip(o.results, specs, strict=True):
            if v is not None and spec is not None:
                v._spec = Spec(v.spec.shape, spec.dtype)
        o.operands = operands
        self.builder.append(o)

    def _cast(self, o: Operator) -> tuple[Any, ...]:
        """The operands in the precision of an operator, by casts that are there or new ones."""
        block, before = self.block, len(self.block.ops)
        with using(self.builder):
            operands = self.autocast.cast(o.op, o.operands)
        del block.ops[before:]
        return tuple(
            y if y is x else self._in_dtype(x, y.dtype)
            for x, y in zip(o.operands, operands, strict=True)
        )

    def _as_it_was(self, x: Any) -> Any:
        return self._in_dtype(x, self.original[x]) if x in self.original else x

    def _in_dtype(self, x: Variable, dtype: DType) -> Variable:
        if x.dtype is dtype:
            return x
        if (x, dtype) not in self.casts:
            with using(self.builder):
                made = cast(x, dtype)
            made.stop_gradient = x.stop_gradient
            made.rename(f"{x.name}.cast_{SHORT[dtype]}")
            self.casts[x, dtype] = made
        return self.casts[x, dtype]

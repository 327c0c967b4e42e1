"""What `verify` refuses in Programs that were edited by hand: an error that names it, no crash."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from twinoar.core.dtype import BY_NAME, float32
from twinoar.core.ir import verify as module
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.ir.verify import Sound, verify
from twinoar.core.op.definition import op_named
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError

TEXT = """\
program edited {
  param %w: f32[4,3]
  state %count: i64[]
  const %c: f32[3] = array([1.0, 2.0, 3.0])
  main(%x: f32[N,4], %flag: b8[]) {
    %0: f32[N,3] = matmul(%x, %w)
    %1: f32[N,3] = add(%0, %c)
    %2: f32[N,3] = if(%flag, %1) then(%3: f32[N,3]) {
      %4: f32[N,3] = multiply(%3, 2.0)
      yield %4
    } orelse(%5: f32[N,3]) {
      yield %5
    }
    %6: i64[] = add(%count, 1)
    %7: f32[N,3] = transpose(%2, perm=(0, 1))
    update %count = %6
    return %7
  }
}"""

SPEC = Spec((2,), float32)


def ops(p: Program) -> list[Operator]:
    return p.main.ops


def undefined(p: Program) -> None:
    ops(p)[0].operands = (Variable("ghost", SPEC), p.states["w"])


def circle(p: Program) -> None:
    ops(p)[0].operands = (ops(p)[1].results[0], p.states["w"])


def itself(p: Program) -> None:
    ops(p)[1].operands = (ops(p)[1].results[0], ops(p)[1].results[0])


def out_of_order(p: Program) -> None:
    ops(p).reverse()


def of_an_inner_block(p: Program) -> None:
    ops(p)[-1].operands = (ops(p)[2].attrs["then"].ops[0].results[0],)


def of_the_block_around(p: Program) -> None:
    ops(p)[2].attrs["then"].ops[0].operands = (ops(p)[1].results[0], 2.0)


def of_another_program(p: Program) -> None:
    ops(p)[0].operands = (parse(TEXT).main.inputs[0], p.states["w"])


def too_few(p: Program) -> None:
    ops(p)[0].operands = (p.main.inputs[0],)


def too_many(p: Program) -> None:
    ops(p)[0].operands = (*ops(p)[0].operands, 1.0)


def none_where_needed(p: Program) -> None:
    ops(p)[0].operands = (p.main.inputs[0], None)


def text_as_operand(p: Program) -> None:
    ops(p)[0].operands = (p.main.inputs[0], "w")


def unknown_attribute(p: Program) -> None:
    ops(p)[0].attrs["transpose_z"] = True


def lacking_attribute(p: Program) -> None:
    del ops(p)[0].attrs["transpose_x"]


def attribute_of_another_type(p: Program) -> None:
    ops(p)[-1].attrs["perm"] = "01"


def attribute_out_of_range(p: Program) -> None:
    ops(p)[-1].attrs["perm"] = (0, 7)


def no_block(p: Program) -> None:
    ops(p)[2].attrs["then"] = None


def block_in_itself(p: Program) -> None:
    ops(p)[2].attrs["then"] = p.main


def too_few_results_of_a_block(p: Program) -> None:
    ops(p)[2].attrs["then"].outputs = []


def deep_blocks(p: Program) -> None:
    one = p.main
    for _ in range(2 * sys.getrecursionlimit()):
        inner = Block(p.names)
        v = one.add_input(Spec((), BY_NAME["bool"]))
        attrs = {"then": inner, "orelse": Block(p.names)}
        one.ops.append(Operator(op_named("if"), (v,), attrs, ()))
        one = inner


def wrong_dtype(p: Program) -> None:
    ops(p)[1].results[0]._spec = Spec((2, 3), p.main.inputs[1].dtype)


def no_spec(p: Program) -> None:
    p.main.inputs[0]._spec = "f32[2]"


def too_many_results(p: Program) -> None:
    extra = Variable("more", SPEC, home=p.main)
    ops(p)[0].results = (*ops(p)[0].results, extra)
    extra.producer = ops(p)[0]


def same_name(p: Program) -> None:
    ops(p)[1].results[0].name = "x"


def name_of_a_state(p: Program) -> None:
    p.main.inputs[0].name = "w"


def defined_twice(p: Program) -> None:
    ops(p)[1].results = ops(p)[0].results


def unknown_producer(p: Program) -> None:
    ops(p)[0].results[0].producer = None


def home_elsewhere(p: Program) -> None:
    p.main.inputs[0].home = Block()


def no_operator(p: Program) -> None:
    ops(p)[0] = "matmul(x, w)"


def no_op(p: Program) -> None:
    ops(p)[0].op = "matmul"


def another_role(p: Program) -> None:
    ops(p)[0].role = "sideways"


def undefined_output(p: Program) -> None:
    p.main.outputs = [Variable("ghost", SPEC)]


def text_as_output(p: Program) -> None:
    p.main.outputs = ["7"]


def update_of_another_dtype(p: Program) -> None:
    p.updates = {p.states["w"]: ops(p)[-2].results[0]}


def update_of_no_state(p: Program) -> None:
    p.updates = {State("other", SPEC): ops(p)[0].results[0]}


def update_of_a_variable(p: Program) -> None:
    p.updates = {p.main.inputs[0]: ops(p)[0].results[0]}


def update_by_a_number(p: Program) -> None:
    p.updates = {p.states["count"]: 3}


def update_by_an_undefined_one(p: Program) -> None:
    p.updates = {p.states["count"]: Variable("ghost", p.states["count"].spec)}


def state_under_another_name(p: Program) -> None:
    p.states["v"] = p.states.pop("w")


def no_state(p: Program) -> None:
    p.states["v"] = np.zeros(3)


def constant_of_another_size(p: Program) -> None:
    p.states["c"].data = np.zeros(5, "float32")


def constant_without_value(p: Program) -> None:
    p.states["c"].data = None


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (undefined, "reads %ghost, which is not defined before it"),
        (circle, "matmul reads %1, which is not defined before it"),
        (itself, "add reads %1, which is not defined before it"),
        (out_of_order, "not defined before it"),
        (of_an_inner_block, "transpose reads %4, which is not defined before it"),
        (of_the_block_around, "multiply reads %1, which is not defined before it"),
        (of_another_program, "reads %x, which is not defined before it"),
        (too_few, "matmul takes operands x, y, received 1"),
        (too_many, "matmul takes operands x, y, received 3"),
        (none_where_needed, "matmul lacks its operand y"),
        (text_as_operand, "matmul reads 'w' (str)"),
        (unknown_attribute, "matmul has no attribute 'transpose_z'"),
        (lacking_attribute, "matmul lacks its attribute transpose_x"),
        (attribute_of_another_type, "transpose cannot have perm='01'"),
        (attribute_out_of_range, "inference of %7"),
        (no_block, "if lacks its block then"),
        (block_in_itself, "a block of if stands within itself"),
        (too_few_results_of_a_block, "one branch returns 0 values"),
        (deep_blocks, "nested too deeply"),
        (wrong_dtype, "inference gives"),
        (no_spec, "expected a name and a Spec"),
        (too_many_results, "inference gives"),
        (same_name, "%x is defined twice"),
        (name_of_a_state, "%w is defined twice"),
        (defined_twice, "%0 is defined twice"),
        (unknown_producer, "%0 does not know"),
        (home_elsewhere, "%x stands in a block that is not its home"),
        (no_operator, "expected Operators alone"),
        (no_op, "expected an Op"),
        (another_role, "matmul has the role 'sideways'"),
        (undefined_output, "returns %ghost, which nothing in it defines"),
        (text_as_output, "returns '7' (str)"),
        (update_of_another_dtype, "%w is f32[4,3], its update is i64[]"),
        (update_of_no_state, "update of %other is of a state that the program does not have"),
        (update_of_a_variable, "update of %x is of a state that the program does not have"),
        (update_by_a_number, "update of %count is 3 (int), which nothing defines"),
        (update_by_an_undefined_one, "update of %count is %ghost, which nothing defines"),
        (state_under_another_name, "the state 'v' is %w"),
        (no_state, "the state 'v' is array"),
        (constant_of_another_size, "the constant %c is f32[3], its value has shape (5,)"),
        (constant_without_value, "the constant %c is f32[3], its value has shape None"),
    ],
)
def test_what_was_edited_wrongly_is_named(edit: Callable, message: str) -> None:
    sound: Sound = {}
    program = verify(parse(TEXT), sound)
    edit(program)
    for found_before in (None, sound):
        with pytest.raises(ProgramError) as caught:
            verify(program, found_before)
        assert message in str(caught.value)


def test_an_operator_that_nobody_touched_is_inferred_once(monkeypatch) -> None:
    inferred = []
    real = module.infer
    monkeypatch.setattr(module, "infer", lambda op, *given: inferred.append(op) or real(op, *given))
    sound: Sound = {}
    program = verify(parse(TEXT), sound)
    first = len(inferred)
    verify(program, sound)
    of_blocks = [o for o in program.main.walk() if o.blocks]
    assert len(inferred) == first + len(of_blocks) < 2 * first
    of_matmul = ops(program)[1]
    of_matmul.attrs["transpose_x"] = 0  # equal to False, and of another type
    with pytest.raises(ProgramError):
        verify(program, sound)


def test_the_results_of_a_read_program_may_be_numbers() -> None:
    program = parse(TEXT)
    program.main.outputs.append(1.0)
    assert verify(program) is program

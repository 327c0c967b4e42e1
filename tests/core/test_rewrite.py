"""Rewrite rules: pattern and replacement in the users' vocabulary."""

import pytest

import twinoar as paddle
from twinoar.core.interpreter import recording, using
from twinoar.core.ir.builder import Builder, before, trace
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import Program
from twinoar.core.ir.rewrite import Attr, apply_rules, rewrite
from twinoar.core.ir.verify import verify
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError, TypeMismatchError
from twinoar.ops.index.sort import sort_op
from twinoar.ops.linalg.matmul import linear, matmul
from twinoar.ops.math.arithmetic import add, multiply, subtract
from twinoar.ops.math.cast import cast


@rewrite(lambda x, w, b: matmul(x, w) + b)
def fuse_linear(x, w, b):
    """matmul then bias is one operator."""
    return linear(x, w, b) if b.spec.ndim == 1 else None


@rewrite(lambda x: multiply(x, x))
def square_of_same(x):
    """x * x = square(x)."""
    return paddle.square(x)


@rewrite(lambda x: cast(cast(x, Attr("first")), Attr("second")))
def merge_casts(x, first, second):
    """cast(cast(x, f32), f64) = cast(x, f64) where nothing is lost."""
    return cast(x, second) if first.itemsize >= x.dtype.itemsize else None


def ops_of(program):
    return [o.op.name for o in program.main.ops]


def test_match_replaces_and_counts():
    program = trace(lambda x, w, b: paddle.tanh(x @ w + b), Spec((2, 3)), Spec((3, 4)), Spec((4,)))
    hits = fuse_linear.hits
    verify(apply_rules(program, [fuse_linear]))
    assert ops_of(program)[-2:] == ["linear", "tanh"] and fuse_linear.hits == hits + 1


def test_none_declines_and_leaves_no_trace():
    program = trace(lambda x, w, b: x @ w + b, Spec((2, 3)), Spec((3, 4)), Spec((2, 4)))
    before_text = str(program)
    apply_rules(program, [fuse_linear])
    assert str(program) == before_text


def test_repeated_parameter_must_be_the_same_value():
    program = trace(lambda x, y: add(multiply(x, x), multiply(x, y)), Spec((2,)), Spec((2,)))
    apply_rules(program, [square_of_same])
    assert ops_of(program).count("multiply") == 1


def test_attributes_are_captured():
    program = trace(lambda x: cast(cast(x, "float32"), "float64"), Spec((2,)))
    verify(apply_rules(program, [merge_casts]))
    assert "%x, dtype=float64" in str(program)


def test_results_keep_their_name():
    body = "%y: f32[2] = multiply(%x, %x)\n    return %y"
    text = f"program p {{\n  main(%x: f32[2]) {{\n    {body}\n  }}\n}}"
    program = apply_rules(parse(text), [square_of_same])
    assert program.main.outputs[0].name == "y"


def test_programs_are_edited_in_place():
    program = trace(lambda x, y: subtract(x, y), Spec((2,)), Spec((2,)))
    (old,) = program.main.ops
    with before(program, old):
        new = add(old.operands[0], -old.operands[1])
    program.main.replace(old, new)
    verify(program)
    assert "subtract" not in ops_of(program)


def test_operator_in_use_is_not_removed():
    program = trace(lambda x: paddle.tanh(paddle.tanh(x)), Spec((2,)))
    with pytest.raises(ProgramError, match="still read"):
        program.main.remove(program.main.ops[0])


@rewrite(lambda x, y: (x + y) * x)
def expand_product(x, y):
    """(x + y) * x = x * x + y * x."""
    return x * x + y * x


def test_commutative_operands_are_tried_in_both_orders():
    program = trace(lambda a, b: b * (a + b), Spec((2,)), Spec((2,)))
    verify(apply_rules(program, [expand_product]))
    assert ops_of(program) == ["multiply", "multiply", "add"]


def test_operands_of_others_are_not_exchanged():
    rule = rewrite(lambda x: subtract(x, 1.0))(lambda x: x)
    program = trace(lambda x: subtract(1.0, x), Spec((2,)))
    apply_rules(program, [rule])
    assert ops_of(program) == ["subtract"]


@rewrite(lambda x: sort_op(x, -1, True))
def negative_of_rising(x):
    """Both results of one operator are replaced."""
    values, places = sort_op(-x, -1, False)
    return -values, places


@rewrite(lambda x: sort_op(sort_op(x)[0])[0])
def sort_once(x):
    """One of several results, of an operator whose other ones nobody reads."""
    return sort_op(x)[0]


def test_all_results_of_an_operator_are_replaced():
    program = trace(lambda x: sort_op(x, -1, True), Spec((3,)))
    verify(apply_rules(program, [negative_of_rising]))
    assert ops_of(program) == ["neg", "sort", "neg"]
    assert program.main.outputs[1].producer.op.name == "sort"


def test_one_of_several_results_is_replaced():
    program = trace(lambda x: sort_op(sort_op(x)[0])[0], Spec((3,)))
    verify(apply_rules(program, [sort_once]))
    assert ops_of(program) == ["sort"]


def test_the_other_result_of_an_operator_keeps_it():
    program = trace(lambda x: sort_op(sort_op(x)[0]), Spec((3,)))
    apply_rules(program, [sort_once])
    assert ops_of(program) == ["sort", "sort"]


def both(x, w, b):
    product = x @ w
    return product + b, product


def test_work_whose_result_is_read_elsewhere_is_not_repeated():
    program = trace(both, Spec((2, 3)), Spec((3, 4)), Spec((4,)))
    apply_rules(program, [fuse_linear])
    assert ops_of(program) == ["matmul", "add"]


def test_a_rule_may_say_that_repeating_is_meant():
    shared = rewrite(lambda x, w, b: matmul(x, w) + b, shared=True)(lambda x, w, b: linear(x, w, b))
    program = trace(both, Spec((2, 3)), Spec((3, 4)), Spec((4,)))
    verify(apply_rules(program, [shared]))
    assert ops_of(program) == ["matmul", "linear"]


def test_what_was_matched_goes_and_what_others_read_stays():
    program = trace(lambda x: multiply(paddle.tanh(x), 1.0), Spec((2,)))
    rule = rewrite(lambda x: multiply(paddle.tanh(x), 1.0))(lambda x: paddle.abs(x))
    assert ops_of(apply_rules(program, [rule])) == ["abs"]


def test_a_condition_sees_what_it_has_parameters_for():
    rule = rewrite(lambda x, y: add(x, y), where=lambda y: y.spec.ndim == 0)(lambda x, y: x - y)
    program = trace(lambda x, y, z: x + y + z, Spec((2,)), Spec((2,)), Spec(()))
    verify(apply_rules(program, [rule]))
    assert ops_of(program) == ["add", "subtract"]


@pytest.mark.parametrize(
    ("replace", "error", "message"),
    [
        (lambda x: paddle.sum(x), ShapeError, "the rule <lambda> replaces .* by f32"),
        (lambda x: x.astype("float64"), DTypeError, "the rule <lambda> replaces .* by f64"),
        (lambda x: 0.0, TypeMismatchError, "the rule <lambda> must return a tensor"),
        (lambda x: (x, x), ProgramError, "the rule <lambda> replaces 1 values, and returned 2"),
        (lambda x: paddle.tanh(x), ProgramError, "the rule <lambda> has fired 1011 times"),
    ],
)
def test_a_replacement_that_is_wrong_is_an_error_that_names_the_rule(replace, error, message):
    program = trace(lambda x: paddle.tanh(x), Spec((2, 3)))
    with pytest.raises(error, match=message):
        apply_rules(program, [rewrite(lambda x: paddle.tanh(x))(replace)])
    assert ops_of(verify(program)) == ["tanh"]


def test_an_error_in_a_rule_says_which_and_where():
    program = trace(lambda x: paddle.tanh(x), Spec((2,)))
    rule = rewrite(lambda x: paddle.tanh(x))(lambda x: x.nothing)
    with pytest.raises(AttributeError) as caught:
        apply_rules(program, [rule])
    assert "in the rule <lambda>, at %0" in caught.value.__notes__[0]
    assert ops_of(program) == ["tanh"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (lambda x: x, "must return results of operators"),
        (lambda x, y: paddle.tanh(x), "does not use y"),
        (lambda x: (paddle.tanh(x), paddle.abs(x)), "do not all lead to one"),
        (lambda x: paddle.reshape(x, [x.shape[0], 3]), "cannot be traced"),
    ],
)
def test_a_pattern_that_is_none_is_refused(pattern, message):
    with pytest.raises(ArgumentError, match=message):
        rewrite(pattern)(lambda x: x)


def test_handles_follow_what_takes_the_place_of_their_value():
    program = trace(lambda x: multiply(x, x), Spec((2,)))
    (handle,) = program.main.outputs
    apply_rules(program, [square_of_same])
    assert handle.latest() is program.main.outputs[0]


def test_a_gradient_that_is_cut_stays_cut():
    program = Program()
    x = program.main.add_input(Spec((2,)), "x", stop_gradient=False)
    with using(Builder(program)):
        with using(recording(False)):
            y = multiply(x, 1.0)
        program.main.outputs = [paddle.tanh(y)]
    apply_rules(program, [rewrite(lambda x: multiply(x, 1.0))(lambda x: x)])
    assert ops_of(program) == ["multiply", "tanh"]


IN_A_BRANCH = """program p {
  main(%x: f32[2], %flag: b8[]) {
    %y: f32[2] = if(%flag, %x) then(%a: f32[2]) {
      %b: f32[2] = multiply(%a, %a)
      yield %b
    } orelse(%c: f32[2]) {
      yield %c
    }
    return %y
  }
}"""


def test_rules_apply_in_the_blocks_of_loops_and_branches():
    program = verify(apply_rules(verify(parse(IN_A_BRANCH)), [square_of_same]))
    assert "%b: f32[2] = square(%a)" in program.to_text(sources=False)


def test_data_does_not_get_into_a_branch():
    weights = paddle.to_tensor([1.0, 2.0])
    rule = rewrite(lambda x: multiply(x, x))(lambda x: x * weights)
    with pytest.raises(ProgramError, match=r"cannot bring data, %const_0: .* into a block"):
        apply_rules(parse(IN_A_BRANCH), [rule])

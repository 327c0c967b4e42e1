"""Rewrite rules: pattern and replacement in the users' vocabulary."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.core.builder import before, trace
from twinoar.core.parse import parse
from twinoar.core.rewrite import Attr, apply_rules, rewrite
from twinoar.core.spec import Spec
from twinoar.core.verify import verify
from twinoar.errors import ProgramError
from twinoar.ops.cast import cast
from twinoar.ops.elementwise import add, multiply, subtract
from twinoar.ops.matmul import linear, matmul


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

"""Programs as text: what prints parses back, and what does not parse says where."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.core.ir.builder import trace
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import copy_program
from twinoar.core.ir.verify import verify
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError

TEXT = """\
program mlp {
  param %w: f32[4,3]
  param %frozen: f32[3] frozen
  state %count: i64[]
  const %c: f32[2] = array([1.0, -0.5])
  main(%x: f32[N,4]!, %y: i64[N]) {
    %0: f32[N,3] = matmul(%x, %w)
    %1: f32[N,3] = add(%0, %frozen)
    %2: f32[N,3] = multiply(%1, 2.0)
    %3: i64[] = add(%count, 1)
    update %count = %3
    return %2, %1
  }
}"""


def test_text_round_iteration():
    program = verify(parse(TEXT))
    assert str(program) == TEXT
    assert str(copy_program(program)[0]) == TEXT


def test_sources_stay_as_comments():
    program = trace(lambda x: paddle.tanh(x), Spec((2,)))
    assert "# test_text.py:" in str(program)
    assert str(parse(str(program))) == str(program)


def test_files_may_have_spaces_in_their_names():
    space = {"tanh": paddle.tanh}
    exec(compile("def function(x):\n    return tanh(x)", "my file.py", "exec"), space)
    program = trace(space["function"], Spec((2,)))
    assert "# my file.py:2" in str(program)
    assert str(parse(str(program))) == str(program)


def test_arrays_keep_every_bit():
    x = np.random.default_rng(0).standard_normal((5, 7)).astype("float32")
    program = trace(lambda a: a + paddle.to_tensor(x), Spec((5, 7)))
    again = parse(str(program))
    (constant,) = again.states.values()
    assert constant.data.tobytes() == x.tobytes()


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("matmul(%x, %w)", "matmul(%x, %q)", "%q is not defined"),
        ("= matmul", "= matmool", "no operator 'matmool'"),
        ("multiply(%1, 2.0)", "multiply(%1, 2.0, scale=3)", "no attribute 'scale'"),
        ("%1: f32[N,3] = add", "%0: f32[N,3] = add", "defined twice"),
        ("i64[N]) {", "i64[N]) ", "expected '{'"),
        ("= array([1.0, -0.5])", "", "has no value"),
        ("param %w: f32[4,3]", "thing %w: f32[4,3]", "expected param, state, const or main"),
        ("matmul(%x, %w)", "matmul(%x, import os)", "expected a literal"),
        ("f32[4,3]", "g32[4,3]", "expected a spec"),
    ],
)
def test_text_that_does_not_parse_says_where(old, new, match):
    assert old in TEXT
    with pytest.raises(ProgramError) as caught:
        parse(TEXT.replace(old, new, 1))
    assert match in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("%2: f32[N,3] = multiply", "%2: f32[N,7] = multiply", "inference gives"),
        ("%1: f32[N,3] = add(%0, %frozen)", "%1: i64[N,3] = add(%0, %frozen)", "inference"),
    ],
)
def test_verify_finds_wrong_specs(old, new, match):
    with pytest.raises(ProgramError, match=match):
        verify(parse(TEXT.replace(old, new, 1)))


def test_verify_finds_use_before_definition():
    program = parse(TEXT)
    program.main.ops.reverse()
    with pytest.raises(ProgramError, match="not defined before it"):
        verify(program)


def test_verify_finds_a_variable_of_another_block():
    program, other = parse(TEXT), parse(TEXT)
    program.main.ops[0].operands = (other.main.inputs[0], program.states["w"])
    with pytest.raises(ProgramError, match="reads %x"):
        verify(program)

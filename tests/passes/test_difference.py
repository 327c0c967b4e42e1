"""The difference of two Programs goes by what they compute, not by names."""

import pytest

from tests.passes.programs import program
from twinoar import passes
from twinoar.errors import TypeMismatchError

BODY = """
    %a: f32[2,3] = tanh(%x)
    %b: f32[2,3] = exp(%a)
    %c: f32[2,3] = add(%a, %b)
    return %c
"""


def test_other_names_are_no_difference():
    renamed = BODY.replace("%a", "%hidden").replace("%c", "%out")
    assert passes.diff(program(BODY), program(renamed)) == ""


def test_an_inserted_operator_is_the_only_difference():
    body = """
        %1: f32[2,3] = tanh(%x)
        %2: f32[2,3] = abs(%1)
        %3: f32[2,3] = exp(%2)
        %4: f32[2,3] = add(%1, %3)
        return %4
    """
    assert passes.diff(program(BODY), program(body), context=0) == (
        "@@ -4 +4,2 @@\n"
        "-    %b: f32[2,3] = exp(%a)\n"
        "+    %2: f32[2,3] = abs(%a)\n"
        "+    %b: f32[2,3] = exp(%2)"
    )


def test_a_name_that_means_something_else_is_marked():
    body = BODY.replace("%b: f32[2,3] = exp(%a)", "%b: f32[2,3] = abs(%a)")
    found = passes.diff(program(BODY), program(body), context=0)
    assert "+    %b': f32[2,3] = abs(%a)" in found


def test_attributes_literals_and_outputs_count():
    given = program("%0: f32[2,3] = scale(%x, scale=2.0)\nreturn %0")
    for other in (
        "%0: f32[2,3] = scale(%x, scale=3.0)\nreturn %0",
        "%0: f32[2,3] = scale(%x, scale=2.0)\nreturn %0, %x",
    ):
        assert passes.diff(given, program(other)) != ""


def test_states_go_by_name_and_then_by_form():
    body = "%0: f32[2,3] = add(%x, %w)\nupdate %w = %0"
    given = program(body, states="  param %w: f32[2,3]\n")
    other = program(body.replace("%w", "%v"), states="  param %v: f32[2,3]\n")
    assert passes.diff(given, other) == ""
    frozen = program(body, states="  param %w: f32[2,3] frozen\n")
    assert "frozen" in passes.diff(given, frozen)


def test_only_programs_are_compared():
    with pytest.raises(TypeMismatchError, match="expected a Program, received str"):
        passes.diff(program(BODY), "text")

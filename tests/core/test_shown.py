"""Texts about Programs are str, and show their lines as the value of a prompt or cell."""

from __future__ import annotations

import pickle

import pytest

import twinoar as paddle
from twinoar import jit, static
from twinoar.core.shown import Shown


@jit.to_static
def scaled(x):
    return (x * 2).tanh()


def built() -> static.Program:
    program = static.Program()
    with static.program_guard(program):
        static.data("x", [None, 3]).tanh()
    return program


def of_function() -> str:
    scaled(paddle.ones([3]))
    return scaled.explain()


TEXTS = {
    "StaticFunction.explain": of_function,
    "Program.explain": lambda: built().explain(),
    "Program.to_string": lambda: built().to_string(),
    "Program.to_text": lambda: built().to_text(),
    "Program.to_python": lambda: built().to_python(),
    "Program.diff": lambda: built().diff(static.Program()),
    "Block.to_string": lambda: built().global_block().to_string(),
    "Variable.to_string": lambda: built().global_block().ops[0].results[0].to_string(True, True),
    "Operator.to_string": lambda: built().global_block().ops[0].to_string(),
    "Config.summary": lambda: paddle.inference.Config().summary(),
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_the_value_of_a_cell_is_lines(make):
    text = make()
    assert isinstance(text, str) and text
    assert repr(text) == str(text) == "".join(text)


@pytest.mark.parametrize(
    "make",
    [built, lambda: built().global_block(), lambda: jit.explain(scaled, paddle.ones([2]))],
    ids=["Program", "Block", "Report"],
)
def test_what_prints_as_lines_is_shown_so(make):
    made = make()
    assert repr(made) == str(made) and "\n" in repr(made)


def test_a_shown_text_is_a_str_in_all_else():
    text = Shown("a\nb")
    assert text == "a\nb" and hash(text) == hash("a\nb") and text.splitlines() == ["a", "b"]
    assert type(text + "c") is str and f"{text}" == "a\nb" and {text: 1}["a\nb"] == 1
    assert pickle.loads(pickle.dumps(text)) == text

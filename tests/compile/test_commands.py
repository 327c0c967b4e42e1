"""Commands are data: what they print is read back as the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ops.test_ops import GOOD
from twinoar.backends.host import host
from twinoar.backends.native.compiled import Compiled, compile_program
from twinoar.compile.commands import (
    Commands,
    Host,
    If,
    Launch,
    Repeat,
    Span,
    While,
    bodies_of,
)
from twinoar.compile.commands_text import parsed, printed
from twinoar.compile.pipeline import lower
from twinoar.compile.specialise import dynamic_operator
from twinoar.compile.stages import Stages
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError
from twinoar.ops.index.gather import gather
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.testing.calls import build


def compiled(program: Program) -> Compiled:
    lower(program)
    return compile_program(program, host(), Stages())


def updating(sizes: tuple[int, int] = (96, 85)) -> Program:
    """A Program with a weight, a state that it updates in place, a constant and three results."""
    program = Program("updating")
    weight = program.add_state(Spec(sizes, float32), "weight")
    total = program.add_state(Spec((), float32), "a total")
    factor = program.add_constant(np.float32([2.5] * sizes[1]), Spec((sizes[1],), float32))
    x = program.main.add_input(Spec((7, sizes[0]), float32), "x")
    with using(Builder(program, policy=UNRECORDED)):
        product = multiply(matmul(x, weight, False, False), factor)
        following = add(total, total)
        program.update(total, following)
        program.main.outputs = [product, x, 3]
    return program


FIRST = list({case.values[0]: case for case in reversed(GOOD)}.values())  # of each operator


@pytest.mark.parametrize(("op", "sample"), FIRST)
def test_what_commands_print_is_read_back(op, sample) -> None:
    program = build(op, sample)
    lower(program)
    if dynamic_operator(program) is not None:
        return  # no Commands are made of it
    commands = compile_program(program, host(), Stages()).commands
    text = printed(commands)
    again = parsed(text)
    assert again == commands
    assert printed(again) == text


def test_states_constants_and_results_are_read_back() -> None:
    commands = compiled(updating()).commands
    again = parsed(printed(commands))
    assert again == commands
    assert [p.role for p in again.places].count("state") == 2
    assert {p.name for p in again.places if p.is_written} == {"a total"}
    (constant,) = again.constants.values()
    assert constant.tolist() == [2.5] * 85
    assert isinstance(again.outputs[2], np.ndarray) and again.outputs[2] == 3


def test_checked_indices_are_read_back() -> None:
    program = Program("looking up")
    x = program.main.add_input(Spec((7, 5), float32), "x")
    index = program.main.add_input(Spec((3,), int64), "index")
    with using(Builder(program, policy=UNRECORDED)):
        program.main.outputs = [gather(x, index, 0)]
    commands = compiled(program).commands
    assert commands.checked and parsed(printed(commands)).checked == commands.checked


def test_commands_of_other_numbers_differ() -> None:
    one, other = (compiled(updating(sizes)).commands for sizes in ((96, 85), (96, 86)))
    assert one != other and one == compiled(updating()).commands


def test_each_span_lies_inside_its_place() -> None:
    commands = compiled(updating()).commands
    for c in commands.walk():
        assert isinstance(c, Launch), "loops of our own alone, without oneDNN"
        for span in (w for b in c.blocks for w in b.words if isinstance(w, Span)):
            if span.place >= 0:
                spec = commands.places[span.place].spec
                assert span.offset + span.size <= spec.size * spec.dtype.itemsize
            elif span.place == -1:
                assert span.offset + span.size <= commands.arena


@pytest.mark.parametrize("text", ["", "commands 0 x\n", "commands 1 x\n", "program x {\n}\n"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="is no line of commands"):
        parsed(text)


def test_a_text_that_was_cut_short_is_refused() -> None:
    text = printed(compiled(updating()).commands)
    with pytest.raises(ArgumentError):
        parsed(text[: len(text) // 2])


def kinds(commands: Commands) -> set[type]:
    inner = [kinds(body) for c in commands.walk() for body in bodies_of(c)]
    return set(map(type, commands.walk())).union(*inner)


def test_the_samples_have_commands_of_python_branches_and_loops() -> None:
    found: set[type] = set()
    names = ("over_time", "eig", "if", "while")
    for op, sample in (c.values for c in FIRST if c.values[0].name in names):
        found |= kinds(compiled(build(op, sample)).commands)
    assert {Host, Repeat, If, While} <= found

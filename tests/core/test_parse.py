"""Texts of Programs, edited by hand or damaged, end in an error with the line, or a Program."""

from __future__ import annotations

import random
import sys
import time

import pytest

from tests.core.test_verify import TEXT
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import Program
from twinoar.core.ir.verify import verify
from twinoar.errors import ProgramError

LIMIT_SECONDS = 20.0  # on a busy machine; alone, each takes a moment


def read(text: str) -> Program | str:
    """The Program, or the message with which the text is refused."""
    begin = time.perf_counter()
    try:
        program = parse(text)
        str(program)
        verify(program)
    except ProgramError as error:
        return str(error)
    assert time.perf_counter() - begin < LIMIT_SECONDS
    return program


def test_every_truncation_is_refused_with_its_line() -> None:
    for size in range(len(TEXT)):
        found = read(TEXT[:size])
        assert isinstance(found, str) and found.startswith("line "), size


@pytest.mark.parametrize("seed", range(4))
def test_damage_ends_in_an_error_or_a_program(seed: int) -> None:
    source, refused = random.Random(seed), 0
    letters = "%:,(){}[]=!_ \n'\"\\x09NaT#-*"
    for _ in range(400):
        text = list(TEXT)
        for _ in range(source.choice([1, 1, 2, 6])):
            place = source.randrange(len(text))
            match source.randrange(3):
                case 0:
                    text[place] = source.choice(letters)
                case 1:
                    text.insert(place, source.choice(letters))
                case 2:
                    del text[place]
        refused += isinstance(read("".join(text)), str)
    assert refused > 200


@pytest.mark.parametrize("seed", range(2))
def test_lines_in_disorder_end_in_an_error_or_a_program(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(100):
        lines = TEXT.split("\n")
        a, b = source.randrange(len(lines)), source.randrange(len(lines))
        match source.randrange(3):
            case 0:
                lines[a], lines[b] = lines[b], lines[a]
            case 1:
                lines.insert(b, lines[a])
            case 2:
                del lines[a]
        read("\n".join(lines))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%x: f32[N,4]", "%x: f32[N,,4]", "line 5 of the program: expected a spec"),
        ("%x: f32[N,4]", "%x: f32[N 4]", "expected a spec"),
        ("%x: f32[N,4]", "%x: f32[__import__('os')]", "expected a spec"),
        ("%x: f32[N,4]", f"%x: f32[{'(' * 5000}N{')' * 5000}]", "expected a spec"),
        ("%x: f32[N,4]", f"%x: f32[{'-' * 50000}N]", "expected a spec"),
        (
            "%x: f32[N,4]",
            f"%x: f32[{'*'.join(f'(a{i}+b{i})' for i in range(40))}]",
            "expected a spec",
        ),
        ("%x: f32[N,4]", f"%x: f32[{'9' * 9999}]", "expected a spec"),
        ("perm=(0, 1)", "perm=(0, 'a')", "perm must be of type int"),
        ("perm=(0, 1)", f"perm={'(' * 5000}", "line 15 of the program"),
        ("perm=(0, 1)", "perm=(0, 1), perm=(1, 0)", "receives perm twice"),
        ("perm=(0, 1)", "perm=open('x')", "expected a literal"),
        ("multiply(%3, 2.0)", "multiply(%1, 2.0)", "%1 is not defined before its use"),
        ("update %count = %6", "update %x = %6", "expected the update of a state by a variable"),
        ("update %count = %6", "update %count = 3", "expected the update of a state by a variable"),
        ("update %count = %6", "update %count", "line 16 of the program"),
        ("update %count = %6", "update %w = %6", "%w is f32[4,3], its update %6 is i64[]"),
        ("array([1.0, 2.0, 3.0])", "array([1.0, 2.0])", "line 4 of the program"),
        ("array([1.0, 2.0, 3.0])", "array([[1.0], 2.0, 3.0])", "line 4 of the program"),
        ("array([1.0, 2.0, 3.0])", "bytes('00zz')", "line 4 of the program"),
        ("array([1.0, 2.0, 3.0])", "array([1.0, None, 'a'])", "line 4 of the program"),
        ("array([1.0, 2.0, 3.0])", "array([1.0, 2.0", "line 4 of the program"),
        ("const %c: f32[3]", "const %c: f32[1099511627776]", "line 4 of the program"),
        ("param %w: f32[4,3]", "param %w: f32[4,3]\n  param %w: f32[4,3]", "%w is defined twice"),
        ("if(%flag", "frobnicate(%flag", "no operator 'frobnicate'"),
        ("then(%3", "otherwise(%3", "if has no attribute 'otherwise'"),
        ("orelse(%5", "then(%5", "receives then twice"),
        ("program edited {", "program {", "line 1 of the program"),
    ],
)
def test_what_was_edited_wrongly_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    found = read(TEXT.replace(old, new, 1))
    assert isinstance(found, str)
    assert message in found


def test_blocks_that_are_nested_too_deeply_are_refused() -> None:
    depth = 3 * sys.getrecursionlimit()
    opened = "".join("%y: b8[] = if(%f, %f) then(%f: b8[]) {\n" for _ in range(depth))
    text = f"program p {{\n  main(%f: b8[]) {{\n{opened}{'}' * depth}\n  }}\n}}"
    assert "too deeply" in str(read(text))


def test_a_large_text_is_read_in_a_moment() -> None:
    lines = "".join(f"    %{n}: f32[2] = tanh(%{n - 1})\n" for n in range(1, 5000))
    data = "00" * 4_000_000
    program = read(
        f"program p {{\n  const %c: f32[1000000] = bytes('{data}')\n"
        f"  main(%0: f32[2]) {{\n{lines}  }}\n}}"
    )
    assert isinstance(program, Program)
    assert len(program.main.ops) == 4999

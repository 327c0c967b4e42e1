"""Procedures: what their language says is what Python says of the same text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar import static
from twinoar.core.dtype import BY_NUMPY, float32, float64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import (
    Array,
    Launch,
    Launcher,
    Procedure,
    fail,
    local,
    procedure,
)
from twinoar.core.loop.translate import translated
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ProgramError

REFUSED = "negative, of which there is no root"


def run(rule: Procedure | Callable[[Launcher, Array], bool | None], x: np.ndarray) -> np.ndarray:
    """What an operator of one operand makes of an array, which a procedure computes row by row."""

    def define(x: Value) -> Value:
        """A result like the operand."""

    def kernel(x: np.ndarray) -> np.ndarray:
        raise ArgumentError(REFUSED)

    def of_rows(p: Launcher, x: Array) -> None:
        p.launch(rule, x.shape[0], x, p.results[0])

    made = Op(
        define,
        composite=False,
        infer=lambda x: x,
        kernel=kernel,
        procedure=of_rows if isinstance(rule, Procedure) else rule,
    )
    program = static.Program("test")
    v = program.main.add_input(Spec(x.shape, BY_NUMPY[x.dtype]), "x")
    with using(Builder(program)) as builder:
        out = builder.apply(made, (v,), {})
    (found,) = static.Executor().run(program, feed={v.name: x}, fetch_list=[out])
    return found


@procedure
def collatz(row, x, out):
    """Steps until 1."""
    n = x[row]
    steps = 0
    while n != 1:
        if n % 2 == 1:
            n = 3 * n + 1
        elif n % 4 == 0:
            n = n // 4
            steps += 1
        else:
            n = n // 2
        steps += 1
        if steps > 1000:
            break
    out[row] = steps


def test_while_if_and_break():
    x = np.arange(1, 50)

    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
        return count

    assert run(collatz, x).tolist() == [steps(n) for n in x.tolist()]


@procedure
def insertion(row, x, out):
    """A row in order: `and` looks no further than it must."""
    for k in range(x.shape[1]):
        new = x[row, k]
        at = k
        while at > 0 and out[row, at - 1] > new:
            out[row, at] = out[row, at - 1]
            at -= 1
        out[row, at] = new


def test_and_does_not_read_what_it_need_not():
    x = np.random.default_rng(0).standard_normal((5, 9)).astype("float32")
    assert (run(insertion, x) == np.sort(x, 1)).all()


@procedure
def swapped(row, x, out):
    """Several at once, an inner function, memory of its own, a counter that runs backwards."""
    own = local(3, x.dtype)
    a, b = x[row, 0], x[row, 1]
    a, b = b, a
    own[0] = a
    own[1] = b
    own[2] = larger(a, b)
    for k in range(2, -1, -1):
        if k == 1:
            continue
        out[row, k] = own[k] if k > 0 else -own[k]
    out[row, 1] = own[1]


@procedure
def larger(a, b):
    """Of two."""
    found = b
    if a > b:
        found = a
    return found


def test_several_at_once_inner_functions_and_own_memory():
    x = np.array([[1.0, 2, 9], [4, 3, 9]], "float32")
    assert run(swapped, x).tolist() == [[-2, 1, 2], [-3, 4, 4]]


@procedure
def mirrored(row, x, out):
    """Loops over what is known, whose values choose among what is known."""
    pair = (x[row, 0], x[row, 1])
    for k in (0, 1):
        out[row, k] = pair[1 - k]
    for k, number in ((2, 7), (3, 9)):
        out[row, k] = x[row, k] * (number, -number)[k % 2]


def test_loops_over_what_is_known_choose_among_what_is_known():
    x = np.array([[1.0, 2, 3, 4]], "float32")
    assert run(mirrored, x).tolist() == [[2, 1, 21, -36]]


@procedure
def rooted(row, x, out):
    """Refuses what has no root."""
    if x[row] < 0:
        fail()
        return
    out[row] = loop.sqrt(x[row])


def test_data_that_is_refused_is_told_by_the_kernel_of_numpy():
    x = np.array([4.0, 9.0])
    assert run(rooted, x).tolist() == [2, 3]
    with pytest.raises(ArgumentError, match=REFUSED):
        run(rooted, np.array([4.0, -9.0]))


def test_a_rule_that_declines_leaves_it_to_numpy():
    with pytest.raises(ArgumentError, match=REFUSED):  # what its kernel here says of all data
        run(lambda p, x: False, np.array([4.0, 9.0]))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("out[row] = 1.5 if x[row] > 0 else y", "y has no value"),
        ("z = 1.5\n    z += x[row]", "has no dtype"),
        ("out[row] = cast(x[row], int32)", "cast it"),
        ("n = x[row]\n    n = row", "n is f64, the new value is i64|n is float64"),
        ("out[row, 0] = x[row]", "2 indices for 1 dimensions"),
        ("out[row] = local(row, float64)[0]", "must be known beforehand"),
        ("with x: pass", "With is not understood"),
        ("for k in range(0, 3, row): pass", "step of range"),
    ],
)
def test_what_is_not_understood_is_told_with_its_line(tmp_path, body: str, told: str):
    source = tmp_path / "made.py"
    source.write_text(
        "from twinoar.core.loop.procedure import *\nfrom twinoar.core.dtype import *\n"
        f"@procedure\ndef made(row, x, out):\n    {body}\n"
    )
    names: dict[str, Any] = {}
    exec(compile(source.read_text(), str(source), "exec"), names)
    x = Array(0, float64, (3,))
    with pytest.raises(ProgramError, match=told) as refused:
        translated(Launch(names["made"], 3, (x, x), {}, 3))
    assert "made.py" in str(refused.value)


def test_a_translated_procedure_prints():
    x = Array(0, float32, (3, 4))
    text = str(translated(Launch(insertion, 3, (x, x), {}, 3)))
    assert text.startswith("for row:  # in parallel\n  for k from 0 before x.shape[1] by 1:")


# Random procedures, against Python.


def generated(seed: int) -> str:
    """The text of a procedure on int64 numbers: assignments, branches and loops, some nested."""
    made = random.Random(seed)
    names = ["a", "b", "c"]

    def number(depth: int = 0) -> str:
        kind = made.randrange(8 if depth < 3 else 3)
        if kind == 0:
            return str(made.randint(-3, 5))
        if kind <= 2:
            return made.choice([*names, "row", f"x[row, {made.randrange(4)}]"])
        if kind == 3:
            sign = made.choice(["+", "-", "*", "//", "%"])
            divisor = made.choice([-3, 2, 5, 7])
            right = str(divisor) if sign in ("*", "//", "%") else number(depth + 1)
            return f"({number(depth + 1)} {sign} {right})"
        if kind == 4:
            return f"{made.choice(['min', 'max'])}({number(depth + 1)}, {number(depth + 1)})"
        if kind == 5:
            return f"({number(depth + 1)} if {test(depth + 1)} else {number(depth + 1)})"
        return f"({number(depth + 1)} % 1000)"

    def test(depth: int = 0) -> str:
        one = f"{number(depth + 1)} {made.choice(['<', '<=', '==', '!='])} {number(depth + 1)}"
        if depth < 2 and made.random() < 0.4:
            return f"({one} {made.choice(['and', 'or'])} not {test(depth + 1)})"
        return f"({one})"

    def body(indent: str, depth: int, looped: bool) -> list[str]:
        lines = []
        for _ in range(made.randint(1, 4)):
            kind = made.randrange(7)
            if kind <= 2 or depth > 2:
                lines.append(f"{indent}{made.choice(names)} = {number()} % 10007")
            elif kind == 3:
                lines.append(f"{indent}out[row, {made.randrange(4)}] += {number()} % 10007")
            elif kind == 4:
                lines += [f"{indent}if {test()}:", *body(indent + "    ", depth + 1, looped)]
                if made.random() < 0.5:
                    lines += [f"{indent}else:", *body(indent + "    ", depth + 1, looped)]
            elif kind == 5:
                step = made.choice([1, 2, -1])
                ends = "5, 0, -1" if step < 0 else f"0, {made.randint(0, 6)}, {step}"
                counter = f"k{depth}"
                lines.append(f"{indent}for {counter} in range({ends}):")
                names.append(counter)
                lines += body(indent + "    ", depth + 1, True)
                names.remove(counter)
            elif looped:
                lines.append(f"{indent}if {test()}:")
                lines.append(f"{indent}    {made.choice(['break', 'continue'])}")
        return lines or [f"{indent}a = b"]

    start = ["    a = x[row, 0]", "    b = x[row, 1]", "    c = 1 + row"]
    end = [f"    out[row, {k}] += {n}" for k, n in enumerate(("a", "b", "c"))]
    lines = [*start, *body("    ", 0, False), *end]
    return "\n".join(["def made(row, x, out):", *lines, ""])


@pytest.mark.parametrize("seed", range(60))
def test_a_random_procedure_is_what_python_makes_of_it(tmp_path, seed: int):
    text = generated(seed)
    source = tmp_path / f"procedure_{seed}.py"
    source.write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(source), "exec"), names)
    x = np.random.default_rng(seed).integers(-20, 20, (6, 4))
    wanted = _Rows([[0] * 4 for _ in x])
    for row in range(len(x)):
        names["made"](row, _Rows(x.tolist()), wanted)  # Python's numbers: none is too large

    def rule(p: Launcher, x: Array) -> None:
        p.launch(zeroed, x.shape[0], p.results[0])
        p.launch(procedure(names["made"]), x.shape[0], x, p.results[0])

    assert run(rule, x).tolist() == wanted.rows, text


@procedure
def with_sums(row, first, *others):
    """Any number of arrays: of all but the last the running sums, held side by side."""
    sums = [local(1, x.dtype) for x in others[:-1]]
    for s in sums:
        s[0] = 0
    for k in range(first.shape[1]):
        here = [x[row, k] + k for x in others[:-1]]
        for value, s in zip(here, sums, strict=True):
            s[0] += value
            others[-1][row, k] += s[0]


def test_a_procedure_takes_any_number_of_arrays():
    x = np.arange(12, dtype=np.int64).reshape(3, 4)

    def rule(p: Launcher, x: Array) -> None:
        p.launch(zeroed, x.shape[0], p.results[0])
        p.launch(with_sums, x.shape[0], x, x, x, p.results[0])

    expected = 2 * np.cumsum(x + np.arange(4), 1)
    np.testing.assert_array_equal(run(rule, x), expected)


@procedure
def with_choice(row, x, out):
    """A comprehension with a condition."""
    found = [k for k in (1, 2) if k > 1]
    out[row, 0] = found[0]


def test_a_comprehension_goes_over_all():
    with pytest.raises(ProgramError, match="if in a comprehension is not understood"):
        run(with_choice, np.zeros((2, 2)))


@procedure
def zeroed(row, out):
    """The row of zeros."""
    for k in range(out.shape[1]):
        out[row, k] = 0


class _Rows:
    """Rows of Python's numbers, indexed as arrays are."""

    def __init__(self, rows: list[list[int]]):
        self.rows = rows

    def __getitem__(self, index: tuple[int, int]) -> int:
        return self.rows[index[0]][index[1]]

    def __setitem__(self, index: tuple[int, int], value: int) -> None:
        self.rows[index[0]][index[1]] = value

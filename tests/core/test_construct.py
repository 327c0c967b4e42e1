"""Files that build Programs, edited by hand: what works, and what says why it does not."""

from __future__ import annotations

import pytest

import twinoar as paddle
from tests.core.rebuilt import assert_identical, rebuilt, run_text
from twinoar.core.construct import Construction, array, arrays, dim, ops, spec
from twinoar.core.ir.builder import trace
from twinoar.core.ir.program import Program
from twinoar.core.ir.verify import verify
from twinoar.core.spec import Spec
from twinoar.core.to_python import to_python
from twinoar.errors import ArgumentError, FileError, ProgramError, ShapeError, TwinoarError

LINES = """\
from twinoar.core.construct import Construction, ops
from twinoar.core.ir.program import Program

program = Program("edited")
with Construction(program) as p:
    w = p.param("w", "f32[4,3]", need_clip=False)
    count = p.state("count", "i64[]")
    x = p.input("x", "f32[N,4]!")
    p.at("model.py:3")
    y = ops.matmul(x, w)
    z = ops.relu(y, name="z")
    p.at(None)

    @p.block({"a": "f32[N,3]"})
    def then(a):
        return ops.multiply(a, 2.0)

    @p.block({"b": "f32[N,3]"})
    def orelse(b):
        return b

    p.role("backward")
    r = ops.if_(ops.any(ops.greater_than(z, 0.0)), [z], then=then, orelse=orelse)
    p.update(count, ops.add(count, 1))
    p.output(r)
"""


def edited(*changes: tuple[str, str]) -> Program:
    text = LINES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return verify(run_text(text)["program"])


def test_what_is_not_said_follows_from_the_operator() -> None:
    program = edited()
    assert "%matmul_v2_0.tmp_0: f32[N,3] = matmul(%x, %w)" in str(program)
    assert "# model.py:3" in str(program)
    assert not program.variable("z").stop_gradient
    assert [o.role for o in program.main.ops[-3:]] == ["backward"] * 3
    assert program.states["w"].need_clip is False
    assert_identical(rebuilt(program), program)


def test_an_operator_is_inserted_as_a_line() -> None:
    program = edited(
        ("    z = ops.relu(y", "    y = ops.scale(y, 2.0, bias=1.0)\n    z = ops.relu(y")
    )
    assert [o.op.name for o in program.main.ops][:3] == ["matmul", "scale", "relu"]


def test_any_function_of_users_may_stand_among_the_lines() -> None:
    line = '    z = ops.relu(y, name="z")'
    program = edited((line, "    import twinoar\n    z = twinoar.nn.functional.gelu(y * 2 + w[0])"))
    assert "gelu" in [o.op.name for o in program.main.ops]


def test_operands_are_brought_to_one_dtype_as_everywhere() -> None:
    program = edited(("ops.matmul(x, w)", "ops.add(ops.matmul(x, w), ops.cast(count, 'int32'))"))
    assert "cast" in [o.op.name for o in program.main.ops]


def test_a_given_name_wins_over_one_that_was_counted() -> None:
    program = Program("p")
    with Construction(program) as p:
        x = p.input("x", "f32[2]")
        first = ops.relu(x)
        second = ops.relu(first, name="relu_0.tmp_0")
    assert (first.name, second.name) == ("relu_0.tmp_0_0", "relu_0.tmp_0")


def test_names_go_on_from_the_last_of_the_operator() -> None:
    program = Program("p")
    with Construction(program) as p:
        x = p.input("x", "f32[2]")
        y = ops.relu(ops.relu(ops.relu(x), name="act_7.tmp_1"))
    assert y.name == "act_8.tmp_1"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ops.matmul(x, w)", "ops.matmool(x, w)", "no operator 'matmool'"),
        ("ops.matmul(x, w)", "ops.matmul(x)", "matmul lacks its operand y"),
        ("ops.matmul(x, w)", "ops.matmul(x, w, 1, 2, 3)", "received 5 arguments"),
        ("ops.matmul(x, w)", "ops.matmul(x, w, x=w)", "receives x twice"),
        ("ops.matmul(x, w)", "ops.matmul(x, w, transposed=True)", "attribute 'transposed'"),
        ("ops.matmul(x, w)", "ops.matmul(w, w)", "matmul"),
        ("ops.matmul(x, w)", "ops.matmul(x, 'w')", "received str"),
        ("ops.matmul(x, w)", "ops.matmul(x, w, spec='f32[N,7]')", "its line says f32[N,7]"),
        ("ops.matmul(x, w)", "ops.matmul(x, w, spec='f32[N,7')", "expected a spec"),
        (
            "ops.matmul(x, w)",
            "ops.matmul(x, w, name=('a', 'b'))",
            "has 1 results, its line names 2",
        ),
        ("ops.matmul(x, w)", "ops.cast(x)", "cast lacks its attribute dtype"),
        ("ops.matmul(x, w)", "ops.concat(x)", "concat takes a list"),
        ('name="z"', 'name="x"', "%x is defined twice"),
        ('"x", "f32[N,4]!"', '"w", "f32[N,4]!"', "%w is defined twice"),
        ("return ops.multiply(a, 2.0)", "return ops.multiply(a, z)", "blocks are closed"),
        ("return b", "return w", "blocks are closed"),
        ("orelse=orelse", "orelse=None", "if lacks its block orelse"),
        ("[z], then", "z, then", "takes a list as xs"),
        ("p.update(count, ops.add(count, 1))", "p.update(count, r)", "%count is i64[]"),
        ("p.update(count,", "p.update(r,", "is no state of this program"),
        ('p.input("x", "f32[N,4]!")', 'p.live("clock")', "no live value 'clock'"),
        ("model.py:3", "model.py", "expected a line such as"),
        ('"f32[4,3]"', '"f32[4,,3]"', "expected a spec"),
        ('"f32[4,3]"', '"g32[4,3]"', "expected a spec"),
    ],
)
def test_a_wrong_line_says_what_is_wrong(old: str, new: str, message: str) -> None:
    with pytest.raises(TwinoarError) as caught:
        edited((old, new))
    assert message in str(caught.value)


def test_ops_outside_a_construction_say_where_they_belong() -> None:
    with pytest.raises(ProgramError, match="outside a Construction"):
        ops.relu(1.0)


def test_helpers_read_what_the_text_of_programs_has() -> None:
    assert dim("2*N+1") * 2 == dim("4*N+2")
    assert spec("bf16[N]") == Spec.parse("bf16[N]")
    assert array("f32[2]", "0000803f00000040").tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("text", "value"), [("f32[3]", [1.0]), ("f32[2]", "0000"), ("i64[]", "x"), ("f32[N]", [1.0])]
)
def test_a_value_that_does_not_fit_is_refused(text: str, value: object) -> None:
    with pytest.raises(ProgramError, match="does not fit"):
        array(text, value)


def test_a_missing_or_damaged_file_of_arrays_is_named(tmp_path) -> None:
    with pytest.raises(FileError, match=r"model\.npz"):
        arrays(str(tmp_path / "model.py"), "constants")
    (tmp_path / "model.npz").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(FileError, match=r"model\.npz"):
        arrays(str(tmp_path / "model.py"), "constants")


def test_an_error_of_inference_names_the_line_of_the_file(tmp_path) -> None:
    text = to_python({"build": trace(lambda x: paddle.tanh(x), Spec((2,)))}).text
    file = tmp_path / "model.py"
    file.write_text(text.replace("ops.tanh(x)", "ops.matmul(x, ops.tanh(ops.reshape(x, [1, 2])))"))
    with pytest.raises(ShapeError) as caught:
        run_text(file.read_text(), str(file))["build"]()
    assert "model.py:" in str(caught.value)


def test_a_source_line_that_is_none_is_refused() -> None:
    with Construction(Program("p")) as p, pytest.raises(ArgumentError, match=r"model\.py:31"):
        p.at("line 3")

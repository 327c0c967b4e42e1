"""Programs as Python files: what is written builds the identical Program again, and reads well."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.core.rebuilt import assert_identical, rebuilt, run_text
from tests.samples import every_sample
from twinoar.core.construct import arrays
from twinoar.core.dim import symbol
from twinoar.core.ir.builder import trace
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import Program
from twinoar.core.op.definition import op, registry
from twinoar.core.spec import Spec
from twinoar.core.to_python import to_python
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.ops.control.branch_and_loop import cond, while_loop
from twinoar.testing.calls import build
from twinoar.testing.sample import Sample, samples_of

RUFF = Path(sys.executable).with_name("ruff")

TEXT = """\
program mlp {
  param %w: f32[4,3]
  param %frozen.b: f32[3] frozen
  state %count: i64[]
  const %c: f32[2] = array([1.0, inf])
  main(%x: f32[N,4]!, %class: i64[N]) {
    %0: f32[N,3] = matmul(%x, %w)                                           # model.py:31
    %1: f32[N,3] = add(%0, %frozen.b)                                       # model.py:32
    %a/b: f32[N,3] = multiply(%1, -inf)
    %3: i64[] = add(%count, 1)
    %4: f32[2*N,3] = concat(%a/b, %1)
    %5: i64[M,2], _ = topk(%1, k=2)
    update %count = %3
    return %a/b, %1
  }
}"""


def samples() -> Iterator:
    for name, defined in registry.items():
        for i, sample in enumerate(samples_of(defined) if "samples" in defined.rules else ()):
            if sample.error is None:
                yield pytest.param(name, sample, id=f"{name}-{i}")


@every_sample(samples())
def test_a_program_of_each_operator_is_built_again(name: str, sample: Sample) -> None:
    program = build(registry[name], sample)
    assert_identical(rebuilt(program), program)


def test_all_that_the_text_of_a_program_says_is_in_the_file() -> None:
    program = parse(TEXT.replace("i64[M,2], _ = topk", "f32[N,2], _ = topk"))
    assert_identical(rebuilt(program), program)


def test_it_reads_like_the_code_of_a_person() -> None:
    def loss(x, w):
        y = cond(paddle.sum(x) > 0.0, lambda: paddle.matmul(x, w), lambda: x[:, :3] * 2.0)
        return paddle.tanh(y).mean()

    program = trace(loss, Spec((symbol("N"), 4)), Spec((4, 3)), name="loss")
    text = to_python({"build": program}, sources=False).text
    assert (
        text
        == '''\
"""The program loss: 2 inputs, 8 operators.

`build()` makes it.
"""

from twinoar.core.construct import Construction, ops
from twinoar.core.ir import Program


def build() -> Program:
    program = Program("loss")
    with Construction(program, names="numbers") as p:
        x = p.input("x", "f32[N,4]")
        w = p.input("w", "f32[4,3]")

        v0 = ops.sum(x)  # f32[]
        v1 = ops.greater_than(v0, 0.0)  # b8[]

        @p.block({"2": "f32[N,4]", "3": "f32[4,3]"})
        def then(v2, v3):
            v4 = ops.matmul(v2, v3, name="4")  # f32[N,3]
            return v4

        @p.block({"5": "f32[N,4]", "8": "f32[4,3]"})
        def orelse(v5, v8):
            v6 = ops.slice(v5, axes=(1,), starts=(0,), ends=(3,), name="6")  # f32[N,3]
            v7 = ops.multiply(v6, 2.0)  # f32[N,3]
            return v7

        v9 = ops.if_(v1, [x, w], then=then, orelse=orelse, name="9")  # f32[N,3]
        v10 = ops.tanh(v9)  # f32[N,3]
        v11 = ops.mean(v10)  # f32[]

        p.output(v11)
    return program
'''
    )


def long_program() -> Program:
    """Long calls, lists, loops in branches, sizes of names, strings of all kinds."""

    def body(i, x, y):
        z = cond(paddle.max(y) > 1.0, lambda: paddle.concat([y, y, y, y, y, y, y]), lambda: y)
        return i + 1, x * 0.1, z[: x.shape[0]]

    def f(a_rather_long_name_of_an_input, another_rather_long_name_of_an_input):
        x, y = a_rather_long_name_of_an_input, another_rather_long_name_of_an_input
        _, x, y = while_loop(lambda i, x, y: i < 3, body, [paddle.zeros([], "int64"), x, y])
        table = paddle.to_tensor(np.linspace(0, 1, 40, dtype="float32").reshape(8, 5))
        parts = paddle.split(x.reshape([-1, 20]), 4, axis=-1)
        return [*parts, table * 3, y, paddle.zeros([x.shape[0] * 2, 3])]

    n = symbol("N")
    return trace(f, Spec((n, 4, 20, 21)), Spec((n, 4, 3, 3)))


@pytest.mark.skipif(not RUFF.exists(), reason="ruff is not installed")
def test_the_layout_is_that_of_the_formatter(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(to_python({"build": long_program()}).text)
    command = [RUFF, "format", "--isolated", "--line-length", "100", "--diff", file]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == ""
    assert done.returncode == 0


def test_a_long_program_is_built_again() -> None:
    assert_identical(rebuilt(long_program()), long_program())


def test_names_that_python_reserves_or_a_file_could_misread_are_quoted() -> None:
    names = ["class", "ops", "p", "1", 'a"b', "a'b", "x\\", "import", "__import__", "é", "print"]
    program = Program('"""x"""\nraise')
    for name in names:
        program.main.add_input(Spec((2,)), name)
    program.main.outputs = list(program.main.inputs)
    assert_identical(rebuilt(program), program)


def test_a_name_is_never_code() -> None:
    program = Program("x")
    program.main.add_input(Spec((2,)), '"); raise SystemExit(1) #')
    assert_identical(rebuilt(program), program)


def test_large_constants_are_hexadecimal_in_the_text_and_arrays_beside_a_file(tmp_path) -> None:
    data = np.random.default_rng(0).standard_normal((9, 8)).astype("float32")
    half = paddle.to_tensor(data).astype("bfloat16")
    program = trace(lambda x: x * paddle.to_tensor(data) + half.astype("float32"), Spec((9, 8)))
    program.add_constant(half.numpy(), half.spec)
    assert_identical(rebuilt(program), program)

    source = to_python({"build": program}, apart=True)
    (tmp_path / "model.npz").write_bytes(source.npz())
    assert data.tobytes().hex() not in source.text
    path = str(tmp_path / "model.py")
    assert_identical(run_text(source.text, path)["build"](), program)
    assert arrays(path, "constants")["const_0"].tobytes() == data.tobytes()
    assert source.npz() == to_python({"build": program}, apart=True).npz()


def test_several_programs_stand_in_one_file() -> None:
    first, second = (
        parse(TEXT.replace("i64[M,2], _", "f32[N,2], _")),
        trace(lambda x: paddle.tanh(x), Spec((2,))),
    )
    space = run_text(to_python({"build": first, "build_other": second}).text)
    assert_identical(space["build"](), first)
    assert_identical(space["build_other"](), second)


def test_an_operator_of_a_user_is_imported_from_its_module() -> None:
    @op
    def doubled_of_a_user(x: Value) -> Value:
        """Twice x."""
        return x + x

    try:
        text = to_python({"build": trace(lambda x: doubled_of_a_user(x), Spec((2,)))}).text
        assert f"import {__name__}  # its operators" in text
    finally:
        del registry["doubled_of_a_user"]


def test_an_operator_that_no_file_can_name_is_refused() -> None:
    program = trace(lambda x: paddle.tanh(x), Spec((2,)))
    tanh = program.main.ops[0].op
    try:
        del registry["tanh"]
        with pytest.raises(UnsupportedError, match="tanh is an operator of this process alone"):
            to_python({"build": program})
    finally:
        registry["tanh"] = tanh

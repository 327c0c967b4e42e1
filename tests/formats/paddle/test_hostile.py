"""Programs in files that are wrong on purpose end in an error that names the place, and quickly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.formats.paddle.test_program_read import add, model
from twinoar import nn, static
from twinoar.core.ir.verify import verify
from twinoar.core.op.definition import registry
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import set_attribute
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.jit import load, save
from twinoar.testing.calls import build
from twinoar.testing.sample import samples_of

LIMIT_SECONDS = 20.0  # on a busy machine; alone, each takes a moment
HUGE = 2**31 - 1
HOSTILE: dict[str, list] = {
    "INT": [0, -1, HUGE, -(2**31)],
    "LONG": [0, -1, HUGE, 2**62],
    "INTS": [[], [0], [-1, -1], [HUGE] * 3, [HUGE] * 40],
    "LONGS": [[], [-1, -1], [2**62]],
    "FLOAT": [float("nan"), float("inf"), -1.0, 0.0],
    "STRING": ["", "\0", "x" * 1000],
    "FLOATS": [[], [float("nan")] * 5],
    "BOOLEAN": [True, False],
}
SHAPES = [[], [0, 0], [HUGE], [HUGE, HUGE], [2**62, 3], [2**40] * 4, [-1] * 5, [1] * 32]


def declare(block: Any, *names: str, dims: tuple = (-1, 3), dtype: str = "float32") -> None:
    for name in names:
        var = block.vars.add(name=name)
        var.type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
        var.type.dense_tensor.tensor.data_type = schema.CODE_OF_DTYPE[dtype]
        var.type.dense_tensor.tensor.dims.extend(dims)


def refused(data: bytes) -> str:
    """The message with which a file is refused."""
    begin = time.perf_counter()
    with pytest.raises(TwinoarError) as caught:
        read_program(data, "x.pdmodel")
    assert time.perf_counter() - begin < LIMIT_SECONDS
    return str(caught.value)


def no_hang(data: bytes) -> None:
    begin = time.perf_counter()
    try:
        read_program(data, "x.pdmodel")
    except FileError as error:
        assert "x.pdmodel" in str(error)
    assert time.perf_counter() - begin < LIMIT_SECONDS


def blocks_in_blocks(depth: int, kind: str, each: int = 1) -> bytes:
    """Loops or branches in each other; `each` operators of every block have the next as theirs."""
    desc = schema.read_program(model(), "x")
    root = desc.blocks[0]
    declare(root, "c", dims=(1,), dtype="bool")
    root.vars[-1].need_check_feed = True
    for number in range(depth):
        block = desc.blocks[number]
        desc.blocks.add(idx=number + 1, parent_idx=number)
        for _ in range(each):
            slots = {"Condition": "c", "X": "x"} if kind == "while" else {"Cond": "c", "Input": "x"}
            op = add(block, kind, slots, {"Out": "c"})
            set_attribute(op, "sub_block", "BLOCK", number + 1)
    add(desc.blocks[-1], "logical_not", {"X": "c"}, {"Out": "c"})
    return schema.serialize(desc)


@pytest.mark.parametrize("kind", ["while", "conditional_block"])
@pytest.mark.parametrize(("depth", "each"), [(12, 1), (40, 1), (400, 1), (30, 2), (6, 9)])
def test_blocks_in_blocks_are_read_or_refused(kind: str, depth: int, each: int) -> None:
    no_hang(blocks_in_blocks(depth, kind, each))


def test_a_loop_in_a_loop_in_a_loop_is_read() -> None:
    program = verify(read_program(blocks_in_blocks(4, "while"), "x"))
    assert [o.op.name for o in program.main.walk()].count("while") == 4


def test_a_long_chain_of_parents_is_checked_once() -> None:
    desc = schema.ProgramDesc()
    for number in range(30_000):
        desc.blocks.add(idx=number, parent_idx=number - 1)
    no_hang(schema.serialize(desc))


def own_block(block: Any, op: Any) -> None:
    op.type = "while"
    op.inputs[0].parameter = "Condition"
    set_attribute(op, "sub_block", "BLOCK", 0)


def block_as_number(block: Any, op: Any) -> None:
    own_block(block, op)
    set_attribute(op, "sub_block", "INT", 17)


def block_missing(block: Any, op: Any) -> None:
    own_block(block, op)
    set_attribute(op, "sub_block", "BLOCK", 17)


def later(block: Any, op: Any) -> None:
    declare(block, "z")
    op.inputs[0].arguments[0] = "z"
    add(block, "relu", {"X": "x"}, {"Out": "z"})


def circle(block: Any, op: Any) -> None:
    declare(block, "z")
    op.inputs[0].arguments[0] = "z"
    add(block, "relu", {"X": "y"}, {"Out": "z"})


def itself(block: Any, op: Any) -> None:
    op.inputs[0].arguments[0] = "y"


def two_in_a_slot(block: Any, op: Any) -> None:
    op.type = "matmul_v2"
    op.inputs[0].arguments.append("x")


def no_slots(block: Any, op: Any) -> None:
    op.type = "matmul_v2"
    del op.inputs[:]


def no_outputs(block: Any, op: Any) -> None:
    add(block, "relu", {"X": "y"}, {"Out": "z"})
    del op.outputs[:]


def text_as_sizes(block: Any, op: Any) -> None:
    op.type = "reshape2"
    set_attribute(op, "shape", "STRINGS", ["a", "b"])


def two_columns(block: Any, op: Any) -> None:
    for name in ("x", "y"):
        set_attribute(add(block, "feed", {"X": "feed"}, {"Out": name}), "col", "INT", 0)


def fetch_of_nothing(block: Any, op: Any) -> None:
    set_attribute(add(block, "fetch", {"X": "ghost"}, {"Out": "fetch"}), "col", "INT", 0)


def feed_of_nothing(block: Any, op: Any) -> None:
    set_attribute(add(block, "feed", {"X": "feed"}, {"Out": "ghost"}), "col", "INT", 0)


def rank_of_100(block: Any, op: Any) -> None:
    block.vars[0].type.dense_tensor.tensor.dims[:] = [1] * 100


def a_type_of_ours(block: Any, op: Any) -> None:
    op.type = "twinoar.no_such_operator"


def gradient_of_nothing(block: Any, op: Any) -> None:
    declare(block, "y@GRAD", "x@GRAD")
    slots = {"Out": "y", "Out@GRAD": "y"}
    add(block, "relu_grad", slots, {"X@GRAD": "x@GRAD"})


def gradient_of_another(block: Any, op: Any) -> None:
    declare(block, "z")
    add(block, "relu", {"X": "y"}, {"Out": "z"})
    add(block, "relu_grad", {"Out": "y", "Out@GRAD": "y"}, {"X@GRAD": "x@GRAD"})


def gradient_that_is_not_there(block: Any, op: Any) -> None:
    declare(block, "z")
    add(block, "relu", {"X": "y"}, {"Out": "z"})
    add(block, "relu_grad", {"Out": "z", "Out@GRAD": "z@GRAD"}, {"X@GRAD": "y@GRAD"})


def sizes_that_do_not_fit(block: Any, op: Any) -> None:
    op.type = "matmul_v2"
    declare(block, "i", dims=(5, 3))
    block.vars[-1].need_check_feed = True
    op.inputs.add(parameter="Y", arguments=["i"])


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (own_block, "operator 0, while"),
        (block_as_number, "operator 0, while"),
        (block_missing, "names blocks [17]"),
        (later, "operator 0, scale: nothing before it defines the variable 'z'"),
        (circle, "operator 0, scale: nothing before it defines the variable 'z'"),
        (itself, "operator 0, scale: nothing before it defines the variable 'y'"),
        (two_in_a_slot, "operator 0, matmul_v2"),
        (no_slots, "operator 0, matmul_v2"),
        (no_outputs, "nothing before it defines the variable 'y'"),
        (text_as_sizes, "operator 0, reshape2"),
        (two_columns, "column 0 of feed, y, occurs twice"),
        (fetch_of_nothing, "what is fetched"),
        (feed_of_nothing, "'ghost' is not declared"),
        (rank_of_100, "the variable x cannot have the shape"),
        (a_type_of_ours, "operator 0, twinoar.no_such_operator: "),
        (gradient_of_nothing, "operator 1, relu_grad: nothing before it is the operator"),
        (gradient_of_another, "operator 2, relu_grad: nothing before it is the operator"),
        (gradient_that_is_not_there, "relu_grad: nothing before it defines the variable 'z@GRAD'"),
        (sizes_that_do_not_fit, "operator 0, matmul_v2"),
    ],
)
def test_a_wrong_program_is_refused_by_place(fill: Callable, message: str) -> None:
    assert message in refused(model(fill))


@pytest.mark.parametrize("kind", ["vars", "ops"])
def test_a_name_that_is_no_text_is_refused(kind: str) -> None:
    data = model().replace(b"\x01x" if kind == "vars" else b"scale", b"\x01\xff" + b"\xff" * 3)
    refused(data if kind == "vars" else model().replace(b"scale", b"\xff" * 5))


def test_strange_names_are_only_names() -> None:
    desc = schema.read_program(model(), "x")
    names = ["x\n}\nprogram", "%y) {", "../../etc/passwd", "\U0001f600", "x" * 100_000, " "]
    for name in names:
        declare(desc.blocks[0], name)
        add(desc.blocks[0], "relu", {"X": "x"}, {"Out": name})
    program = verify(read_program(schema.serialize(desc), "x"))
    assert {v.name for v in program.main.variables()} >= set(names)


def each_operator() -> Iterator:
    """A program of each operator that has a file form."""
    for name, op in registry.items():
        for sample in samples_of(op) if "samples" in op.rules else ():
            if sample.error is None:
                yield pytest.param(name, sample, id=name)
                break


def written(name: str, sample: Any) -> Any:
    try:
        return schema.read_program(write_inference_program(build(registry[name], sample))[0], "x")
    except UnsupportedError:
        pytest.skip("it has no file form")


@pytest.mark.parametrize(("name", "sample"), list(each_operator()))
def test_hostile_attributes_of_each_operator(name: str, sample: Any) -> None:
    desc = written(name, sample)
    for block in desc.blocks:
        for op in {op.type: op for op in block.ops}.values():  # one of each type
            for attr in list(op.attrs):
                before, kind = schema.OpDesc.Attr(), schema.ATTRIBUTE_OF_CODE[attr.type]
                before.CopyFrom(attr)
                for value in HOSTILE.get(kind, []):
                    set_attribute(op, attr.name, kind, value)
                    no_hang(desc.SerializePartialToString())
                next(a for a in op.attrs if a.name == attr.name).CopyFrom(before)


@pytest.mark.parametrize(("name", "sample"), list(each_operator()))
def test_hostile_shapes_and_types_of_each_operator(name: str, sample: Any) -> None:
    desc = written(name, sample)
    fed = {op.outputs[0].arguments[0] for op in desc.blocks[0].ops if op.type == "feed"}
    for var in (v for v in desc.blocks[0].vars if v.name in fed):
        tensor, before = var.type.dense_tensor.tensor, schema.TensorDesc()
        before.CopyFrom(tensor)
        for dims in [*SHAPES, [HUGE] * len(tensor.dims)]:
            tensor.dims[:] = dims
            no_hang(schema.serialize(desc))
        tensor.CopyFrom(before)
        for dtype in ("bool", "int8", "complex64"):
            tensor.data_type = schema.CODE_OF_DTYPE[dtype]
            no_hang(schema.serialize(desc))
        tensor.CopyFrom(before)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The prefix of a saved model."""
    prefix = tmp_path / "net"
    save(nn.Linear(3, 2), str(prefix), input_spec=[static.InputSpec([None, 3], name="x")])
    return prefix


def loaders() -> list[Callable]:
    def as_static(prefix: Path) -> Any:
        with static.scope_guard(static.Scope()):
            return static.load_inference_model(prefix)

    return [lambda prefix: load(str(prefix)), as_static]


@pytest.mark.parametrize("read", loaders())
@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data + b"\0",
        lambda data: data + data,
        lambda data: data[:20] + b"\xff" * 8 + data[28:],
        lambda data: data[:16] + (2**31 - 1).to_bytes(4, "little") + data[20:],
    ],
)
def test_parameters_that_do_not_fit_are_refused(read: Callable, change: Callable, saved) -> None:
    file = saved.with_suffix(".pdiparams")
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FileError, match="net"):
        read(saved)


@pytest.mark.parametrize("read", loaders())
def test_missing_parameters_are_named(read: Callable, saved: Path) -> None:
    saved.with_suffix(".pdiparams").unlink()
    with pytest.raises(FileError, match="pdiparams"):
        read(saved)


@pytest.mark.parametrize("read", loaders())
@pytest.mark.parametrize("dims", [[2**40, 2**20], [2**31 - 1], [2, 2], [-1, 3], [0]])
def test_a_parameter_of_another_size_is_refused(read: Callable, dims: list, saved: Path) -> None:
    file = saved.with_suffix(".pdmodel")
    desc = schema.read_program(file.read_bytes(), "x")
    for var in desc.blocks[0].vars:
        if var.persistable and var.type.HasField("dense_tensor"):
            var.type.dense_tensor.tensor.dims[:] = dims
    file.write_bytes(schema.serialize(desc))
    with pytest.raises(TwinoarError):
        read(saved)


def test_a_size_that_does_not_fit_memory_is_an_error_when_it_runs() -> None:
    def fill(block: Any, op: Any) -> None:
        op.type = "fill_constant"
        del op.inputs[:]
        set_attribute(op, "shape", "LONGS", [2**40, 2**20])
        set_attribute(op, "dtype", "INT", schema.CODE_OF_DTYPE["float32"])
        set_attribute(op, "value", "FLOAT", 1.0)

    program = read_program(model(fill), "x")
    with pytest.raises((TwinoarError, MemoryError)):
        static.Executor().run(program, {"x": np.zeros((1, 3), "float32")}, [program.variable("y")])
    assert twinoar.zeros([2]).tolist() == [0, 0]

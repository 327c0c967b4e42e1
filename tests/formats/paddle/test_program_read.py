"""Files of Paddle are read to what Paddle computes; damaged ones end in a FileError."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest

from twinoar.backends.numpy import compile_numpy
from twinoar.core.dtype import float32
from twinoar.core.ir.program import Program
from twinoar.core.ir.verify import verify
from twinoar.core.spec import Spec
from twinoar.errors import FileError
from twinoar.formats.paddle import info, schema, tensors
from twinoar.formats.paddle.attribute import set_attribute
from twinoar.formats.paddle.program_read import read_program
from twinoar.passes.pipeline import lower

LIMIT_SECONDS = 20.0
NUMBERS = (0, 1, -1, 2, 7, 4096, 2**31 - 1, -(2**31))
MODELS = ("simplenet", "lenet", "control", "encoder", "recurrent")


@pytest.fixture(scope="session")
def models(paddle_fixtures: Path) -> Path:
    return paddle_fixtures / "paddle-2.6.2"


def model(fill=None, states: tuple = ()) -> bytes:
    """A program of one `scale` operator on the input x, changed by `fill`."""
    desc = schema.ProgramDesc()
    block = desc.blocks.add(idx=0, parent_idx=-1)
    for name in ("x", "y", *states):
        var = block.vars.add(name=name, persistable=name in states, need_check_feed=name == "x")
        var.type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
        var.type.dense_tensor.tensor.data_type = schema.CODE_OF_DTYPE["float32"]
        var.type.dense_tensor.tensor.dims.extend([-1, 3])
    op = add(block, "scale", {"X": "x"}, {"Out": "y"})
    set_attribute(op, "scale", "FLOAT", 2.0)
    if fill is not None:
        fill(block, op)
    return schema.serialize(desc)


def add(block, kind: str, inputs: dict, outputs: dict):
    op = block.ops.add(type=kind)
    for messages, slots in ((op.inputs, inputs), (op.outputs, outputs)):
        for slot, name in slots.items():
            messages.add(parameter=slot, arguments=[name])
    return op


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_paddle_computes_what_paddle_computes(models: Path, name: str) -> None:
    folder = models / name
    program = verify(read_program((folder / "inference.pdmodel").read_bytes(), name))
    states = tensors.load((folder / "inference.pdiparams").read_bytes(), program.states, name)
    known = np.load(folder / "io.npz")
    feeds = {v.name: known[f"input_{i}"] for i, v in enumerate(program.main.inputs)}
    found = compile_numpy(lower(program)).run(feeds, states)[0]
    for i, array in enumerate(found):
        # float32 sums in another order: the models' outputs are of size 1
        np.testing.assert_allclose(array, known[f"output_{i}"], rtol=1e-5, atol=1e-6)


def test_names_and_order_are_those_of_the_file(models: Path) -> None:
    program = read_program((models / "simplenet" / "inference.pdmodel").read_bytes(), "simplenet")
    assert [v.name for v in program.main.inputs] == ["x", "y"]  # by col, not by place
    assert [v.name for v in program.main.outputs] == ["save_infer_model/scale_0.tmp_0"]
    assert sorted(program.states) == ["linear_0.b_0", "linear_0.w_0"]
    assert {"linear_0.tmp_0", "tmp_0"} <= {v.name for v in program.main.variables()}


def test_the_info_file_tells_which_states_are_parameters(models: Path) -> None:
    folder = models / "lenet"
    roles = info.load((folder / "inference.pdiparams.info").read_bytes(), "info")
    data = (folder / "inference.pdmodel").read_bytes()
    states = read_program(data, "lenet", info=roles).states
    assert states["conv2d_0.w_0"].trainable
    assert not states["batch_norm2d_0.w_1"].trainable
    assert not any(s.is_parameter for s in read_program(data, "lenet").states.values())


def test_an_attribute_of_float32_becomes_the_short_decimal() -> None:
    def fill(block, op):
        set_attribute(op, "bias", "FLOAT", 0.1)

    assert "bias=0.1)" in str(read_program(model(fill), "x"))


def test_an_output_named_as_a_persistable_variable_is_its_update() -> None:
    def fill(block, op):
        add(block, "assign", {"X": "y"}, {"Out": "w"})
        add(block, "relu", {"X": "w"}, {"Out": "z"})

    program = verify(read_program(model(fill, states=("w",)), "x"))
    (state,) = program.states.values()
    relu = program.main.ops[-1]
    assert program.updates[state] is relu.operands[0]  # a later reader sees the new value


def test_an_output_named_as_an_earlier_variable_is_a_new_value() -> None:
    def fill(block, op):
        add(block, "relu", {"X": "y"}, {"Out": "y"})

    program = verify(read_program(model(fill), "x"))
    first, second = program.main.ops
    assert second.operands == first.results
    assert first.results[0].latest() is second.results[0]


def test_y_of_a_binary_operator_is_brought_to_the_axis_of_paddle_1() -> None:
    def fill(block, op):
        op.type = "elementwise_add"
        op.inputs.add(parameter="Y", arguments=["w"])
        set_attribute(op, "axis", "INT", 0)
        block.vars[2].type.dense_tensor.tensor.ClearField("dims")
        block.vars[2].type.dense_tensor.tensor.dims.extend([4])
        block.vars[0].type.dense_tensor.tensor.dims[0] = 4

    program = read_program(model(fill, states=("w",)), "x")
    feed, w = np.zeros((4, 3), "f4"), np.arange(4, dtype="f4")
    program.main.outputs = [program.variable("y")]
    (out,) = compile_numpy(lower(program)).run({"x": feed}, {"w": w})[0]
    np.testing.assert_array_equal(out, w[:, None] + feed)


def change_type(block, op):
    op.type = "frobnicate"


def drop_input(block, op):
    del op.inputs[:]


def wrong_kind(block, op):
    set_attribute(op, "scale", "STRING", "two")


def unknown_variable(block, op):
    op.inputs[0].arguments[0] = "ghost"


def wrong_shape(block, op):
    block.vars[0].type.dense_tensor.tensor.dims[0] = -2


def no_tensor(block, op):
    block.vars[0].type.ClearField("dense_tensor")


def twice(block, op):
    block.vars.add().CopyFrom(block.vars[2])


def unknown_dtype(block, op):
    block.vars[0].type.dense_tensor.tensor.data_type = schema.CODE_OF_DTYPE["uint64"]


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (change_type, "x.pdmodel: operator 0, frobnicate: twinoar has no operator of this type"),
        (drop_input, "x.pdmodel: operator 0, scale: expected"),
        (wrong_kind, "x.pdmodel: operator 0, scale: "),
        (unknown_variable, "operator 0, scale: nothing before it defines the variable 'ghost'"),
        (wrong_shape, "x.pdmodel: the variable x cannot have the shape [-2, 3]"),
        (no_tensor, "x.pdmodel: the variable x must be a tensor"),
        (twice, "x.pdmodel: the variable w is declared twice"),
        (unknown_dtype, "the variable x: 38 is the code of no element type"),
    ],
)
def test_a_wrong_file_is_refused_by_name(fill, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_program(model(fill, states=("w",)), "x.pdmodel")
    assert message in str(caught.value)


def test_a_program_type_of_the_caller_is_filled() -> None:
    made = Program("mine")
    assert read_program(model(), "x", factory=lambda: made) is made
    assert made.main.inputs[0].spec.dtype is float32
    assert isinstance(made.main.inputs[0].spec, Spec)


@pytest.mark.parametrize("name", MODELS)
def test_flipped_bytes_end_in_a_file_error_or_a_program(models: Path, name: str) -> None:
    data = (models / name / "inference.pdmodel").read_bytes()
    source, begin, refused = random.Random(name), time.perf_counter(), 0
    for _ in range(100):
        changed = bytearray(data)
        for _ in range(source.choice([1, 1, 2, 8])):
            changed[source.randrange(len(data))] = source.randrange(256)
        refused += is_refused(bytes(changed))
    assert refused > 5
    assert time.perf_counter() - begin < LIMIT_SECONDS


@pytest.mark.parametrize("name", MODELS)
def test_changed_messages_end_in_a_file_error_or_a_program(models: Path, name: str) -> None:
    data = (models / name / "inference.pdmodel").read_bytes()
    source, begin, refused = random.Random(name), time.perf_counter(), 0
    for _ in range(100):
        desc = schema.parse(schema.ProgramDesc, data, name)
        for _ in range(source.choice([1, 1, 2])):
            damage(source.choice(desc.blocks), source)
        refused += is_refused(desc.SerializePartialToString())
    assert refused > 20
    assert time.perf_counter() - begin < LIMIT_SECONDS


def is_refused(data: bytes) -> bool:
    try:
        read_program(data, "x.pdmodel")
    except FileError as error:
        assert "x.pdmodel" in str(error)
        return True
    return False


def damage(block, source: random.Random) -> None:
    """Change one thing that a file says: a name, an attribute, a shape, a type, an operator."""
    op, var = source.choice(block.ops), source.choice(block.vars)
    slots = [s for s in (*op.inputs, *op.outputs) if s.arguments]
    match source.randrange(8):
        case 0 if slots:
            slot = source.choice(slots)
            slot.arguments[source.randrange(len(slot.arguments))] = source.choice(block.vars).name
        case 1 if slots:
            source.choice(slots).parameter = source.choice(["X", "Y", "Out", "Input"])
        case 2:
            op.type = source.choice(block.ops).type
        case 3 if op.attrs:
            attr = source.choice(op.attrs)
            attr.i = attr.block_idx = source.choice(NUMBERS)
            attr.ints[:] = [source.choice(NUMBERS) for _ in attr.ints]
            attr.longs[:] = [source.choice(NUMBERS) for _ in attr.longs]
            attr.f = source.choice([0.0, float("nan"), float("inf"), -1.0])
        case 4 if op.attrs:
            name = source.choice(op.attrs).name
            value = source.choice([[], [1, 2, 3], [2**31 - 1] * 40])
            set_attribute(op, name, "INTS", value)
        case 5 if var.type.HasField("dense_tensor"):
            tensor = var.type.dense_tensor.tensor
            tensor.dims[:] = [source.choice(NUMBERS) for _ in range(source.randrange(6))]
        case 6:
            del block.ops[source.randrange(len(block.ops))]
        case _:
            for messages in (op.inputs, op.outputs, op.attrs):
                if messages and source.random() < 0.5:
                    del messages[source.randrange(len(messages))]

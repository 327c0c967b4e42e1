"""Damaged files of every kind end in a FileError or a load, quickly: never in anything else."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from twinoar.errors import FileError
from twinoar.formats.paddle import info, pdparams, schema, tensors
from twinoar.formats.paddle.attribute import set_attribute

LIMIT_SECONDS = 2.0
ARRAYS = {
    "w": np.arange(6, dtype="f4").reshape(2, 3),
    "b": np.ones(3, ml_dtypes.bfloat16),
    "c": np.array(2),
}
NESTED = {"a": [1, 2.5, (None, True), {"x"}], "text": "abc", **ARRAYS}


def program() -> bytes:
    desc = schema.ProgramDesc()
    for index in range(3):
        block = desc.blocks.add(idx=index, parent_idx=index - 1)
        var = block.vars.add(name=f"x{index}", persistable=True)
        var.type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
        var.type.dense_tensor.tensor.data_type = schema.CODE_OF_DTYPE["float32"]
        var.type.dense_tensor.tensor.dims.extend([-1, 3])
        op = block.ops.add(type="scale")
        op.inputs.add(parameter="X", arguments=["x0"])
        set_attribute(op, "scale", "FLOAT", 2.0)
        set_attribute(op, "sub_block", "BLOCK", index)
    return schema.serialize(desc)


def read_parameters(data: bytes) -> None:
    pdparams.name_table(pdparams.load(data, "x"), "x")


VARIABLE = info.VariableInfo("fc.weight", stop_gradient=False, trainable=True)
KINDS: dict[str, tuple[bytes, Callable[[bytes], object]]] = {
    "pdparams 4": (
        pdparams.dump(pdparams.state_dict_payload(NESTED, {"w": "w_0"})),
        read_parameters,
    ),
    "pdparams 2": (pdparams.dump(NESTED, 2, slice_bytes=12), read_parameters),
    "tensor by name": (
        pdparams.dump([1], encode=lambda x: ("w", ARRAYS["w"]) if x == 1 else None),
        read_parameters,
    ),
    "pdiparams": (tensors.dump(ARRAYS), lambda data: tensors.load(data, ARRAYS, "x")),
    "pdmodel": (program(), lambda data: schema.read_program(data, "x")),
    "info": (info.dump({"w": VARIABLE, "v": VARIABLE}), lambda data: info.load(data, "x")),
}


def damaged(data: bytes, source: random.Random) -> bytes:
    """`data` cut off, or with one to eight bytes replaced."""
    if source.random() < 0.3:
        return data[: source.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(source.choice([1, 1, 2, 8])):
        changed[source.randrange(len(data))] = source.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize("kind", KINDS)
def test_the_undamaged_file_is_read(kind: str) -> None:
    data, read = KINDS[kind]
    read(data)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_damage_ends_in_a_file_error_or_a_load(kind: str, seed: int) -> None:
    data, read = KINDS[kind]
    source = random.Random(seed)
    begin, refused = time.perf_counter(), 0
    for _ in range(200):
        try:
            read(damaged(data, source))
        except FileError:
            refused += 1
    assert refused > 50
    assert time.perf_counter() - begin < LIMIT_SECONDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_truncation_but_that_of_a_program_is_refused(kind: str) -> None:
    data, read = KINDS[kind]
    for size in range(len(data)):
        if kind == "pdmodel" and _ends_a_block(data, size):
            continue
        with pytest.raises(FileError):
            read(data[:size])


def _ends_a_block(data: bytes, size: int) -> bool:
    """Whether the first `size` bytes are whole blocks: then they are a program too."""
    desc = schema.parse(schema.ProgramDesc, data, "x")
    ends, end = set(), 0
    for block in desc.blocks:
        partial = schema.ProgramDesc(blocks=[block])
        end += len(partial.SerializeToString())
        ends.add(end)
    return size in ends

"""The messages of `.pdmodel` are Paddle's, and what is read is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pool

from twinoar.errors import FileError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import attribute_value, set_attribute
from twinoar.formats.paddle.schema import OpDesc, ProgramDesc, TensorDesc, VarDesc


def program(*parents: int) -> Any:
    """A program with a block for each number, which is its parent."""
    desc = ProgramDesc()
    for index, parent in enumerate(parents):
        desc.blocks.add(idx=index, parent_idx=parent)
    return desc


def read(desc: Any) -> Any:
    return schema.read_program(schema.serialize(desc), "x.pdmodel")


def test_a_tensor_description_has_unpacked_dimensions() -> None:
    desc = TensorDesc(data_type=schema.CODE_OF_DTYPE["float32"], dims=[2, -1])
    minus_one = b"\xff" * 9 + b"\x01"
    assert schema.serialize(desc) == b"\x08\x05" + b"\x10\x02" + b"\x10" + minus_one


def test_a_default_is_minus_one_for_the_forward_block() -> None:
    assert program(-1).blocks[0].forward_block_idx == -1


def test_names_and_numbers_of_enumerations_match_both_ways() -> None:
    assert schema.DTYPE_OF_CODE[22] == "bfloat16"
    assert schema.KIND_OF_CODE[7] == "DENSE_TENSOR"
    assert schema.ATTRIBUTE_OF_CODE[8] == "BLOCK"
    assert not set(schema.DTYPE_OF_CODE) & set(schema.KIND_OF_CODE)


def test_fields_that_are_unknown_survive() -> None:
    data = schema.serialize(OpDesc(type="relu")) + b"\xfa\x06\x01x"
    assert schema.serialize(schema.parse(OpDesc, data, "x")) == data


def test_a_message_without_a_required_field_is_not_written() -> None:
    with pytest.raises(FileError, match="cannot write a message without type"):
        schema.serialize(OpDesc())


@pytest.mark.parametrize("data", [b"\xff", b'{"base_code"', b"\x80\x04N.", b"\x0a\x7f"])
def test_garbage_is_a_file_error(data: bytes) -> None:
    with pytest.raises(FileError, match=r"x\.pdmodel: expected a ProgramDesc in protobuf form"):
        schema.read_program(data, "x.pdmodel")


def test_an_empty_file_is_a_file_error() -> None:
    with pytest.raises(FileError, match="received one without blocks"):
        schema.read_program(b"", "x.pdmodel")


def test_missing_required_fields_are_named() -> None:
    desc = program(-1)
    desc.blocks[0].ops.add(is_target=True)
    with pytest.raises(FileError, match=r"missing or unknown: blocks\[0\].ops\[0\].type"):
        schema.read_program(desc.SerializePartialToString(), "x")


def test_a_name_that_is_not_utf8_is_a_file_error() -> None:
    desc = program(-1)
    desc.blocks[0].ops.add(type="relu").inputs.add(parameter="X", arguments=["~~"])
    data = schema.serialize(desc).replace(b"~~", b"\xff\xff")
    with pytest.raises(FileError, match=r"x: [\w.]+OpDesc.Var.arguments is not UTF-8"):
        schema.read_program(data, "x")


def test_an_attribute_may_hold_text_in_another_encoding() -> None:
    op = OpDesc(type="relu")
    set_attribute(op, "op_callstack", "STRINGS", ["~~"])
    data = schema.serialize(op).replace(b"~~", b"\xb0\xa1")
    found = schema.parse(OpDesc, data, "x")
    assert attribute_value(found.attrs[0]) == ["\udcb0\udca1"]
    assert schema.serialize(found) == data


def test_a_tree_of_blocks_is_read() -> None:
    assert [block.parent_idx for block in read(program(-1, 0, 0, 2)).blocks] == [-1, 0, 0, 2]


@pytest.mark.parametrize(
    ("desc", "message"),
    [
        (program(-1, 2), "block 1 of 2 has the parent 2"),
        (program(-1, -2), "block 1 of 2 has the parent -2"),
        (program(0), "block 0 of 1 has the parent 0"),
        (program(-1, -1), "block 1 of 2 has the parent -1"),
        (program(-1, 1), "block 1 is its own ancestor"),
        (program(-1, 2, 3, 1), "block 1 is its own ancestor"),
    ],
)
def test_parents_that_do_not_lead_to_the_root_are_refused(desc: Any, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(desc)


def test_a_block_with_another_number_is_refused() -> None:
    desc = program(-1)
    desc.blocks[0].idx = 3
    with pytest.raises(FileError, match="block 0 of 1 says that it is block 3"):
        read(desc)


def test_a_forward_block_that_does_not_exist_is_refused() -> None:
    desc = program(-1)
    desc.blocks[0].forward_block_idx = 1
    with pytest.raises(FileError, match="has the forward block 1"):
        read(desc)


@pytest.mark.parametrize("value", [{"block_idx": 1}, {"block_idx": -1}, {"blocks_idx": [0, 5]}])
def test_an_attribute_that_names_a_missing_block_is_refused(value: dict) -> None:
    desc = program(-1)
    kind = "BLOCK" if "block_idx" in value else "BLOCKS"
    code = schema.CODE_OF_ATTRIBUTE[kind]
    desc.blocks[0].ops.add(type="while").attrs.add(name="sub_block", type=code, **value)
    with pytest.raises(FileError, match="attribute sub_block of while names blocks"):
        read(desc)


def test_the_messages_do_not_enter_the_pool_that_everyone_shares() -> None:
    assert VarDesc.DESCRIPTOR.file.pool is OpDesc.DESCRIPTOR.file.pool
    assert OpDesc.DESCRIPTOR.full_name == "paddle.framework.proto.OpDesc"
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("paddle.framework.proto.OpDesc")


def test_programs_of_paddle_are_written_back_byte_by_byte(paddle_fixtures: Path) -> None:
    paths = list(paddle_fixtures.rglob("*.pdmodel"))
    assert paths
    for path in paths:
        data = path.read_bytes()
        assert schema.serialize(schema.read_program(data, str(path))) == data

"""Attributes come back as they were set, and ranges are those of the messages."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import FORMS, attribute_value, set_attribute
from twinoar.formats.paddle.schema import CODE_OF_ATTRIBUTE, OpDesc

VALUES = [
    ("INT", -(2**31)),
    ("FLOAT", 0.5),
    ("FLOAT", float(np.finfo(np.float32).max)),
    ("FLOAT", math.inf),
    ("STRING", "text"),
    ("STRING", ""),
    ("INTS", [1, -2]),
    ("INTS", []),
    ("FLOATS", [0.5, 2.0]),
    ("STRINGS", ["a", "b"]),
    ("STRINGS", []),
    ("BOOLEAN", False),
    ("BOOLEANS", [True, False]),
    ("BLOCK", 1),
    ("LONG", 2**63 - 1),
    ("BLOCKS", [1, 2]),
    ("LONGS", [-(2**63)]),
    ("FLOAT64S", [1e300]),
    ("VAR", "x"),
    ("VARS", ["x", "y"]),
    ("FLOAT64", 1e300),
    ("SCALAR", True),
    ("SCALAR", 7),
    ("SCALAR", 0.25),
    ("SCALAR", 1 - 2j),
    ("SCALARS", [True, 7, 0.25, 1j]),
]


@pytest.mark.parametrize(("kind", "value"), VALUES)
def test_a_value_comes_back_with_its_type(kind: str, value: object) -> None:
    desc = OpDesc(type="op")
    set_attribute(desc, "a", kind, value)
    found = schema.parse(OpDesc, schema.serialize(desc), "x").attrs[0]
    assert repr(attribute_value(found)) == repr(value)
    assert found.type == CODE_OF_ATTRIBUTE[kind]


def test_every_kind_of_attribute_is_served() -> None:
    assert set(FORMS) == set(CODE_OF_ATTRIBUTE)


def test_an_attribute_that_is_set_again_is_replaced_where_it_stands() -> None:
    desc = OpDesc(type="op")
    set_attribute(desc, "a", "STRINGS", ["x"])
    set_attribute(desc, "b", "INT", 1)
    set_attribute(desc, "a", "FLOAT", 2.0)
    assert [(attr.name, attribute_value(attr)) for attr in desc.attrs] == [("a", 2.0), ("b", 1)]


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("INT", 2**31, "2147483648 does not fit 32 bits"),
        ("INTS", [0, -(2**31) - 1], "does not fit 32 bits"),
        ("LONG", 2**63, "does not fit 64 bits"),
        ("SCALAR", 2**63, "does not fit 64 bits"),
        ("FLOAT", 1e39, "does not fit float32"),
        ("BLOCK", -1, "expected the number of a block"),
        ("INTEGER", 1, "expected one of INT, FLOAT"),
    ],
)
def test_values_out_of_range_are_refused(kind: str, value: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        set_attribute(OpDesc(type="op"), "a", kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("INT", True),
        ("INT", 1.0),
        ("INT", np.int64(1)),
        ("FLOAT", "1"),
        ("BOOLEAN", 1),
        ("STRING", b"x"),
        ("INTS", 3),
        ("INTS", "12"),
        ("SCALAR", "1"),
    ],
)
def test_values_of_another_type_are_refused(kind: str, value: object) -> None:
    with pytest.raises(TypeMismatchError, match="attribute a: expected a"):
        set_attribute(OpDesc(type="op"), "a", kind, value)


def test_a_refused_value_leaves_the_operator_as_it_was() -> None:
    desc = OpDesc(type="op")
    with pytest.raises(ArgumentError):
        set_attribute(desc, "a", "INT", 2**40)
    assert len(desc.attrs) == 0


def test_an_attribute_without_its_value_is_a_file_error() -> None:
    desc = OpDesc(type="op")
    desc.attrs.add(name="a", type=CODE_OF_ATTRIBUTE["INT"], f=1.0)
    with pytest.raises(FileError, match="attribute a is of kind INT and has no value"):
        attribute_value(desc.attrs[0])


def test_attributes_of_paddle_keep_their_bytes_when_set_again(paddle_fixtures: Path) -> None:
    paths = list(paddle_fixtures.rglob("*.pdmodel"))
    assert paths
    for path in paths:
        program = schema.read_program(path.read_bytes(), str(path))
        for op in (op for block in program.blocks for op in block.ops):
            before = schema.serialize(op)
            for attr in op.attrs:
                kind = schema.ATTRIBUTE_OF_CODE[attr.type]
                set_attribute(op, attr.name, kind, attribute_value(attr))
            assert schema.serialize(op) == before

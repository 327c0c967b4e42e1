"""What is written depends on the value of an object only, and Python's own pickle loads it."""

from __future__ import annotations

import copy
import pickle
import pickletools
from collections import OrderedDict

import ml_dtypes
import numpy as np
import pytest

from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError
from twinoar.formats.paddle.pickling import write_pickle
from twinoar.formats.paddle.unpickling import read_pickle

PROTOCOLS = (2, 3, 4)
OBJECTS = [
    None,
    True,
    False,
    *(sign * 2**bits for bits in (0, 7, 8, 15, 16, 31, 32, 63, 64, 300) for sign in (1, -1)),
    0,
    1.5,
    float("inf"),
    1 - 2j,
    "",
    "text with \u20ac and \U0001f600",
    "\ud800",
    "long " * 100,
    [],
    (),
    {},
    set(),
    {1, 2, "three"},
    [1, [2, (3, (4,))]],
    {"a": {"b": [None]}, 3: 4, None: 5, (1, "x"): 6},
    OrderedDict(b=1, a=2),
]
DTYPES = [
    *("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
    *("f2", "f4", "f8", "c8", "c16", "U3", "S4"),
]
SHAPES = [(), (0,), (3,), (2, 0, 3), (2, 3)]


def ascending(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


def assert_same(found: object, expected: np.ndarray | np.generic) -> None:
    assert type(found) is type(expected)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def label(obj: object) -> str:
    """What tells a case from others; the order in which a set prints is not always the same."""
    return type(obj).__name__ if isinstance(obj, set) else repr(obj)[:20]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("obj", OBJECTS, ids=label)
def test_objects_are_what_pickle_loads(obj: object, protocol: int) -> None:
    loaded = pickle.loads(write_pickle(obj, protocol))
    assert (type(loaded), loaded) == (type(obj), obj)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("obj", OBJECTS, ids=label)
def test_objects_are_read_back(obj: object, protocol: int) -> None:
    loaded = read_pickle(write_pickle(obj, protocol), "x")
    assert (type(loaded), loaded) == (type(obj), obj)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_are_what_pickle_loads(dtype: str, shape: tuple[int, ...], protocol: int) -> None:
    array = ascending(dtype, shape)
    assert_same(pickle.loads(write_pickle(array, protocol)), array)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_are_read_back(dtype: str, shape: tuple[int, ...], protocol: int) -> None:
    array = ascending(dtype, shape)
    assert_same(read_pickle(write_pickle(array, protocol), "x"), array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars_are_read_back(dtype: str) -> None:
    scalar = ascending(dtype, (2,))[1]
    assert_same(read_pickle(write_pickle(scalar), "x"), scalar)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3).T,
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(10)[::-3],
        np.arange(4, dtype=">f4"),
        np.broadcast_to(np.float32(1), (2, 2)),
    ],
    ids=["transposed", "column-major", "strided", "big-endian", "broadcast"],
)
def test_layout_and_byte_order_do_not_show(array: np.ndarray) -> None:
    assert write_pickle(array) == write_pickle(
        np.array(array, array.dtype.newbyteorder("="), order="C", copy=True)
    )


def test_bfloat16_is_stored_as_the_uint16_that_paddle_stores() -> None:
    array = np.array([1, -2], ml_dtypes.bfloat16)
    assert_same(pickle.loads(write_pickle(array)), array.view(np.uint16))


def test_bfloat16_and_uint16_are_told_apart_on_reading() -> None:
    both = [np.array([1, -2], ml_dtypes.bfloat16), np.array([1, 2], np.uint16)]
    found = read_pickle(write_pickle(both), "x")
    assert [array.dtype for array in found] == [array.dtype for array in both]


def test_uint16_written_by_numpy_is_bfloat16_as_in_paddle() -> None:
    array = np.array([1.5, -2], ml_dtypes.bfloat16)
    assert_same(read_pickle(pickle.dumps(array.view(np.uint16), 4), "x"), array)


def test_modules_are_named_as_numpy_1_knows_them() -> None:
    names = {argument for _, argument, _ in pickletools.genops(write_pickle(np.zeros(2)))}
    assert "numpy.core.multiarray _reconstruct" in names


def test_sharing_does_not_show_in_the_bytes() -> None:
    part = [np.zeros(2), "text"]
    shared = {"a": part, "b": part}
    separate = {"a": [np.zeros(2), "text"], "b": copy.deepcopy(part)}
    assert write_pickle(shared) == write_pickle(separate)


def test_the_order_of_a_set_does_not_show_in_the_bytes() -> None:
    # 8 and 0 have the same place in a small set, so the order of insertion is that of iteration.
    assert list({0, 8}) != list({8, 0})
    assert write_pickle({0, 8}) == write_pickle({8, 0})


def test_a_tensor_is_written_as_the_tuple_that_paddle_writes() -> None:
    data = write_pickle([3], encode=lambda x: ("w_0", np.ones(1)) if x == 3 else None)
    opcodes = [opcode.name for opcode, _, _ in pickletools.genops(data)]
    assert pickle.loads(data) == [("w_0", np.ones(1))]
    assert opcodes[-4:] == ["TUPLE1", "REDUCE", "APPENDS", "STOP"]


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        (object(), "the object is a object"),
        ({"a": [1, b"x"]}, r"the object\['a'\]\[1\] is a bytes"),
        ({"a": range(3)}, r"the object\['a'\] is a range"),
        ({frozenset(): 1}, "a key of the object is a frozenset"),
        ({2**64: 1}, "a key of the object is a int, .* at most 64 bits"),
        ({-(2**70)}, "an element of the object is a int, .* at most 64 bits"),
        ({(1, 2**64): 1}, "a key of the object is a tuple, .* at most 64 bits"),
        ({((),): 1}, "a key of the object is a tuple"),
        ({"a": {((1, 2), 3)}}, r"an element of the object\['a'\] is a tuple"),
        ([len], r"the object\[0\] is a builtin_function_or_method"),
    ],
)
def test_what_cannot_be_stored_is_named_by_its_place(obj: object, place: str) -> None:
    with pytest.raises(TypeMismatchError, match=place):
        write_pickle(obj)


@pytest.mark.parametrize("dtype", ["O", "M8[s]", "V4", ml_dtypes.float8_e4m3fn])
def test_element_types_that_cannot_be_stored_are_refused(dtype: str) -> None:
    with pytest.raises(DTypeError, match="cannot hold elements"):
        write_pickle(np.zeros(2, dtype))


def test_an_object_that_contains_itself_is_refused() -> None:
    obj: list = []
    obj.append(obj)
    with pytest.raises(ArgumentError, match="contains itself"):
        write_pickle(obj)


@pytest.mark.parametrize("protocol", [0, 1, 5, "4", True, None])
def test_other_protocols_are_refused(protocol: object) -> None:
    with pytest.raises(ArgumentError, match="expected protocol 2, 3 or 4"):
        write_pickle({}, protocol)

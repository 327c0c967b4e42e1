"""Pickles are read without anything being run, and damage is a FileError."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

from twinoar.errors import FileError, UnsafeFileError
from twinoar.formats.paddle.unpickling import read_pickle


class Call:
    """Pickles as a call that a real loader makes."""

    def __init__(self, function: object, *arguments: object):
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple:
        return self.function, self.arguments


class Plain:
    """A class of a user's own."""


def with_state(state: dict) -> Plain:
    plain = Plain()
    plain.__dict__.update(state)
    return plain


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (Call(os.system, "true"), r"\w+\.system"),
        (Call(eval, "1 + 1"), r"builtins\.eval"),
        (Call(eval, "data", {"data": np.ones(1), "more": 1}), r"builtins\.eval"),
        (Call(eval, "data", {"data": 1}), r"builtins\.eval"),
        (Call(getattr, "a", "upper"), r"\w+\.getattr"),
        (Call(subprocess.run, ["true"]), r"\w+\.run"),
        (Call(np.fromfile, "x"), r"numpy\.[\w.]*fromfile"),
        (with_state({"a": 1}), r"\w+\.\w+"),
    ],
    ids=[
        "system",
        "eval",
        "eval with more",
        "eval of a number",
        "getattr",
        "run",
        "numpy",
        "class",
    ],
)
def test_code_in_a_pickle_is_refused_by_its_name(call: object, name: str, protocol: int) -> None:
    with pytest.raises(UnsafeFileError, match=f"the file asks for {name}"):
        read_pickle(pickle.dumps({"w": [call]}, protocol), "x.pdparams")


def test_nothing_is_run_before_the_refusal(tmp_path: Path) -> None:
    target = tmp_path / "proof"
    calls = [Call(os.mkdir, str(target)), Call(eval, f"__import__('os').mkdir({str(target)!r})")]
    with pytest.raises(UnsafeFileError):
        read_pickle(pickle.dumps(calls, 4), "x.pdparams")
    assert not target.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02(ios\nsystem\n.",
        b"\x80\x02Pabc\n.",
        b"\x80\x02)Q.",
        b"\x80\x02))\x81.",
        b"\x80\x02\x82\x01.",
    ],
    ids=["INST", "PERSID", "BINPERSID", "NEWOBJ", "EXT1"],
)
def test_opcodes_that_act_are_refused(data: bytes) -> None:
    with pytest.raises(UnsafeFileError, match="asks for code to be run"):
        read_pickle(data, "x")


def test_setting_attributes_is_refused() -> None:
    with pytest.raises(UnsafeFileError, match="attributes of an object"):
        read_pickle(b"\x80\x02ccollections\nOrderedDict\n)R}b.", "x")


def test_the_tensor_of_a_static_program_is_understood_as_data() -> None:
    data = pickle.dumps([Call(eval, "data", {"data": np.arange(3)})], 4)
    np.testing.assert_array_equal(read_pickle(data, "x")[0], [0, 1, 2])


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_what_pickle_writes_is_read(protocol: int) -> None:
    shared = ["x" * 300, 2.5]
    obj = OrderedDict(a=shared, b=(shared, {1: 1j}), c={1, 2}, d=2**100, e=[None, True, False, -7])
    assert read_pickle(pickle.dumps(obj, protocol), "x") == obj


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_an_array_that_occurs_twice_is_one_array(protocol: int) -> None:
    array = np.arange(3.0)
    first, second = read_pickle(pickle.dumps([array, array], protocol), "x")
    assert first is second


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(3, dtype=">i2"),
        np.array(["a", "bc"]),
    ],
    ids=["column-major", "big-endian", "text"],
)
def test_arrays_in_other_forms_are_read(array: np.ndarray) -> None:
    found = read_pickle(pickle.dumps(array, 4), "x")
    np.testing.assert_array_equal(found, array)
    assert found.dtype.isnative


def test_arrays_own_their_elements_and_can_be_written() -> None:
    found = read_pickle(pickle.dumps(np.zeros(3), 4), "x")
    found[0] = 1
    assert found.tolist() == [1, 0, 0]


def test_text_of_python_2_is_read_as_latin1() -> None:
    assert read_pickle(b"\x80\x02U\x02a\xe9.", "x") == "a\xe9"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a pickle of protocol 2, 3 or 4, received bytes none"),
        (b"PK\x03\x04", "expected a pickle .* received bytes 504b"),
        (pickle.dumps({"a": 1}, 0), "expected a pickle"),
        (pickle.dumps({"a": 1}, 5), "expected a pickle"),
        (b"\x80\x04", "at byte 2: an opcode of 1 bytes does not fit: 0 bytes are left"),
        (b"\x80\x04\xff.", "opcode 0xff is unknown"),
        (b"\x80\x04.", "an operand is missing"),
        (b"\x80\x04(.", "an operand is missing"),
        (b"\x80\x04NN.", "more than one object"),
        (b"\x80\x04h\x07.", "object 7 was not remembered"),
        (b"\x80\x04]q\x00h\x00a.", "contains itself"),
        (b"\x80\x04" + b"]" * 5000 + b"a" * 4999 + b".", "nested deeper than 200"),
        (b"\x80\x04X" + struct.pack("<I", 2**31) + b"x.", "2147483648 bytes does not fit"),
        (b"\x80\x04\x8e" + struct.pack("<Q", 2**62) + b"x.", "does not fit"),
        (b"\x80\x04\x8b\xff\xff\xff\xff.", "4294967295 bytes does not fit"),
        (b"\x80\x04X\x01\x00\x00\x00\xff.", "codec can't decode"),
        (b"\x80\x04}(Nu.", "a key has no value"),
        (b"\x80\x04}]Ns.", "expected text, a number or a tuple"),
        (b"\x80\x04cnumpy\nndarray\n.", "not complete"),
        (pickle.dumps(np.array([1, "x"], object), 4), "as elements, received 'O8'"),
        (pickle.dumps(np.zeros(2, [("a", "i4")]), 4), "as elements, received 'V4'"),
    ],
)
def test_damage_is_a_file_error_that_says_what(data: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read_pickle(data, "x.pdparams")


def test_the_file_and_the_place_are_in_the_message() -> None:
    with pytest.raises(FileError, match=r"^dir/x\.pdparams, at byte 3: damaged pickle"):
        read_pickle(b"\x80\x04N\xff.", "dir/x.pdparams")


def test_a_shape_that_does_not_fit_the_elements_is_refused() -> None:
    data = pickle.dumps(np.zeros(7, "i1"), 4)
    shape = data.index(b"K\x07\x85")
    with pytest.raises(FileError, match="expected 9 bytes of elements, received 7"):
        read_pickle(data[:shape] + b"K\x09\x85" + data[shape + 3 :], "x")


def test_the_shape_an_array_begins_with_allocates_nothing() -> None:
    begin = b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n"
    huge = b"\x8a\x08" + struct.pack("<q", 2**60) + b"\x85"
    with pytest.raises(FileError, match="not complete"):
        read_pickle(begin + huge + b"U\x01b\x87R.", "x")


def test_a_memo_index_allocates_nothing() -> None:
    assert read_pickle(b"\x80\x04}r\xff\xff\xff\xff.", "x") == {}


def test_parts_shared_many_times_take_no_time() -> None:
    doubled = b"".join(b"0](h%ch%ceq%c" % (i, i, i + 1) for i in range(150))
    assert len(read_pickle(b"\x80\x04]q\x00" + doubled + b".", "x")) == 2


def test_a_key_that_takes_forever_to_hash_is_refused() -> None:
    doubled = b"".join(b"q%ch%c\x86" % (i, i) for i in range(150))
    with pytest.raises(FileError, match="as the key of a dict"):
        read_pickle(b"\x80\x04)" + doubled + b"q\xff}h\xffNs.", "x")

"""The real Paddle finds in our files what we wrote, and we find in its files what it wrote."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import descriptor_pb2

import twinoar
from twinoar.formats.paddle import pdparams, schema

SCRIPTS = Path(__file__).parent
CALL = """
from pathlib import Path
sys.path.insert(0, given["scripts"])
import exchange
answer(getattr(exchange, given["action"])(paddle, Path(given["folder"])))
"""

Run = Callable[..., object]


def ours(action: str, folder: Path) -> object:
    """What the script does with twinoar."""
    spec = importlib.util.spec_from_file_location("exchange", SCRIPTS / "exchange.py")
    exchange = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(exchange)
    return getattr(exchange, action)(twinoar, folder)


def theirs(paddle: Run, action: str, folder: Path) -> object:
    """What the script does with the real Paddle."""
    return paddle(CALL, scripts=SCRIPTS, action=action, folder=folder)


def fields(messages: object, owner: str = "") -> dict[str, tuple]:
    """Label, type and packing of every field, by message and number."""
    found = {}
    for message in messages:
        path = f"{owner}{message.name}."
        for field in message.field:
            found[f"{path}{field.number}"] = (field.label, field.type, field.options.packed)
        found.update(fields(message.nested_type, path))
    return found


def test_both_read_the_same_from_files_of_paddle(paddle: Run, tmp_path: Path) -> None:
    theirs(paddle, "write", tmp_path)
    assert ours("read", tmp_path) == theirs(paddle, "read", tmp_path)


def test_both_read_the_same_from_our_files(paddle: Run, tmp_path: Path) -> None:
    ours("write", tmp_path)
    assert theirs(paddle, "read", tmp_path) == ours("read", tmp_path)


@pytest.mark.parametrize("protocol", [2, 3])
def test_slices_that_we_write_are_joined_by_paddle(
    paddle: Run, protocol: int, tmp_path: Path
) -> None:
    arrays = {"b": np.ones(1, "f4"), "w": np.arange(10, dtype="f4").reshape(2, 5)}
    payload = pdparams.state_dict_payload(arrays, {"w": "w_0", "b": "b_0"})
    (tmp_path / "sliced").write_bytes(pdparams.dump(payload, protocol, slice_bytes=16))
    (tmp_path / "whole").write_bytes(pdparams.dump(payload, protocol))
    found = theirs(paddle, "read", tmp_path)
    assert found["sliced"] == found["whole"]


def test_the_messages_of_a_program_are_those_of_paddle(paddle: Run) -> None:
    """Fields by number: label and type of those that we have, which are all but OpProto's."""
    code = """
from google.protobuf import descriptor_pb2
from paddle.base.proto import framework_pb2
file = descriptor_pb2.FileDescriptorProto()
framework_pb2.DESCRIPTOR.CopyToProto(file)
answer(file.SerializeToString().hex())
"""
    real = descriptor_pb2.FileDescriptorProto.FromString(bytes.fromhex(paddle(code)))
    made = descriptor_pb2.FileDescriptorProto()
    schema.ProgramDesc.DESCRIPTOR.file.CopyToProto(made)
    expected, found = fields(real.message_type), fields(made.message_type)
    renamed = {key.replace("LoDTensor", "DenseTensor"): value for key, value in expected.items()}
    assert {k: v for k, v in renamed.items() if not k.startswith("OpProto")} == found

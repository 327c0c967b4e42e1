"""Large requests over gRPC: tensors are the bytes that protobuf finds, and are not copied."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from twinoar.errors import ServingError
from twinoar.formats.inference_protocol import CLASSES
from twinoar.serving.grpc_message import LEAST, MOST_FIELDS, inference_of, without_raw

REQUEST = CLASSES["ModelInferRequest"]


def request_of(*raw: bytes) -> Any:
    inputs = [
        {"name": f"x{number}", "datatype": "UINT8", "shape": [len(part)]}
        for number, part in enumerate(raw)
    ]
    return REQUEST(model_name="m", id="7", inputs=inputs, raw_input_contents=raw)


@pytest.mark.parametrize("sizes", [(LEAST,), (LEAST, 0, 1), (3, LEAST * 2), (LEAST // 2, LEAST)])
def test_tensors_are_found_where_they_are(sizes: tuple[int, ...]) -> None:
    generator = np.random.default_rng(0)
    told = request_of(*(generator.bytes(size) for size in sizes))
    data = told.SerializeToString()
    message, raw = inference_of(data)
    assert [bytes(part) for part in raw] == list(told.raw_input_contents)
    assert all(isinstance(part, memoryview) and part.obj is data for part in raw)
    del told.raw_input_contents[:]
    assert message == told


def test_small_messages_are_read_whole() -> None:
    message, raw = inference_of(request_of(b"ab", b"c").SerializeToString())
    assert (message.model_name, raw) == ("m", [b"ab", b"c"])


def test_a_message_of_many_fields_is_left_to_protobuf() -> None:
    many = request_of(*[b"x"] * MOST_FIELDS).SerializeToString()
    assert without_raw(many) is None
    _, raw = inference_of(many + REQUEST(id="y" * LEAST).SerializeToString())
    assert raw == [b"x"] * MOST_FIELDS


def test_damaged_messages_are_read_as_protobuf_reads_them() -> None:
    """Either both find the same, or both refuse."""
    generator = random.Random(5)
    good = request_of(b"abc", bytes(9)).SerializeToString()
    refused = 0
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(generator.choice((1, 1, 3))):
            data[generator.randrange(len(data))] = generator.randrange(256)
        data = bytes(data[: generator.choice((len(data), generator.randrange(len(data) + 1)))])
        try:
            wanted = REQUEST.FromString(data)
        except Exception:
            wanted = None
        found = without_raw(data)
        if found is None:
            refused += 1
            continue
        try:
            message = REQUEST.FromString(found[0])
        except Exception:
            message = None
        assert (message is None) == (wanted is None), data
        if wanted is not None:
            assert [bytes(part) for part in found[1]] == list(wanted.raw_input_contents)
    assert 0 < refused < 3000


def test_a_large_message_that_is_none_is_refused() -> None:
    data = request_of(bytes(LEAST)).SerializeToString()
    with pytest.raises(ServingError, match="expected a ModelInferRequest") as caught:
        inference_of(data[:-1])
    assert caught.value.status == "INVALID_ARGUMENT"

"""The messages of the inference protocol, and what the text, JSON and plain forms make of them."""

from __future__ import annotations

import pytest

from twinoar.errors import FileError
from twinoar.formats.inference_protocol import CLASSES, ModelConfig
from twinoar.formats.paddle_serving import GeneralModelConfig
from twinoar.formats.protobuf import parse, parse_json, parse_text, plain, text_of

TEXT = """
# a comment
name: "m"
max_batch_size: 8
input [ { name: "x" data_type: TYPE_FP32 dims: [ 3, -1 ] } ]
dynamic_batching { priority_queue_policy { key: 1 value { timeout_action: DELAY } } }
parameters { key: "threads" value { string_value: "2" } }
"""
PLAIN = {
    "name": "m",
    "max_batch_size": 8,
    "input": [{"name": "x", "data_type": "TYPE_FP32", "dims": [3, -1]}],
    "dynamic_batching": {"priority_queue_policy": {"1": {"timeout_action": "DELAY"}}},
    "parameters": {"threads": {"string_value": "2"}},
}
JSON = """{"name": "m", "maxBatchSize": 8,
"input": [{"name": "x", "data_type": "TYPE_FP32", "dims": ["3", "-1"]}],
"dynamic_batching": {"priority_queue_policy": {"1": {"timeout_action": "DELAY"}}},
"parameters": {"threads": {"string_value": "2"}}}"""


def test_text_json_and_bytes_are_the_same_message() -> None:
    config = parse_text(ModelConfig, TEXT, "config.pbtxt")
    assert plain(config) == PLAIN
    assert parse_json(ModelConfig, JSON, "config") == config
    assert parse_text(ModelConfig, text_of(config), "again") == config
    assert parse(ModelConfig, config.SerializeToString(), "bytes") == config


def test_maps_are_mappings() -> None:
    config = parse_text(ModelConfig, TEXT, "config.pbtxt")
    assert config.parameters["threads"].string_value == "2"
    assert "other" not in config.parameters


@pytest.mark.parametrize("text", ["nam: 1", "name: 1", "max_batch_size: x", "input [", "\x00"])
def test_text_that_is_none_is_told_with_its_place(text: str) -> None:
    with pytest.raises(FileError, match=r"^config.pbtxt: expected a ModelConfig .*1:"):
        parse_text(ModelConfig, text, "config.pbtxt")


@pytest.mark.parametrize("text", ["{", "[]", '{"nam": 1}', '{"max_batch_size": "x"}'])
def test_json_that_is_none_is_told(text: str) -> None:
    with pytest.raises(FileError, match=r"^x: expected a ModelConfig as JSON"):
        parse_json(ModelConfig, text, "x")


def test_text_that_is_not_utf_8_is_found_in_maps_too() -> None:
    asked = CLASSES["ModelInferRequest"]
    for key in (b"\xff", b"k"):
        entry = b"\x0a\x01" + key + b"\x12\x03\x1a\x01" + (b"v" if key == b"\xff" else b"\xff")
        data = b"\x22" + bytes([len(entry)]) + entry
        with pytest.raises(FileError):
            parse(asked, data, "request")
    good = asked(parameters={"k": {"string_param": "v"}})
    assert parse(asked, good.SerializeToString(), "request") == good


def test_bytes_are_shown_as_text_or_digits() -> None:
    contents = CLASSES["InferTensorContents"](bytes_contents=[b"ab", b"\xff"])
    assert plain(contents) == {"bytes_contents": ["ab", "ff"]}


def test_paddle_serving_s_config_is_written_as_it_writes_it() -> None:
    config = GeneralModelConfig()
    config.feed_var.add(name="x", alias_name="x", is_lod_tensor=False, feed_type=1, shape=[13])
    assert text_of(config) == (
        'feed_var {\n  name: "x"\n  alias_name: "x"\n  is_lod_tensor: false\n'
        "  feed_type: 1\n  shape: 13\n}\n"
    )

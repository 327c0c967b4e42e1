"""VisualDL's records: protobuf messages, each after its length in eight bytes.

Source: https://github.com/PaddlePaddle/VisualDL
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from twinoar.errors import FileError
from twinoar.formats.protobuf import Schema, parse, serialize

COUNTS = (
    "1 repeated int64 TP",
    "2 repeated int64 FP",
    "3 repeated int64 TN",
    "4 repeated int64 FN",
)
MESSAGES = {
    "Record": ("1 repeated Value values",),
    "Value": (
        "1 optional int64 id",
        "2 optional string tag",
        "3 optional int64 timestamp",
        "4 optional float value",
        "5 optional Image image",
        "6 optional Audio audio",
        "7 optional Embeddings embeddings",
        "8 optional Histogram histogram",
        "9 optional PRCurve pr_curve",
        "10 optional MetaData meta_data",
        "11 optional ROC_Curve roc_curve",
        "12 optional Text text",
        "13 optional HParam hparam",
        "14 optional TagValue tag_value",
    ),
    "Image": ("4 optional bytes encoded_image_string",),
    "Text": ("1 optional string encoded_text_string",),
    "Audio": (
        "1 optional float sample_rate",
        "2 optional int64 num_channels",
        "3 optional int64 length_frames",
        "4 optional bytes encoded_audio_string",
        "5 optional string content_type",
    ),
    "Embedding": ("1 repeated string label", "2 repeated|packed float vectors"),
    "Embeddings": ("1 repeated Embedding embeddings", "2 repeated string label_meta"),
    "Histogram": ("1 repeated|packed double hist", "2 repeated|packed double bin_edges"),
    "PRCurve": (*COUNTS, "5 repeated|packed double precision", "6 repeated|packed double recall"),
    "ROC_Curve": (*COUNTS, "5 repeated|packed double tpr", "6 repeated|packed double fpr"),
    "HParam": (
        "1 repeated Setting hparamInfos",
        "2 repeated Setting metricInfos",
        "3 optional string name",
    ),
    "Setting": (
        "1 optional int64 int_value",
        "2 optional double float_value",
        "3 optional string string_value",
        "4 optional string name",
    ),
    "MetaData": ("1 optional string display_name",),
    "TagValue": ("1 optional string tag", "2 optional float value"),
}
Record: Any = Schema("twinoar.visual.record", MESSAGES, {}).classes()["Record"]
# The field of a value, and the name by which readers ask for its kind.
COMPONENT_OF_FIELD = {
    "value": "scalar",
    "image": "image",
    "audio": "audio",
    "embeddings": "embeddings",
    "histogram": "histogram",
    "pr_curve": "pr_curve",
    "meta_data": "meta_data",
    "roc_curve": "roc_curve",
    "text": "text",
    "hparam": "hyper_parameters",
    "tag_value": "scalars",
}
LENGTH = struct.Struct("<Q")


def file_name(second: int, suffix: str) -> str:
    """What a file is called that begins in a second."""
    return f"vdlrecords.{second:010d}.log{suffix}"


def head() -> bytes:
    """What a file begins with: nothing."""
    return b""


def framed(record: Any) -> bytes:
    """A record as it stands in a file."""
    data = serialize(record)
    return LENGTH.pack(len(data)) + data


def records_of(data: bytes, what: str) -> Iterator[Any]:
    """The records in the bytes of a file; one that is not yet whole, at the end, is left out.

    Raises FileError, which begins with `what`, for what is no record.
    """
    return (found for _, found in placed_records_of(data, what))


def placed_records_of(data: bytes, what: str) -> Iterator[tuple[int, Any]]:
    """As `records_of`, each after the place at which it ends."""
    place = 0
    while place + LENGTH.size <= len(data):
        (size,) = LENGTH.unpack_from(data, place)
        start, place = place + LENGTH.size, place + LENGTH.size + size
        if place > len(data):
            if size > 1 << 40:
                raise FileError(f"{what}: expected records of VisualDL", cure="check the file")
            return
        yield place, parse(Record, data[start:place], what)

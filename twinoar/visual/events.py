"""TensorBoard's events: protobuf messages, each between its length and the checks of both.

Source: https://github.com/tensorflow/tensorboard, compat/proto and plugins/*/plugin_data.proto
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, FileError
from twinoar.formats.protobuf import Schema, parse, serialize
from twinoar.visual.graph import Graph
from twinoar.visual.graph_event import as_tensorboard

VERSION = "brain.Event:2"  # what the first event of a file says
FLOAT, STRING = 1, 7  # of DataType
TEXT, NUMBER = 1, 3  # of the DataType of settings
MESSAGES = {
    "Event": (
        "1 optional double wall_time",
        "2 optional int64 step",
        "3 optional string file_version",
        "4 optional bytes graph_def",
        "5 optional Summary summary",
    ),
    "Summary": ("1 repeated SummaryValue value",),
    "SummaryValue": (
        "1 optional string tag",
        "2 optional float simple_value",
        "4 optional Image image",
        "5 optional Distribution histo",
        "6 optional Audio audio",
        "8 optional Tensor tensor",
        "9 optional Metadata metadata",
    ),
    "Image": (
        "1 optional int32 height",
        "2 optional int32 width",
        "3 optional int32 colorspace",
        "4 optional bytes encoded_image_string",
    ),
    "Distribution": (
        "1 optional double min",
        "2 optional double max",
        "3 optional double num",
        "4 optional double sum",
        "5 optional double sum_squares",
        "6 repeated|packed double bucket_limit",
        "7 repeated|packed double bucket",
    ),
    "Audio": (
        "1 optional float sample_rate",
        "2 optional int64 num_channels",
        "3 optional int64 length_frames",
        "4 optional bytes encoded_audio_string",
        "5 optional string content_type",
    ),
    "Tensor": (
        "1 optional int32 dtype",
        "2 optional Shape tensor_shape",
        "5 repeated|packed float float_val",
        "8 repeated bytes string_val",
    ),
    "Shape": ("2 repeated Size dim",),
    "Size": ("1 optional int64 size",),
    "Metadata": ("1 optional PlugIn plugin_data", "2 optional string display_name"),
    "PlugIn": ("1 optional string plugin_name", "2 optional bytes content"),
    "Curve": ("1 optional int32 version", "2 optional uint32 num_thresholds"),
    "Settings": (
        "1 optional int32 version",
        "2 optional Experiment experiment",
        "3 optional Session session_start_info",
    ),
    "Experiment": ("4 repeated Setting hparam_infos", "5 repeated Measure metric_infos"),
    "Setting": ("1 optional string name", "4 optional int32 type"),
    "Measure": ("1 optional MeasureName name",),
    "MeasureName": ("1 optional string group", "2 optional string tag"),
    "Session": ("1 repeated Chosen hparams", "4 optional string group_name"),
    "Chosen": ("1 optional string key", "2 optional Choice value"),
    "Choice": ("2 optional double number_value", "3 optional string string_value"),
}
CLASSES = Schema("twinoar.visual.events", MESSAGES, {}).classes()
Event, Curve, Settings = (CLASSES[name] for name in ("Event", "Curve", "Settings"))
LENGTH, CHECK = struct.Struct("<Q"), struct.Struct("<I")


def file_name(second: int, suffix: str) -> str:
    """What a file is called that begins in a second."""
    return f"events.out.tfevents.{second:010d}.twinoar{suffix}"


def head() -> bytes:
    """What a file begins with."""
    return _framed(Event(file_version=VERSION))


def framed(record: Any) -> bytes:
    """The events of VisualDL's record, as they stand in a file.

    Raises ArgumentError for what TensorBoard has no events of.
    """
    return b"".join(_framed(event) for value in record.values for event in _events_of(value))


def framed_graph(graph: Graph) -> bytes:
    """The event of a model's graph, as it stands in a file."""
    return _framed(Event(wall_time=time.time(), graph_def=as_tensorboard(graph)))


def events_of(data: bytes, what: str) -> Iterator[Any]:
    """The events in the bytes of a file; one that is not yet whole, at the end, is left out.

    Raises FileError, which begins with `what`, where a check does not fit.
    """
    return (event for _, event in placed_events_of(data, what))


def placed_events_of(data: bytes, what: str) -> Iterator[tuple[int, Any]]:
    """As `events_of`, each after the place at which it ends."""
    at = 0
    while at + LENGTH.size + CHECK.size <= len(data):
        (size,) = LENGTH.unpack_from(data, at)
        if CHECK.unpack_from(data, at + LENGTH.size) != (check_of(data[at : at + LENGTH.size]),):
            raise _damaged(what, f"the length at byte {at} does not fit its check")
        start = at + LENGTH.size + CHECK.size
        end = start + size
        if end + CHECK.size > len(data):
            return
        if CHECK.unpack_from(data, end) != (check_of(data[start:end]),):
            raise _damaged(what, f"the record at byte {at} does not fit its check")
        at = end + CHECK.size
        yield at, parse(Event, data[start:end], what)


def check_of(data: bytes) -> int:
    """The check of a part: CRC-32C, rotated and with a constant added."""
    found = 0xFFFFFFFF
    for byte in data:
        found = CHECKSUMS[(found ^ byte) & 0xFF] ^ (found >> 8)
    found ^= 0xFFFFFFFF
    return ((found >> 15 | found << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _checksum_of(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli's polynomial, reflected
    return byte


CHECKSUMS = [_checksum_of(byte) for byte in range(256)]


def _damaged(what: str, why: str) -> FileError:
    return FileError(
        f"{what} is damaged: {why}", cure="delete the file, or copy it again from where it was"
    )


def _framed(event: Any) -> bytes:
    data = serialize(event)
    length = LENGTH.pack(len(data))
    return length + CHECK.pack(check_of(length)) + data + CHECK.pack(check_of(data))


def _events_of(value: Any) -> Iterator[Any]:
    for told, held in value.ListFields():
        if told.name in LACKING:
            raise ArgumentError(
                f"TensorBoard has no events of {told.name}", cure='write them with form="visualdl"'
            )
        if told.name == "hparam":
            yield from _settings(value.timestamp / 1000, held)
        elif told.name in KINDS:
            event = Event(wall_time=value.timestamp / 1000, step=value.id)
            KINDS[told.name](event.summary.value.add(tag=value.tag), held)
            yield event


def _scalar(summary: Any, value: float) -> None:
    summary.simple_value = value


def _one_of_several(summary: Any, value: Any) -> None:
    summary.tag += f"/{value.tag}"
    summary.simple_value = value.value


def _image(summary: Any, image: Any) -> None:
    data = image.encoded_image_string
    width, height = struct.unpack_from(">II", data, 16)  # of PNG's first chunk
    summary.image.width, summary.image.height, summary.image.colorspace = width, height, 3
    summary.image.encoded_image_string = data


def _audio(summary: Any, audio: Any) -> None:
    for told, held in audio.ListFields():
        setattr(summary.audio, told.name, held)


def _text(summary: Any, text: Any) -> None:
    summary.metadata.plugin_data.plugin_name = "text"
    summary.tensor.dtype = STRING
    summary.tensor.tensor_shape.dim.add(size=1)
    summary.tensor.string_val.append(text.encoded_text_string.encode())


def _histogram(summary: Any, histogram: Any) -> None:
    counts, edges = np.array(histogram.hist), np.array(histogram.bin_edges)
    middles = (edges[1:] + edges[:-1]) / 2  # the numbers themselves are not kept
    told = summary.histo
    told.min, told.max, told.num = edges[0], edges[-1], counts.sum()
    told.sum, told.sum_squares = counts @ middles, counts @ middles**2
    told.bucket_limit.extend([edges[0], *edges[1:]])
    told.bucket.extend([0, *counts])


def _pr_curve(summary: Any, curve: Any) -> None:
    rows = [curve.TP, curve.FP, curve.TN, curve.FN, curve.precision, curve.recall]
    count = len(curve.TP)
    plug_in = summary.metadata.plugin_data
    plug_in.plugin_name, plug_in.content = "pr_curves", serialize(Curve(num_thresholds=count))
    summary.tensor.dtype = FLOAT
    for size in (len(rows), count):
        summary.tensor.tensor_shape.dim.add(size=size)
    for row in rows:
        summary.tensor.float_val.extend(row)


def _settings(wall_time: float, hparam: Any) -> Iterator[Any]:
    """The two events of settings: what there is to compare, and what this run chose."""
    experiment, session = Settings(version=0), Settings(version=0)
    session.session_start_info.group_name = hparam.name
    for setting in hparam.hparamInfos:
        is_text = setting.HasField("string_value")
        experiment.experiment.hparam_infos.add(name=setting.name, type=TEXT if is_text else NUMBER)
        chosen = session.session_start_info.hparams.add(key=setting.name)
        if is_text:
            chosen.value.string_value = setting.string_value
        elif setting.HasField("int_value"):
            chosen.value.number_value = setting.int_value
        else:
            chosen.value.number_value = setting.float_value
    for measure in hparam.metricInfos:
        experiment.experiment.metric_infos.add().name.tag = measure.name
    for tag, content in (("experiment", experiment), ("session_start_info", session)):
        event = Event(wall_time=wall_time)
        summary = event.summary.value.add(tag=f"_hparams_/{tag}")
        plug_in = summary.metadata.plugin_data
        plug_in.plugin_name, plug_in.content = "hparams", serialize(content)
        yield event


# How a field of VisualDL's value becomes a summary. Runs are called by their folders.
KINDS: dict[str, Callable[[Any, Any], None]] = {
    "value": _scalar,
    "tag_value": _one_of_several,
    "image": _image,
    "audio": _audio,
    "text": _text,
    "histogram": _histogram,
    "pr_curve": _pr_curve,
}
LACKING = ("embeddings", "roc_curve")

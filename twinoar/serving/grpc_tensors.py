"""Inference requests and answers over gRPC: messages, with tensors in fields or as raw bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.formats.inference_protocol import CLASSES
from twinoar.serving.datatypes import BYTES, NAMES, decoded, dtype_of, encoded
from twinoar.serving.parameters import classified, options_of
from twinoar.serving.request import Arrays
from twinoar.serving.rest_tensors import Inference, Wanted, put, regions_or_refused
from twinoar.serving.shared_memory import Place, Regions, place_of
from twinoar.serving.status import invalid

FIELDS = {
    "BOOL": "bool_contents",
    "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
    "INT64": "int64_contents",
    "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents", "FP64": "fp64_contents",
    BYTES: "bytes_contents",
}  # fmt: skip
CHOICES = ("bool_param", "int64_param", "string_param", "double_param", "uint64_param")


def read_inference(
    message: Any, raw: Sequence[bytes | memoryview], regions: Regions | None = None
) -> Inference:
    """The request in a ModelInferRequest. Raises ServingError where it is not well formed.

    raw: its inputs' bytes. regions: of shared memory, where there may be any.
    """
    options = options_of(_parameters(message.parameters) if message.parameters else {})
    places = [_place(told, f"input {told.name!r}") for told in message.inputs]
    if raw and len(raw) != places.count(None):
        raise invalid(f"{places.count(None)} inputs come with {len(raw)} raw contents")
    inputs: Arrays = {}
    left = iter(raw)
    for told, place in zip(message.inputs, places, strict=True):
        if told.name in inputs:
            raise invalid(f"the input {told.name!r} comes twice")
        shape = list(told.shape)
        if len(shape) > 32 or min(shape, default=0) < 0 or max(shape, default=0) >= 1 << 48:
            raise invalid(f"the shape of {told.name!r} has sizes that are not to be had")
        if place is not None:
            data = regions_or_refused(regions).read(place, f"input {told.name!r}")
            inputs[told.name] = decoded(data, told.datatype, shape, told.name)
        elif raw:
            inputs[told.name] = decoded(next(left), told.datatype, shape, told.name)
        else:
            inputs[told.name] = _of_contents(told, shape)
    wanted = []
    for told in message.outputs:
        classes = _parameters(told.parameters).get("classification", 0)
        if type(classes) is not int or not 0 <= classes <= 1 << 20:
            raise invalid("classification is a whole number")
        place = _place(told, f"the output {told.name!r}")
        if place is not None:  # before the model runs for nothing
            regions_or_refused(regions).check(place, f"the output {told.name!r}")
        wanted.append(Wanted(told.name, True, classes, place))
    return Inference(options.request(inputs, message.id), wanted, True, regions)


def write_inference(inference: Inference, outputs: Arrays, name: str, version: int) -> Any:
    """The ModelInferResponse with the outputs, as raw bytes."""
    written = CLASSES["ModelInferResponse"](model_name=name, model_version=str(version))
    written.id = inference.request.id
    for one in inference.wanted or [Wanted(n, True) for n in outputs]:
        if one.name not in outputs:
            cure = near_names(one.name, outputs)
            raise invalid(f"the model has no output {one.name!r}", cure=cure)
        array = outputs[one.name]
        if one.classes:
            array = classified(array, one.classes)
        told = written.outputs.add(name=one.name, datatype=NAMES[array.dtype])
        told.shape.extend(array.shape)
        if one.place is not None:
            for key, value in put(encoded(array), one, inference.regions).items():
                field = "string_param" if isinstance(value, str) else "int64_param"
                setattr(told.parameters[key], field, value)
            continue
        written.raw_output_contents.append(encoded(array))
    return written


def _place(told: Any, what: str) -> Place | None:
    return place_of(_parameters(told.parameters), what) if told.parameters else None


def _of_contents(told: Any, shape: list[int]) -> np.ndarray:
    """The array in the field for its datatype."""
    dtype = dtype_of(told.datatype)
    field = FIELDS.get(told.datatype)
    if field is None:
        raise invalid(f"input {told.name!r} is {told.datatype}, which comes as raw contents only")
    elements = getattr(told.contents, field)
    if len(elements) != math.prod(shape):
        raise invalid(
            f"input {told.name!r} has {len(elements)} elements in {field}, its shape is {shape}"
        )
    try:
        return np.array(elements, dtype).reshape(shape)
    except OverflowError as error:
        raise invalid(f"input {told.name!r} is beyond {told.datatype}: {error}") from None


def _parameters(told: Mapping[str, Any]) -> dict[str, Any]:
    """The values of parameters, each of the one field that it has."""
    found = {}
    for name, parameter in told.items():
        choices = [c for c in CHOICES if parameter.HasField(c)]
        if choices:
            found[name] = getattr(parameter, choices[-1])
    return found

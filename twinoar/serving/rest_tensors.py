"""Inference requests and answers over HTTP: JSON, with tensors in it or as bytes behind it.

Source: https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import ServingError
from twinoar.serving import quick_json
from twinoar.serving.datatypes import BYTES, NAMES, decoded, dtype_of, encoded
from twinoar.serving.http import BINARY, Answer
from twinoar.serving.parameters import Options, classified, options_of
from twinoar.serving.request import Arrays, Request
from twinoar.serving.shared_memory import OFFSET, REGION, SIZE, Place, Regions, place_of
from twinoar.serving.status import invalid

HEADER_LENGTH = "inference-header-content-length"
KINDS = {"b": "b", "i": "iu", "u": "iu", "f": "iuf", "V": "iuf"}  # V: bfloat16 of ml_dtypes


@dataclass(frozen=True, slots=True)
class Wanted:
    """An output that is asked for.

    classes: as so many labels of the largest values, 0 for not. place: in shared memory, where it
    is to be put there.
    """

    name: str
    binary: bool
    classes: int = 0
    place: Place | None = None


@dataclass(slots=True)
class Inference:
    """A request as it came: what the scheduler gets, and how the answer is written.

    wanted: the outputs, all of them where it is empty. regions: of shared memory, with those that
    outputs are put into.
    """

    request: Request
    wanted: list[Wanted] = field(default_factory=list)
    binary: bool = False
    regions: Regions | None = None


def read_inference(
    body: bytes | memoryview, headers: Mapping[str, str], regions: Regions | None = None
) -> Inference:
    """The request in a body. Raises ServingError where it is not well formed.

    regions: of shared memory, where there may be any.
    """
    told, tail = _parts(body, headers.get(HEADER_LENGTH))
    options = options_of(_mapping(told.get("parameters", {}), "parameters"))
    inputs: Arrays = {}
    for one in _list(told.get("inputs"), "inputs"):
        name, array, tail = _input(_mapping(one, "an input"), tail, regions)
        if name in inputs:
            raise invalid(f"the input {name!r} comes twice")
        inputs[name] = array
    if len(tail):
        raise invalid(f"{len(tail)} bytes come after those of the last input")
    wanted = [
        _wanted(_mapping(o, "an output"), options, regions)
        for o in _list(told.get("outputs", []), "outputs")
    ]
    identity = told.get("id", "")
    if not isinstance(identity, str):
        raise invalid("the id is text")
    return Inference(options.request(inputs, identity), wanted, options.binary, regions)


def write_inference(inference: Inference, outputs: Arrays, name: str, version: int) -> Answer:
    """The answer with the outputs. Raises ServingError for an output that the model has not."""
    wanted = inference.wanted or [Wanted(n, inference.binary) for n in outputs]
    listed, tail, finite = [], [], True
    for one in wanted:
        if one.name not in outputs:
            raise invalid(
                f"the model has no output {one.name!r}", cure=near_names(one.name, outputs)
            )
        array = outputs[one.name]
        if one.classes:
            array = classified(array, one.classes)
        shown: dict[str, Any] = {
            "name": one.name, "datatype": NAMES[array.dtype], "shape": list(array.shape),
        }  # fmt: skip
        if one.place is not None:
            shown["parameters"] = put(encoded(array), one, inference.regions)
        elif one.binary:
            data = encoded(array)
            shown["parameters"] = {"binary_data_size": len(data)}
            tail.append(data)
        else:
            shown["data"] = _listed(array, one.name)
            finite = finite and _is_finite(array)
        listed.append(shown)
    whole: dict[str, Any] = {"model_name": name, "model_version": str(version)}
    if inference.request.id:
        whole["id"] = inference.request.id
    whole["outputs"] = listed
    head = quick_json.written(whole, finite=finite)
    if not tail:
        return Answer(200, [head])
    length = (HEADER_LENGTH.encode(), str(len(head)).encode())
    return Answer(200, [head, *tail], BINARY, [length])


def put(data: bytes, one: Wanted, regions: Regions | None) -> dict[str, Any]:
    """Put an output into shared memory; the parameters that say where. Raises ServingError."""
    place = one.place
    assert place is not None
    regions_or_refused(regions).write(place, data, f"the output {one.name!r}")
    return {REGION: place.region, OFFSET: place.offset, SIZE: len(data)}


def regions_or_refused(regions: Regions | None) -> Regions:
    """The regions. Raises ServingError where clients may not register any."""
    if regions is None:
        raise ServingError(
            "this server takes no tensors from shared memory",
            "FAILED_PRECONDITION",
            cure="start it with --allow-shared-memory=true, if all who reach it may read and write "
            "the machine's segments",
        )
    return regions


def parsed(data: bytes) -> Mapping[str, Any]:
    """A JSON object. Raises ServingError for anything else; nothing is an empty one.

    >>> parsed(b'{"id": "1"}')
    {'id': '1'}
    """
    if not data.strip():
        return {}
    try:
        found = quick_json.read(data)
    except (ValueError, RecursionError) as error:
        raise invalid(f"the request is no JSON: {str(error)[:200]}") from None
    return _mapping(found, "the request")


def _parts(
    body: bytes | memoryview, header_length: str | None
) -> tuple[Mapping[str, Any], memoryview]:
    """The JSON, and the bytes of tensors behind it."""
    length = len(body)
    if header_length is not None:
        if not header_length.isdecimal() or int(header_length) > len(body):
            raise invalid(
                f"{HEADER_LENGTH} is at most {len(body)} here, not {header_length[:40]!r}"
            )
        length = int(header_length)
    return parsed(bytes(body[:length])), memoryview(body)[length:]


def _input(
    told: Mapping[str, Any], tail: memoryview, regions: Regions | None
) -> tuple[str, np.ndarray, memoryview]:
    """The name, the array, and the bytes that belong to the inputs after it."""
    name, datatype, shape = told.get("name"), told.get("datatype"), told.get("shape")
    if not isinstance(name, str) or not isinstance(datatype, str):
        raise invalid("an input has a name and a datatype, which are text")
    sizes = _list(shape, f"the shape of {name!r}")
    if not all(type(n) is int and 0 <= n < 1 << 48 for n in sizes) or len(sizes) > 32:
        raise invalid(f"the shape of {name!r} has sizes that are not to be had")
    dtype_of(datatype)
    parameters = _mapping(told.get("parameters", {}), "parameters")
    place = place_of(parameters, f"input {name!r}") if parameters else None
    if place is not None:
        data = regions_or_refused(regions).read(place, f"input {name!r}")
        return name, decoded(data, datatype, sizes, name), tail
    size = parameters.get("binary_data_size")
    if size is None:
        return name, _of_list(told.get("data"), datatype, sizes, name), tail
    if type(size) is not int or not 0 <= size <= len(tail):
        raise invalid(f"binary_data_size of {name!r} is at most {len(tail)} here, not {size!r}")
    return name, decoded(tail[:size], datatype, sizes, name), tail[size:]


def _of_list(data: Any, datatype: str, shape: list[int], name: str) -> np.ndarray:
    """The array in nested lists, or in one list, of numbers, truth values or text."""
    listed = _list(data, f"the data of {name!r}")
    try:
        found = np.asarray(listed, object if datatype == BYTES else None)
    except (ValueError, OverflowError) as error:
        raise invalid(f"the data of {name!r} is no array: {error}") from None
    if found.size != math.prod(shape):
        raise invalid(f"the data of {name!r} has {found.size} elements, its shape is {shape}")
    if datatype == BYTES:
        if not all(isinstance(x, str) for x in found.reshape(-1)):
            raise invalid(f"the data of {name!r} is BYTES, so its elements are text")
        found = np.array(
            [x.encode(errors="surrogatepass") for x in found.reshape(-1)] or [], object
        )
        return found.reshape(shape)
    dtype = dtype_of(datatype)
    if found.size and found.dtype.kind not in KINDS[dtype.kind]:
        raise invalid(f"the data of {name!r} does not fit {datatype}")
    return _cast(found, dtype, datatype, name).reshape(shape)


def _cast(found: np.ndarray, dtype: np.dtype, datatype: str, name: str) -> np.ndarray:
    if dtype.kind in "iu" and found.size:
        limits = np.iinfo(dtype)
        if int(found.min()) < limits.min or int(found.max()) > limits.max:
            raise invalid(f"the data of {name!r} is beyond {datatype}")
    with np.errstate(over="ignore"):
        cast = found.astype(dtype)
    beyond = dtype.kind in "fV" and bool(np.isinf(cast).any())
    if beyond and bool((np.isinf(cast) & np.isfinite(found)).any()):
        raise invalid(f"the data of {name!r} is beyond {datatype}")
    return cast


def _listed(array: np.ndarray, name: str) -> list[Any]:
    """The elements as JSON has them."""
    if array.dtype != object:
        wide = array.astype("float32") if array.dtype.kind == "V" else array
        return wide.reshape(-1).tolist()
    try:
        return [x if isinstance(x, str) else x.decode() for x in array.reshape(-1)]
    except (UnicodeDecodeError, AttributeError):
        raise ServingError(
            f"the output {name!r} is no text", "INVALID_ARGUMENT", cure="ask for it as binary data"
        ) from None


def _is_finite(array: np.ndarray) -> bool:
    return array.dtype.kind not in "fV" or bool(np.isfinite(array).all())


def _wanted(told: Mapping[str, Any], options: Options, regions: Regions | None) -> Wanted:
    name, parameters = told.get("name"), _mapping(told.get("parameters", {}), "parameters")
    if not isinstance(name, str):
        raise invalid("an output has a name, which is text")
    classes, binary = (
        parameters.get("classification", 0),
        parameters.get("binary_data", options.binary),
    )
    if type(classes) is not int or not 0 <= classes <= 1 << 20 or not isinstance(binary, bool):
        raise invalid(f"the parameters of the output {name!r} do not have the right types")
    place = place_of(parameters, f"the output {name!r}") if parameters else None
    if place is not None:  # before the model runs for nothing
        regions_or_refused(regions).check(place, f"the output {name!r}")
    return Wanted(name, binary, classes, place)


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise invalid(f"{what} is a JSON object, received {type(value).__name__}")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise invalid(f"{what} is a list, received {type(value).__name__}")
    return value

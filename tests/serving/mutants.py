"""Requests that were good until something was changed in them: seeded, so that each comes again."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from twinoar.formats.inference_protocol import CLASSES

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1 << 31, 1 << 63, 1 << 70, 1e308, float("nan"), "", "x", "FP32",
    "BYTES", "\ud800", [], [[]], {}, {"name": "x"}, [None], [[1], [2, 3]], "0" * 100,
)  # fmt: skip
HEAD = "Inference-Header-Content-Length"
Mutant = tuple[bytes, dict[str, str]]


def good(generator: random.Random) -> tuple[dict[str, Any], bytes]:
    """A request that is served, and the bytes behind its JSON."""
    rows = generator.randint(1, 3)
    one: dict[str, Any] = {"name": "x", "datatype": "FP32", "shape": [rows, 4]}
    told: dict[str, Any] = {"id": "a", "inputs": [one], "parameters": {"priority": 0, "timeout": 0}}
    if generator.random() < 0.5:
        one["parameters"] = {"binary_data_size": rows * 16}
        return told, generator.randbytes(rows * 16)
    one["data"] = [generator.uniform(-1, 1) for _ in range(rows * 4)]
    return told, b""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in a value with each of its keys."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def mutants(seed: int, count: int) -> Iterator[Mutant]:
    """Bodies with their headers."""
    generator = random.Random(seed)
    for _ in range(count):
        told, tail = good(generator)
        for _ in range(generator.choice((0, 1, 1, 2))):
            change_value(told, generator)
        head = json.dumps(told).encode()
        length = len(head)
        if generator.random() < 0.1:
            length += generator.choice((-1, 1, 1000, -length))
        body = head + tail
        if generator.random() < 0.3:
            body = change_bytes(body, generator)
        headers = {HEAD: str(length)} if tail or generator.random() < 0.5 else {}
        yield body, headers


def grpc_mutants(seed: int, count: int) -> Iterator[bytes]:
    """Messages of ModelInfer."""
    generator = random.Random(seed)
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4]}
    for _ in range(count):
        asked = CLASSES["ModelInferRequest"](
            model_name="m",
            inputs=[one],
            raw_input_contents=[generator.randbytes(16)],
            parameters={"timeout": {"int64_param": 10_000_000}},
        )
        yield change_bytes(asked.SerializeToString(), generator)


def change_value(told: Any, generator: random.Random) -> None:
    """Change or take out one value of a request, anywhere in it."""
    container, key = generator.choice(list(places(told)))
    if generator.random() < 0.2:
        del container[key]
    else:
        container[key] = copy.deepcopy(generator.choice(VALUES))


def change_bytes(body: bytes, generator: random.Random) -> bytes:
    """Put in, take out or turn over some bytes."""
    changed = bytearray(body)
    for _ in range(generator.randint(1, 4)):
        at = generator.randrange(len(changed) + 1)
        kind = generator.randrange(4)
        if kind == 0:
            changed[at:at] = generator.randbytes(generator.randint(1, 8))
        elif kind == 1:
            del changed[at : at + generator.randint(1, 16)]
        elif kind == 2 and at < len(changed):
            changed[at] ^= 1 << generator.randrange(8)
        else:
            del changed[at:]
    return bytes(changed)

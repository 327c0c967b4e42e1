"""Sends so many damaged requests to a server in this process, and names what went wrong.

python -m tests.serving.hostile --seed 1000 --count 100000

A quarter each are requests for inference over HTTP and gRPC, for texts and their vectors, and for
tensors in shared memory, which is registered and forgotten between. Each is to be served, and then
rightly, or told what is wrong with it as the client's fault: nothing else is good. No sockets are
between, so that it is quick; `test_faults.py` sends some over real ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import grpc
import numpy as np

from tests.serving.language import saved
from tests.serving.models import scaling
from tests.serving.mutants import HEAD, Mutant, change_bytes, change_value, grpc_mutants, mutants
from tests.serving.test_embeddings import embedder, made
from twinoar.formats.inference_protocol import CLASSES
from twinoar.serving.completions import routes
from twinoar.serving.grpc_service import INFER, Service
from twinoar.serving.repository import Repository
from twinoar.serving.rest import RestApp
from twinoar.serving.shared_memory import Regions
from twinoar.serving.state import State

FINE_HTTP = {200, 400, 404, 413, 429, 504}  # 504: some ask for a timeout of 1 us
FINE_GRPC = {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"}
TEXTS = ({"model": "writer", "prompt": "ab", "max_tokens": 2, "temperature": 0, "stop": ["x"]},
         {"model": "writer", "messages": [{"role": "user", "content": "ab"}], "max_tokens": 2,
          "seed": 1, "top_p": 0.5, "n": 1, "stream": True, "stream_options": {}},
         {"model": "vectors", "input": ["ab", "c"], "encoding_format": "float"})  # fmt: skip
PATHS = ("/v1/completions", "/v1/chat/completions", "/v1/embeddings")
MEMORY = "/v2/systemsharedmemory/region/{}/register"
FINE_MEMORY = {200, 400, 404, 409, 413, 429}
SHOWN = 5


class Aborted(Exception):
    """What gRPC raises where a call is given up."""


class Context:
    """What gRPC tells of a call, and what it is told."""

    def __init__(self) -> None:
        self.status, self.details = "OK", ""

    def abort(self, status: Any, details: str) -> None:
        self.status, self.details = status.name, details
        raise Aborted

    def peer(self) -> str:
        return "here:1"

    def invocation_metadata(self) -> tuple:
        return ()

    def add_callback(self, _: Any) -> None:
        pass


async def asked(app: RestApp, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    """The status and the body of an answer, with the header that says where its JSON ends."""
    sent: list[Any] = []
    messages = [{"type": "http.request", "body": body}]
    gone = asyncio.Event()

    async def receive() -> Any:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    named = [(k.lower().encode(), v.encode()) for k, v in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "headers": named, "client": ("a", 1)}
    await app(scope, receive, send)
    told = dict(sent[0]["headers"])
    whole = b"".join(message.get("body", b"") for message in sent[1:])
    length = told.get(HEAD.lower().encode())
    return sent[0]["status"], (whole, None if length is None else int(length))


def wrong_infer(mutant: Mutant, status: int, answer: tuple[bytes, int | None]) -> str:
    """What is wrong with an answer of a model that doubles; nothing where it is good."""
    whole, length = answer
    if status not in FINE_HTTP:
        return f"status {status}: {whole[:200]!r}"
    if status != 200:
        return "" if json.loads(whole)["error"] else "no reason is given"
    body, headers = mutant
    at = int(headers.get(HEAD, len(body)))
    told = json.loads(body[:at])
    (one,) = told["inputs"]
    x = np.frombuffer(body[at:], "float32") if "data" not in one else np.ravel(one["data"])
    if one.get("parameters") and "binary_data_size" in one["parameters"]:
        x = np.frombuffer(body[at:], "float32")
    output = json.loads(whole[:length])["outputs"][0]
    if "data" not in output:
        y = np.frombuffer(whole[length:], "float32")
    elif output["datatype"] == "BYTES":  # as labels
        return ""
    else:
        y = np.array(output["data"], "float64")
    with np.errstate(all="ignore"):
        doubled = x.astype("float32") * np.float32(2)
    return "" if np.array_equal(y.astype("float32"), doubled, equal_nan=True) else "another answer"


def text_mutants(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Requests for texts that were good until something was changed in them."""
    generator = random.Random(seed)
    for _ in range(count):
        number = generator.randrange(len(TEXTS))
        told = json.loads(json.dumps(TEXTS[number]))
        for _ in range(generator.choice((1, 1, 2))):
            change_value(told, generator)
        body = json.dumps(told).encode()
        if generator.random() < 0.2:
            body = change_bytes(body, generator)
        yield PATHS[number], body


def wrong_text(status: int, whole: bytes) -> str:
    if status not in FINE_HTTP:
        return f"status {status}: {whole[:200]!r}"
    whole.decode()
    if status != 200:
        return "" if json.loads(whole)["error"]["message"] else "no reason is given"
    streams = whole.startswith(b"data: ")
    if not streams:
        told = json.loads(whole)
        good = bool(told["data"] if told["object"] == "list" else told["choices"])
    else:
        good = whole.endswith(b"data: [DONE]\n\n")
    return "" if good else f"not whole: {whole[-200:]!r}"


async def over_http(app: RestApp, seed: int, count: int, seen: Counter[str]) -> list[str]:
    """What went wrong over HTTP."""
    found = []
    for mutant in mutants(seed, count):
        status, answer = await asked(app, "/v2/models/m/infer", *mutant)
        seen[f"HTTP {status}"] += 1
        if wrong := wrong_infer(mutant, status, answer):
            found.append(f"{wrong}: {mutant}")
    for path, body in text_mutants(seed, count):
        status, (whole, _) = await asked(app, path, body, {})
        seen[f"text {status}"] += 1
        if wrong := wrong_text(status, whole):
            found.append(f"{wrong}: {path} {body!r}")
    return found


def memory_mutants(seed: int, count: int, key: str, output: str) -> Iterator[tuple[str, bytes]]:
    """Registrations and requests that were good until something was changed in them."""
    generator = random.Random(seed)
    x = np.arange(4, dtype="float32")
    for _ in range(count):
        if generator.random() < 0.3:
            told: Any = {"key": key, "offset": 0, "byte_size": 64}
            path = MEMORY.format(generator.choice(("region", "other")))
        else:
            places = [
                {"shared_memory_region": generator.choice(("region", "region", "other")),
                 "shared_memory_offset": at, "shared_memory_byte_size": x.nbytes}
                for at in (0, 32)
            ]  # fmt: skip
            given = {"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": places[0]}
            told = {"inputs": [given], "outputs": [{"name": output, "parameters": places[1]}]}
            path = "/v2/models/m/infer"
        if generator.random() < 0.8:
            change_value(told, generator)
        body = json.dumps(told).encode()
        yield path, change_bytes(body, generator) if generator.random() < 0.1 else body


async def over_memory(app: RestApp, seed: int, count: int, seen: Counter[str]) -> list[str]:
    """What went wrong with tensors in shared memory: the output is there, or nothing is changed."""
    segment = shared_memory.SharedMemory(create=True, size=64)
    found, x = [], np.arange(4, dtype="float32")
    (port,) = app.state.repository.model("m").config.output
    try:
        for path, body in memory_mutants(seed, count, segment.name, port.name):
            segment.buf[:] = x.tobytes() + bytes(48)
            before = bytes(segment.buf)
            status, (whole, _) = await asked(app, path, body, {})
            seen[f"memory {status}"] += 1
            after, infers = bytes(segment.buf), path.endswith("infer")
            if status != 200 and not json.loads(whole)["error"]:
                found.append(f"no reason is given: {path} {body!r}")
            if status not in FINE_MEMORY:
                found.append(f"status {status}: {whole[:200]!r}: {path} {body!r}")
            if (after[:16] != before[:16] and status != 200) or (not infers and after != before):
                found.append(f"the segment was changed: {path} {body!r}")
            if infers and status == 200:
                seen["read"] += 1
            if seen[f"memory {status}"] % 7 == 0:
                await asked(app, "/v2/systemsharedmemory/unregister", b"", {})
            if not infers and status == 200:
                seen["registered"] += 1
    finally:
        segment.close()
        segment.unlink()
    return found


def over_grpc(state: State, seed: int, count: int, seen: Counter[str]) -> list[str]:
    """What went wrong over gRPC."""
    call = Service(state, grpc).unary(INFER)
    found = []
    for data in grpc_mutants(seed, count):
        context, answer = Context(), b""
        try:
            answer = call(data, context)
        except Aborted:
            if not context.details:
                found.append(f"no reason is given: {data!r}")
        seen[f"gRPC {context.status}"] += 1
        if context.status not in FINE_GRPC:
            found.append(f"{context.status} {context.details}: {data!r}")
        elif answer:
            given = CLASSES["ModelInferRequest"].FromString(data)
            told = CLASSES["ModelInferResponse"].FromString(answer)
            x = np.frombuffer(b"".join(given.raw_input_contents), "float32")
            y = np.frombuffer(b"".join(told.raw_output_contents), "float32")
            with np.errstate(all="ignore"):
                same = np.array_equal(y, x * np.float32(2), equal_nan=True)
            if told.outputs[0].datatype == "FP32" and not same:
                found.append(f"another answer: {data!r}")
    return found


def run(seed: int, count: int) -> tuple[list[str], Counter[str]]:
    """What went wrong, and how many were answered how."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        scaling(Path(folder), "m", 2.0)
        saved(Path(folder))
        embedder(Path(folder), made("gpt2"))
        repository = Repository(folder)
        for name in repository.names():
            repository.load(name)
        state = State(repository, regions=Regions())
        part = max(count // 4, 1)
        found = over_grpc(state, seed, part, seen)
        app = RestApp(state, routes())
        found += asyncio.run(over_http(app, seed, part, seen))
        found += asyncio.run(over_memory(app, seed, part, seen))
        if repository.pending():
            found.append(f"{repository.pending()} requests are left")
        repository.close(10)
    return found, seen


def main() -> int:
    """Print what went wrong; 1 where something did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--count", type=int, default=3000)
    told = parser.parse_args()
    start = time.monotonic()
    found, seen = run(told.seed, told.count)
    for line in found[:SHOWN]:
        print(line)
    print(", ".join(f"{name}: {count}" for name, count in sorted(seen.items())))
    print(f"{sum(seen.values())} mutants in {time.monotonic() - start:.0f} s, {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

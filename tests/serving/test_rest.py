"""The protocol over HTTP: what it tells, inference in JSON and bytes, errors and limits."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.serving.live import LENGTH, Live, Reply, live
from tests.serving.models import python, scaling
from tests.threads import in_threads
from twinoar.serving.repository import Repository
from twinoar.serving.state import Limits, digest

ECHO = """max_batch_size: 0
input [{ name: "text" data_type: TYPE_STRING dims: [-1] }]
output [{ name: "text" data_type: TYPE_STRING dims: [-1] }]"""
SLOW = """
import time
def run(inputs):
    time.sleep(0.3)
    return {"text": inputs["text"]}
"""
BATCHED = """max_batch_size: 8
dynamic_batching { max_queue_delay_microseconds: 100000 priority_levels: 2
default_queue_policy { allow_timeout_override: true } }"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "double", 2.0)
    scaling(folder, "batched", 3.0, config=BATCHED)
    python(folder, "echo", "def run(inputs):\n    return inputs\n", ECHO)
    python(folder, "slow", SLOW, ECHO)
    return folder


def loaded(folder: Path) -> Repository:
    repository = Repository(folder, python=True)
    for name in repository.names():
        repository.load(name)
    return repository


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Live]:
    with live(loaded(folder), limits=Limits(body_bytes=1 << 16, read_seconds=0.5)) as found:
        yield found


def output(served: Live, model: str = "double") -> str:
    return served.call("GET", f"/v2/models/{model}").json["outputs"][0]["name"]


def test_health_and_metadata(served: Live) -> None:
    for path in ("/v2/health/live", "/v2/health/ready", "/v2/models/double/ready"):
        assert served.call("GET", path).status == 200
    assert served.call("GET", "/v2/models/double/versions/1/ready").status == 200
    assert served.call("GET", "/v2/models/double/versions/2/ready").status == 503
    assert served.call("GET", "/v2/models/other/ready").status == 503
    assert served.call("GET", "/v2").json["name"] == "twinoar"
    told = served.call("GET", "/v2/models/double/versions/1").json
    assert told["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}]
    assert told["versions"] == ["1"]
    config = served.call("GET", "/v2/models/batched/config").json
    assert config["dynamic_batching"]["max_queue_delay_microseconds"] == 100000


def test_inference_in_json(served: Live) -> None:
    reply = served.infer("double", 1, 2.5, id="seven")
    assert reply.status == 200
    assert reply.json == {
        "model_name": "double",
        "model_version": "1",
        "id": "seven",
        "outputs": [
            {
                "name": output(served),
                "datatype": "FP32",
                "shape": [2, 4],
                "data": [2.0] * 4 + [5.0] * 4,
            }
        ],
    }


@pytest.mark.parametrize("spaces", range(4))
def test_inference_in_bytes_at_any_address(served: Live, spaces: int) -> None:
    x = np.arange(8, dtype="<f4").reshape(2, 4)
    told = {
        "inputs": [
            {
                "name": "x",
                "datatype": "FP32",
                "shape": [2, 4],
                "parameters": {"binary_data_size": x.nbytes},
            }
        ],
        "parameters": {"binary_data_output": True},
    }
    head = json.dumps(told).encode() + b" " * spaces
    headers = {LENGTH: str(len(head))}
    reply = served.call("POST", "/v2/models/double/infer", head + x.tobytes(), headers)
    assert reply.status == 200
    length = int(reply.headers[LENGTH.lower()])
    found = np.frombuffer(reply.body[length:], "<f4").reshape(2, 4)
    np.testing.assert_array_equal(found, x * 2)
    assert reply.json["outputs"][0]["parameters"] == {"binary_data_size": 32}


def test_text_in_json_and_bytes(served: Live) -> None:
    one = {"name": "text", "datatype": "BYTES", "shape": [2], "data": ["ä", ""]}
    reply = served.call("POST", "/v2/models/echo/infer", {"inputs": [one]})
    assert reply.json["outputs"][0]["data"] == ["ä", ""]
    data = b"\x02\x00\x00\x00\xff\x00\x00\x00\x00\x00"
    one = {"name": "text", "datatype": "BYTES", "shape": [2]}
    one["parameters"] = {"binary_data_size": len(data)}
    head = json.dumps({"inputs": [one], "parameters": {"binary_data_output": True}}).encode()
    headers = {LENGTH: str(len(head))}
    reply = served.call("POST", "/v2/models/echo/infer", head + data, headers)
    assert reply.body[int(reply.headers[LENGTH.lower()]) :] == data
    head = json.dumps({"inputs": [one]}).encode()
    headers = {LENGTH: str(len(head))}
    reply = served.call("POST", "/v2/models/echo/infer", head + data, headers)
    assert (reply.status, "as binary data" in reply.json["error"]) == (400, True)


def test_outputs_are_those_asked_for_and_may_be_classes(served: Live) -> None:
    name = output(served)
    asked = [{"name": name, "parameters": {"classification": 2}}]
    told = served.infer("double", 1, outputs=asked).json["outputs"]
    assert told == [
        {
            "name": name,
            "datatype": "BYTES",
            "shape": [1, 2],
            "data": ["2.000000:0", "2.000000:1"],
        }
    ]
    reply = served.infer("double", 1, outputs=[{"name": "z"}])
    assert (reply.status, "no output 'z'" in reply.json["error"]) == (400, True)


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_bodies_may_be_compressed_both_ways(served: Live, encoding: str, pack: Any) -> None:
    one = {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}
    body = pack(json.dumps({"inputs": [one]}).encode())
    headers = {"Content-Encoding": encoding, "Accept-Encoding": encoding}
    reply = served.call("POST", "/v2/models/double/infer", body, headers)
    assert reply.headers["content-encoding"] == encoding
    unpacked = (gzip.decompress if encoding == "gzip" else zlib.decompress)(reply.body)
    assert json.loads(unpacked)["outputs"][0]["data"] == [2, 4, 6, 8]


def test_a_small_body_that_inflates_beyond_the_limit_is_refused(served: Live) -> None:
    body = gzip.compress(b" " * (1 << 24))
    reply = served.call("POST", "/v2/models/double/infer", body, {"Content-Encoding": "gzip"})
    assert reply.status == 413


GOOD = {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}
BAD: dict[str, Any] = {
    "no JSON": b"{",
    "JSON object": b"[]",
    "no JSON: maximum recursion": b"[" * 30000,
    "inputs is a list": {},
    "an input is a JSON object": {"inputs": [1]},
    "which are text": {"inputs": [{**GOOD, "name": 1}]},
    "no datatype 'FP31'": {"inputs": [{**GOOD, "datatype": "FP31"}]},
    "the shape of 'x' is a list": {"inputs": [{**GOOD, "shape": "1"}]},
    "sizes that are not to be had": {"inputs": [{**GOOD, "shape": [-1, 4]}]},
    "not to be had": {"inputs": [{**GOOD, "shape": [1 << 60, 1 << 60]}]},
    "4 elements": {"inputs": [{**GOOD, "shape": [2, 4]}]},
    "does not fit FP32": {"inputs": [{**GOOD, "data": ["1", "2", "3", "4"]}]},
    "is no array": {"inputs": [{**GOOD, "data": [[1], [2, 3], 4]}]},
    "beyond FP32": {"inputs": [{**GOOD, "data": [1e300, 0, 0, 0]}]},
    "beyond INT8": {"inputs": [{**GOOD, "datatype": "INT8", "data": [200, 0, 0, 0]}]},
    "x' is FP32, received INT32": {"inputs": [{**GOOD, "datatype": "INT32"}]},
    "has shape [-1, 4], received [4]": {"inputs": [{**GOOD, "shape": [4]}]},
    "1 to 8 rows, received 9": {"inputs": [{**GOOD, "shape": [9, 4], "data": [0] * 36}]},
    "no input 'z'": {"inputs": [GOOD, {**GOOD, "name": "z"}]},
    "comes twice": {"inputs": [GOOD, GOOD]},
    "input 'x' is missing": {"inputs": []},
    "priorities 1 to 1": {"inputs": [GOOD], "parameters": {"priority": 2}},
    "timeout is a whole number": {"inputs": [GOOD], "parameters": {"timeout": -1}},
    "sequence_id": {"inputs": [GOOD], "parameters": {"sequence_id": [1]}},
    "other than 0": {"inputs": [GOOD], "parameters": {"sequence_start": True}},
    "the id is text": {"inputs": [GOOD], "id": 1},
    "binary_data_size": {"inputs": [{**GOOD, "parameters": {"binary_data_size": 16}}]},
}


@pytest.mark.parametrize("reason", BAD)
def test_a_request_that_is_not_well_formed_is_told_what_is_wrong(served: Live, reason: str) -> None:
    reply = served.call("POST", "/v2/models/double/infer", BAD[reason])
    assert reply.status == 400
    assert reason in reply.json["error"]
    assert served.infer("double", 1).status == 200


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/", 404), ("GET", "/v2/nothing", 404), ("GET", "/v2/models/other", 404),
    ("GET", "/v2/models/double/nothing", 404), ("POST", "/v2/models/other/infer", 404),
    ("POST", "/v2/models/double/versions/9/infer", 404), ("GET", "/v2/models/double/infer", 405),
    ("POST", "/v2", 405), ("GET", "/v2/models/double/versions/x", 404),
    ("POST", "/v2/repository/models/double/load", 409),
    ("POST", "/v2/repository/models/double/unload", 409), ("GET", "/v2/models/..%2f..%2fetc", 404),
])  # fmt: skip
def test_each_wrong_call_has_its_code(served: Live, method: str, path: str, status: int) -> None:
    body = {"inputs": [GOOD]} if "infer" in path and method == "POST" else None
    reply = served.call(method, path, body)
    assert reply.status == status
    assert reply.json["error"]


@pytest.mark.parametrize("length", ["x", "-1", "99999", "\u00b2".encode().decode("latin-1")])
def test_a_wrong_length_of_the_header_is_refused(served: Live, length: str) -> None:
    body = json.dumps({"inputs": [GOOD]}).encode()
    reply = served.call("POST", "/v2/models/double/infer", body, {LENGTH: length})
    assert (reply.status, "inference-header" in reply.json["error"]) == (400, True)


def test_64_requests_at_once_run_as_at_most_16_batches(served: Live) -> None:
    before = served.call("GET", "/v2/models/batched/stats").json["model_stats"][0]
    replies: list[Reply] = []
    start = threading.Barrier(64)

    def client(value: int) -> None:
        start.wait()
        replies.append(reply := served.infer("batched", value))
        assert reply.json["outputs"][0]["data"] == [3.0 * value] * 4

    in_threads(partial(client, n) for n in range(64))
    assert [reply.status for reply in replies] == [200] * 64
    after = served.call("GET", "/v2/models/batched/stats").json["model_stats"][0]
    assert after["inference_count"] - before["inference_count"] == 64
    assert after["execution_count"] - before["execution_count"] <= 16


def test_a_timeout_is_kept_and_has_its_code(served: Live) -> None:
    reply = served.infer("batched", 1, parameters={"timeout": 1000, "priority": 1})
    assert reply.status == 504
    assert "longer than its timeout" in reply.json["error"]


def test_a_body_that_is_too_large_is_refused_before_it_is_read(served: Live) -> None:
    reply = served.call("POST", "/v2/models/double/infer", b" " * (1 << 17))
    assert (reply.status, "at most 65536 bytes" in reply.json["error"]) == (413, True)

    def parts() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 1000

    connection = http.client.HTTPConnection("127.0.0.1", served.server.bound["http"])
    headers = {"Transfer-Encoding": "chunked"}
    # The server may have answered and gone before all was sent.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        path = "/v2/models/double/infer"
        connection.request("POST", path, parts(), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    assert served.infer("double", 1).status == 200


def test_a_slow_client_is_let_go_while_others_are_served(served: Live) -> None:
    address = ("127.0.0.1", served.server.bound["http"])
    with socket.create_connection(address, timeout=10) as slow:
        slow.sendall(
            b"POST /v2/models/double/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
        )
        assert served.infer("double", 1).status == 200
        assert b"408" in slow.recv(1000)


@pytest.mark.parametrize("first", [b"", b"GET /v2 HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_a_client_that_never_ends_its_head_is_let_go(served: Live, first: bytes) -> None:
    address = ("127.0.0.1", served.server.bound["http"])
    with socket.create_connection(address, timeout=10) as slow:
        if first:
            slow.sendall(first)
            assert b"200 OK" in slow.recv(1000)
        for byte in b"GET /":
            slow.sendall(bytes([byte]))
        while slow.recv(1000):
            pass
    assert served.infer("double", 1).status == 200


def test_a_client_that_goes_takes_its_request_along(served: Live) -> None:
    one = {"name": "text", "datatype": "BYTES", "shape": [1], "data": ["a"]}
    body = json.dumps({"inputs": [one]}).encode()
    head = f"POST /v2/models/slow/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    sockets = []
    for _ in range(4):
        sockets.append(socket.create_connection(("127.0.0.1", served.server.bound["http"])))
        sockets[-1].sendall(head.encode() + body)
    time.sleep(0.2)
    for one_socket in sockets:
        one_socket.close()
    reply = served.call("POST", "/v2/models/slow/infer", body)
    assert reply.status == 200
    stats = served.server.state.repository.model("slow").statistics
    assert stats.failures["CANCELLED"] >= 2


def test_metrics_have_the_usual_names(served: Live) -> None:
    served.infer("double", 1)
    served.infer("double", 1, parameters={"priority": 7})
    connection = http.client.HTTPConnection("127.0.0.1", served.server.bound["metrics"])
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    labels = '{model="double",version="1"}'
    for name in ("request_success", "count", "exec_count", "queue_duration_us"):
        assert f"nv_inference_{name}{labels} " in text
    assert 'nv_inference_request_failure{model="slow",version="1",reason="CANCELED"}' in text
    assert "# TYPE nv_inference_pending_request_count gauge" in text
    connection.request("GET", "/other")
    assert connection.getresponse().status == 404


def test_keys_are_asked_for_but_not_by_probes(folder: Path) -> None:
    with live(loaded(folder), keys=frozenset([digest("secret")])) as served:
        assert served.call("GET", "/v2/health/ready").status == 200
        assert served.call("GET", "/v2").status == 401
        assert served.call("GET", "/v2", headers={"X-API-Key": "wrong"}).status == 401
        assert served.call("GET", "/v2", headers={"X-API-Key": "secret"}).status == 200
        assert served.call("GET", "/v2", headers={"Authorization": "Bearer secret"}).status == 200


def test_a_client_that_asks_too_often_is_told_so(folder: Path) -> None:
    with live(loaded(folder), limits=Limits(rate=3)) as served:
        replies = [served.call("GET", "/v2") for _ in range(6)]
        assert [reply.status for reply in replies[:3]] == [200] * 3
        assert replies[-1].status == 429
        assert replies[-1].headers["retry-after"] == "1"
        time.sleep(0.5)
        assert served.call("GET", "/v2").status == 200


def test_models_are_loaded_and_unloaded_by_clients_where_that_is_allowed(folder: Path) -> None:
    with live(Repository(folder, python=True), explicit=True) as served:
        assert served.infer("double", 1).status == 404
        assert served.call("POST", "/v2/repository/models/double/load").status == 200
        assert served.infer("double", 1).status == 200
        index = served.call("POST", "/v2/repository/index", {"ready": True}).json
        assert index == [{"name": "double", "version": "1", "state": "READY"}]
        config = json.dumps({"max_batch_size": 2, "dynamic_batching": {}})
        body = {"parameters": {"config": config}}
        assert served.call("POST", "/v2/repository/models/double/load", body).status == 200
        assert served.call("GET", "/v2/models/double/config").json["max_batch_size"] == 2
        for bad, status in (({"config": "{"}, 400), ({"file:1/x": ""}, 501), ({"config": 1}, 400)):
            body = {"parameters": bad}
            assert served.call("POST", "/v2/repository/models/double/load", body).status == status
        assert served.infer("double", 1).status == 200
        assert served.call("POST", "/v2/repository/models/nothing/load").status == 404
        assert served.call("POST", "/v2/repository/models/double/unload").status == 200
        assert served.infer("double", 1).status == 404


def test_no_answer_is_held_back_on_a_connection_that_stays(served: Live) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.bound["http"])
    body = json.dumps({"inputs": [GOOD]}).encode()
    took = []
    for _ in range(20):
        start = time.monotonic()
        connection.request("POST", "/v2/models/double/infer", body)
        assert connection.getresponse().read()
        took.append(time.monotonic() - start)
    assert min(took) < 0.03  # Nagle's algorithm with a delayed acknowledgment takes 0.04

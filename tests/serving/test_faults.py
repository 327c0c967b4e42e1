"""Damaged requests by the thousand: each has its answer, and the service stays up."""

from __future__ import annotations

import http.client
import json
import socket
import struct
from collections import Counter
from collections.abc import Iterator

import grpc
import pytest

from tests.serving import hostile
from tests.serving.live import Live, live
from tests.serving.models import scaling
from tests.serving.mutants import grpc_mutants, mutants
from twinoar.formats.inference_protocol import SERVICE
from twinoar.serving.repository import Repository

SEED, COUNT = 16, 3000
PATH = "/v2/models/m/infer"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("models")
    scaling(folder, "m", 2.0)
    repository = Repository(folder)
    repository.load("m")
    with live(repository) as found:
        yield found


def test_each_mutant_of_a_request_is_served_or_told_what_is_wrong(served: Live) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.bound["http"], timeout=20)
    seen: Counter[int] = Counter()
    for body, headers in mutants(SEED, COUNT):
        connection.request("POST", PATH, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        seen[answer.status] += 1
        if answer.status != 200:
            assert json.loads(data)["error"], (body, headers)
    assert {200, 400} <= set(seen) <= {200, 400, 504}, seen  # 504: some ask for a timeout of 1 us
    assert min(seen[200], seen[400]) > COUNT // 20
    reply = served.infer("m", 21)
    assert reply.json["outputs"][0]["data"] == [42] * 4


def test_each_mutant_of_a_message_is_served_or_told_what_is_wrong(served: Live) -> None:
    call = grpc.insecure_channel(served.grpc).unary_unary(f"/{SERVICE}/ModelInfer")
    seen: Counter[str] = Counter()
    for data in grpc_mutants(SEED, COUNT // 3):
        try:
            call(data, timeout=20)
            seen["OK"] += 1
        except grpc.RpcError as error:
            seen[error.code().name] += 1
            assert error.details()
    assert set(seen) <= {"OK", "INVALID_ARGUMENT", "NOT_FOUND"}, seen
    assert seen["INVALID_ARGUMENT"] > 0


def test_mutants_of_all_requests_are_served_rightly_or_told_what_is_wrong() -> None:
    found, seen = hostile.run(7, 600)
    assert found == []
    assert {"HTTP 200", "HTTP 400", "gRPC OK", "text 200", "text 400"} <= set(seen)


def test_the_check_of_mutants_finds_a_wrong_answer_and_a_fault_of_the_server() -> None:
    x = {"name": "x", "datatype": "FP32", "shape": [1, 2], "data": [1, 2]}
    mutant = json.dumps({"inputs": [x]}).encode(), {}
    for data, wrong in (([2, 4], ""), ([2, 5], "another answer")):
        output = {"outputs": [{"datatype": "FP32", "data": data}]}
        assert hostile.wrong_infer(mutant, 200, (json.dumps(output).encode(), None)) == wrong
    assert "status 500" in hostile.wrong_infer(mutant, 500, (b"{}", None))
    assert hostile.wrong_text(200, b"data: {}") != ""


@pytest.mark.parametrize("data", [
    b"\x00\xff\n\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
    b"POST /v2 HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    b"POST " + PATH.encode() + b" HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
])  # fmt: skip
def test_what_is_no_http_is_let_go(served: Live, data: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.server.bound["http"]), timeout=5) as wild:
        wild.sendall(data)
        wild.shutdown(socket.SHUT_WR)
        wild.recv(1000)
    assert served.infer("m", 1).status == 200


def test_connections_that_are_reset_midway_harm_nobody(served: Live) -> None:
    for count in range(100):
        wild = socket.create_connection(("127.0.0.1", served.server.bound["http"]), timeout=5)
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n".encode()
        wild.sendall((head + b"{" * 400)[: 7 * count])
        wild.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        wild.close()
    assert served.infer("m", 1).status == 200
    assert served.server.state.repository.pending() == 0


def test_hundreds_of_idle_connections_leave_room(served: Live) -> None:
    address = ("127.0.0.1", served.server.bound["http"])
    idle = [socket.create_connection(address, timeout=5) for _ in range(500)]
    try:
        assert served.infer("m", 1).status == 200
    finally:
        for one in idle:
            one.close()

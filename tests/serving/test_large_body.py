"""Bodies that are received where they are used: whole, in any pieces, and no other request's."""

from __future__ import annotations

import gzip
import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.serving.live import LENGTH, PATIENCE_SECONDS, Live, live, wait_until
from tests.serving.models import saved, scaling
from twinoar import nn
from twinoar.serving import large_body
from twinoar.serving.http import Limits
from twinoar.serving.large_body import ALIGNMENT, LEAST, Body
from twinoar.serving.repository import Repository

WIDTH = 40_000  # of a row: 160 kB, more than the socket gives at once


class Doubled(nn.Layer):
    def forward(self, x: Any) -> Any:
        return x * 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("models")
    saved(folder, "wide", Doubled(), shape=(None, WIDTH))
    scaling(folder, "m", 2.0)
    repository = Repository(folder)
    for name in repository.names():
        repository.load(name)
    with live(repository, limits=Limits(read_seconds=2.0, body_bytes=1 << 22)) as served:
        yield served


def request_of(x: np.ndarray, more: str = "") -> tuple[bytes, bytes]:
    """The head and the body of a request; an id makes its JSON as long as one likes."""
    told = {
        "id": more,
        "inputs": [{
            "name": "x", "datatype": "FP32", "shape": list(x.shape),
            "parameters": {"binary_data_size": x.nbytes},
        }],
        "parameters": {"binary_data_output": True},
    }  # fmt: skip
    text = json.dumps(told).encode()
    size = len(text) + x.nbytes
    head = f"POST /v2/models/wide/infer HTTP/1.1\r\nHost: x\r\n{LENGTH}: {len(text)}\r\n"
    return f"{head}Content-Length: {size}\r\n\r\n".encode(), text + x.tobytes()


def rows(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((1, WIDTH), "float32")


def connected(server: Live) -> socket.socket:
    address = ("127.0.0.1", server.server.bound["http"])
    return socket.create_connection(address, PATIENCE_SECONDS)


def answered(connection: socket.socket) -> tuple[int, bytes]:
    """The status and the body of the next answer."""
    seen = b""
    while b"\r\n\r\n" not in seen:
        part = connection.recv(1)
        assert part, seen
        seen += part
    size = int(seen.lower().split(b"\r\ncontent-length: ")[1].split(b"\r\n")[0])
    body = b""
    while len(body) < size:
        part = connection.recv(size - len(body))
        assert part
        body += part
    return int(seen.split()[1]), body


def is_doubled(body: bytes, x: np.ndarray) -> bool:
    return body.endswith((x * 2).tobytes())


@pytest.mark.parametrize("length", range(4))
def test_tensors_are_read_wherever_the_text_in_front_of_them_ends(
    server: Live, length: int
) -> None:
    with connected(server) as connection:
        for seed in range(3):
            x = rows(seed)
            connection.sendall(b"".join(request_of(x, "x" * length)))
            status, body = answered(connection)
            assert (status, is_doubled(body, x)) == (200, True)


@pytest.mark.parametrize("at", [0, 1, 500, LEAST, -1])
def test_bodies_come_in_any_pieces(server: Live, at: int) -> None:
    x = rows(at + 1)
    head, body = request_of(x)
    with connected(server) as connection:
        for part in (head + body[:at], body[at:]) if at else (head, body):
            connection.sendall(part)
            time.sleep(0.05)
        status, found = answered(connection)
        assert (status, is_doubled(found, x)) == (200, True)
        connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert answered(connection) == (200, b'{"live": true}')


def test_requests_that_come_one_behind_the_other_keep_their_own_bodies(server: Live) -> None:
    many = [rows(seed) for seed in range(4)]
    given = {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}
    small = json.dumps({"inputs": [given]})
    other = f"POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(small)}\r\n\r\n"
    behind = (other + small).encode()
    with connected(server) as connection:
        connection.sendall(b"".join(b"".join(request_of(x)) + behind for x in many))
        for x in many:
            status, body = answered(connection)
            assert (status, is_doubled(body, x)) == (200, True)
            assert b"[2.0,4.0,6.0,8.0]" in answered(connection)[1].replace(b" ", b"")


def test_a_body_that_does_not_come_is_not_waited_for(server: Live) -> None:
    head, body = request_of(rows(0))
    with connected(server) as connection:
        connection.sendall(head + body[: LEAST // 2])
        status, _ = answered(connection)
        assert status == 408
    assert server.infer("m", 1.0).status == 200


def test_clients_that_go_in_the_middle_are_forgotten(server: Live) -> None:
    head, body = request_of(rows(0))
    for end in (0, 100, len(body) - 1):
        with connected(server) as connection:
            connection.sendall(head + body[:end])
    wait_until(lambda: server.infer("m", 1.0).status == 200)
    assert server.server.state.repository.pending() == 0


def test_what_is_refused_before_its_body_came_leaves_the_connection_in_order(
    server: Live,
) -> None:
    head, body = request_of(rows(0))
    with connected(server) as connection:
        connection.sendall(head.replace(b"/v2/models/wide/infer", b"/nothing/here"))
        assert answered(connection)[0] == 404
        connection.sendall(body)
        connection.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert answered(connection)[0] == 200


def test_a_client_may_wait_until_it_is_told_to_go_on(server: Live) -> None:
    x = rows(1)
    head, body = request_of(x)
    with connected(server) as connection:
        connection.sendall(head.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        status, found = answered(connection)
        assert (status, is_doubled(found, x)) == (200, True)


def test_compressed_bodies_and_large_texts_are_read_too(server: Live) -> None:
    x = rows(2)
    told = {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, WIDTH],
                        "data": x.reshape(-1).tolist()}]}  # fmt: skip
    text = json.dumps(told).encode()
    for body, headers in ((text, {}), (gzip.compress(text), {"Content-Encoding": "gzip"})):
        assert len(body) > LEAST
        answer = server.call("POST", "/v2/models/wide/infer", body, headers)
        assert np.array_equal(np.array(answer.json["outputs"][0]["data"], "float32"), x[0] * 2)


@pytest.mark.parametrize("head", [0, 1, 63, 64, 1000])
def test_tensors_begin_where_kernels_like_it(head: int) -> None:
    body = Body(100_000, head)
    assert (np.frombuffer(body.view, np.uint8).ctypes.data + head) % ALIGNMENT == 0
    assert len(body.view) == 100_000


@pytest.mark.parametrize(("headers", "there"), [
    ({b"content-length": b"65536"}, True),
    ({b"content-length": b"65535"}, False),
    ({b"content-length": b"16777217"}, False),
    ({b"content-length": b"99999", b"transfer-encoding": b"chunked"}, False),
    ({}, False),
    ({b"content-length": b"99999", b"inference-header-content-length": b"9" * 20}, True),
])  # fmt: skip
def test_only_bodies_of_a_known_and_large_size_are_received_so(
    headers: dict[bytes, bytes], there: bool
) -> None:
    assert (large_body._body_of(list(headers.items())) is not None) == there

"""A server in this process, at ports of its own, and the smallest client of HTTP."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from twinoar.serving.repository import Repository
from twinoar.serving.server import Ports, Server
from twinoar.serving.state import State

PATIENCE_SECONDS = 30
LENGTH = "Inference-Header-Content-Length"


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        length = self.headers.get(LENGTH.lower())
        return json.loads(self.body[: int(length)] if length else self.body)


class Live(NamedTuple):
    server: Server
    result: list[bool]

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Reply:
        """One request on a connection of its own; what is no bytes is sent as JSON."""
        port = self.server.bound["http"]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, sent, headers or {})
            answer = connection.getresponse()
            told = {k.lower(): v for k, v in answer.getheaders()}
            return Reply(answer.status, told, answer.read())
        finally:
            connection.close()

    def infer(self, model: str, *values: float, **more: Any) -> Reply:
        """Ask a model of `scaling` for a row for each value, in JSON."""
        told = {
            "inputs": [
                {
                    "name": "x",
                    "datatype": "FP32",
                    "shape": [len(values), 4],
                    "data": [[v] * 4 for v in values],
                }
            ]
        }
        return self.call("POST", f"/v2/models/{model}/infer", {**told, **more})

    @property
    def grpc(self) -> str:
        return f"127.0.0.1:{self.server.bound['grpc']}"


@contextmanager
def live(repository: Repository, **options: Any) -> Iterator[Live]:
    """Serve a repository, whose models are loaded by then; it is closed at the end."""
    of_state = ("limits", "keys", "explicit", "strict_readiness", "tracing", "regions")
    state = State(repository, **{k: options.pop(k) for k in of_state if k in options})
    server = Server(state, options.pop("ports", Ports(http=0, grpc=0, metrics=0)), **options)
    result: list[bool] = []
    thread = threading.Thread(target=lambda: result.append(server.run()), daemon=True)
    thread.start()
    assert server.started.wait(PATIENCE_SECONDS)
    try:
        yield Live(server, result)
    finally:
        server.stop()
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once it holds, which must not take long."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)

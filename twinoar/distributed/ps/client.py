"""A worker's connection to one server: calls with a deadline, and what happens when it restarts.

A server that has died and was started again answers as another incarnation. Then the connection is
made anew, and what was not answered, or not confirmed by a later answer, is sent once more.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from twinoar.distributed.ps.members import HOST
from twinoar.distributed.ps.messages import (
    EMPTY,
    Arrays,
    guard,
    key_for,
    packed,
    split_endpoint,
    unpacked,
    zmq,
)
from twinoar.errors import DistributedError

BEAT_SECONDS = 0.5  # between signs of life
HELLO_SECONDS = 1.0  # after which hello is said once more
LOOK_MILLISECONDS = 100
GRACE_SECONDS = 5.0  # after the server's own deadline, which names who is missing


class Link:
    """The connection of a worker to one server. about: what `hello` says of this worker.

    What it does is for one thread at a time; signs of life are given by another.
    """

    def __init__(self, endpoint: str, index: int, about: Mapping[str, Any], timeout_seconds: float):
        self.endpoint, self.index, self.about = endpoint, index, dict(about)
        self._timeout = timeout_seconds
        self._context = zmq.Context.instance()
        self._address, self._secret = f"tcp://{endpoint}", key_for(split_endpoint(endpoint)[0])
        self._sequence = 0
        self._outstanding: dict[int, tuple[dict[str, Any], Any]] = {}
        self._unconfirmed: dict[int, tuple[dict[str, Any], Any]] = {}  # pushes by step
        self._answers: dict[int, tuple[dict[str, Any], Arrays]] = {}
        self.incarnation = 0  # that this worker has said hello to
        self.restarts = 0
        self.confirmed = self.step = self.version = 0
        self._seen = 0  # the incarnation that answers signs of life
        self._heard = time.monotonic()
        self._left: list[int] = []
        self._closing = threading.Event()
        self._socket = self._connected()
        self._beats = threading.Thread(target=self._beat, daemon=True)
        self._beats.start()

    def _connected(self) -> Any:
        found = self._context.socket(zmq.DEALER)
        found.linger = 0
        guard(found, self._secret, is_server=False)
        found.connect(self._address)
        return found

    def greet(self) -> None:
        """Say hello. Raises DistributedError where the server is not there, or of another job."""
        self._hello(time.monotonic() + self._timeout)

    # Calls.

    def start(self, call: str, arrays: Mapping[str, np.ndarray] = EMPTY, **header: Any) -> int:
        """Send a request; returns its number."""
        self._sequence += 1
        whole = {**header, "call": call, "worker": self.about["worker"], "sequence": self._sequence}
        self._outstanding[self._sequence] = whole, arrays
        if call == "push":
            self._unconfirmed[header["step"]] = whole, arrays
            self.step = header["step"]
        self._socket.send_multipart(packed(whole, arrays), copy=False)
        return self._sequence

    def wait(self, number: int) -> tuple[dict[str, Any], Arrays]:
        """The answer to a request. Raises DistributedError for an error, or none in time."""
        end = time.monotonic() + self._timeout + GRACE_SECONDS
        while number not in self._answers:
            if self._seen and self._seen != self.incarnation:
                self._join_again(end)
            elif self._socket.poll(LOOK_MILLISECONDS):
                self._receive(end)
            elif time.monotonic() > end:
                raise self._silence()
        header, arrays = self._answers.pop(number)
        if "error" in header:
            raise DistributedError(header["error"], cure=header.get("cure"))
        if header.get("after") is not None:
            self._confirm(header["after"])
        return header, arrays

    def ask(self, call: str, arrays: Mapping[str, np.ndarray] = EMPTY, **header: Any) -> Any:
        """`start` and `wait`."""
        return self.wait(self.start(call, arrays, **header))

    def pending(self) -> int:
        """How many requests are not answered yet."""
        return len(self._outstanding)

    def _receive(self, end: float) -> None:
        header, arrays = unpacked(self._socket.recv_multipart(copy=False))
        if header.get("again"):
            self._join_again(end)
            return
        sent = self._outstanding.pop(header.get("sequence", 0), None)
        if sent is None:
            if "error" in header and "sequence" not in header:
                raise DistributedError(f"server {self.index}: {header['error']}")
            return  # the second answer to what was sent twice
        self._answers[header["sequence"]] = {**header, "after": sent[0].get("after")}, arrays

    def _confirm(self, version: int) -> None:
        """All steps up to this one are taken there."""
        self.confirmed = max(self.confirmed, version)
        self._unconfirmed = {s: m for s, m in self._unconfirmed.items() if s > version}

    # Meeting, and meeting again.

    def _hello(self, end: float) -> None:
        """Say hello until it is answered: who has heard it may have died since."""
        said = 0.0
        while time.monotonic() < end:
            if time.monotonic() - said > HELLO_SECONDS:
                self._socket.send_multipart(packed(self._greeting()), copy=False)
                said = time.monotonic()
            if not self._socket.poll(LOOK_MILLISECONDS):
                continue
            header, _ = unpacked(self._socket.recv_multipart(copy=False))
            if header.get("sequence") != 0:
                continue  # of before
            if "error" in header:
                raise DistributedError(header["error"], cure=header.get("cure"))
            self.incarnation = self._seen = header["incarnation"]
            self.version = int(header["version"])
            return
        raise self._silence()

    def _greeting(self) -> dict[str, Any]:
        return {
            **self.about,
            "call": "hello",
            "server": self.index,
            "process": os.getpid(),
            "host": HOST,
            "confirmed": self.confirmed,
            "left": self._left,
            "sequence": 0,
        }

    def _join_again(self, end: float) -> None:
        """Connect anew to a server that was started again, and send what it does not know."""
        self._socket.close()  # with what waits in it for the server that is gone
        self._socket = self._connected()
        self._hello(end)
        self.restarts += 1
        again = {m[0]["sequence"]: m for m in self._unconfirmed.values()} | self._outstanding
        for number in sorted(again):
            self._outstanding[number] = again[number]
            self._socket.send_multipart(packed(*again[number]), copy=False)

    def _silence(self) -> DistributedError:
        ago = time.monotonic() - self._heard
        return DistributedError(
            f"server {self.index} at {self.endpoint} has not answered worker "
            f"{self.about['worker']} within {self._timeout:.0f} s; its last sign of life is "
            f"{ago:.1f} s old",
            cure="see what that server wrote last; TWINOAR_SERVER_TIMEOUT sets the time, "
            "TWINOAR_SERVER_KEY has to be equal in all processes",
        )

    def _beat(self) -> None:
        """Give signs of life, and learn from the answers which incarnation is there."""
        socket = self._connected()
        header = {"call": "beat", "worker": self.about["worker"], "sequence": 0}
        try:
            while not self._closing.is_set():
                if self.incarnation:
                    socket.send_multipart(packed({**header, "step": self.step}))
                self._closing.wait(BEAT_SECONDS)
                while socket.poll(0):
                    answer, _ = unpacked(socket.recv_multipart(copy=False))
                    self._heard, self._seen = time.monotonic(), answer["incarnation"]
                    self._left = answer.get("left", self._left)
        finally:
            socket.close()

    def close(self) -> None:
        """Part, without a goodbye."""
        self._closing.set()
        self._beats.join()
        self._socket.close()


def ask_all(links: list[Link], call: str, header: Callable[[int], Mapping[str, Any]]) -> list[Any]:
    """The headers of the answers of all servers to what `header` says for each."""
    numbers = [link.start(call, **header(n)) for n, link in enumerate(links)]
    return [link.wait(number)[0] for link, number in zip(links, numbers, strict=True)]

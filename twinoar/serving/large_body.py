"""Bodies of requests that go from the socket to where they are used, without a copy between.

uvicorn gives a body in pieces of 64 KiB, each of which has been copied four times by then, and more
time goes by between them. A body whose length is known is instead received into an array of that
length, which begins so that the bytes of the first tensor lie at a place that kernels like.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import numpy as np

from twinoar.serving.rest_tensors import HEADER_LENGTH

LEAST, MOST = 1 << 16, 1 << 24  # bytes: of others the pieces are few, or the array would be large
ALIGNMENT = 64
SCOPE_KEY = "large_body"  # where an application finds the Body of a request


class Body:
    """A body that is received. size: of it. head: how many of its bytes are not tensors."""

    def __init__(self, size: int, head: int = 0):
        whole = np.empty(size + ALIGNMENT, np.uint8)  # whose pages are there once they are written
        start = -(whole.ctypes.data + head) % ALIGNMENT
        self.view, self.filled = whole[start : start + size].data, 0

    def is_whole(self) -> bool:
        """Whether all has come."""
        return self.filled == len(self.view)

    def put(self, part: bytes) -> None:
        """Take what came with the head of the request."""
        self.view[self.filled : self.filled + len(part)] = part
        self.filled += len(part)


class Receiver(asyncio.BufferedProtocol):
    """Receives the rest of a body, and then lets the protocol of HTTP go on."""

    def __init__(self, http: Any, body: Body):
        self._http, self._body = http, body

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes go: not beyond the body, behind which another request may be."""
        return self._body.view[self._body.filled :]

    def buffer_updated(self, nbytes: int) -> None:
        """So many have come."""
        self._body.filled += nbytes
        if self._body.is_whole():
            self._http.go_on()

    def eof_received(self) -> bool | None:
        """The client sends no more."""
        found: bool | None = self._http.eof_received()
        return found

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._http.connection_lost(exc)

    def pause_writing(self) -> None:
        """The client reads slowly."""
        self._http.pause_writing()

    def resume_writing(self) -> None:
        """The client has read."""
        self._http.resume_writing()


def protocol() -> Any:
    """The protocol of HTTP for uvicorn: a class, or "auto" for uvicorn's own without httptools."""
    try:
        httptools = import_module("httptools")
        base = import_module("uvicorn.protocols.http.httptools_impl").HttpToolsProtocol
    except ImportError:
        return "auto"

    class Protocol(base):  # type: ignore[misc, valid-type]
        """uvicorn's, with a Body in the scope of a request that has a large one."""

        large: Body | None = None

        def on_headers_complete(self) -> None:
            """Begin the request."""
            before = self.cycle
            super().on_headers_complete()
            # One that waits behind another has its body kept by uvicorn until it is its turn.
            alone = before is None or before.response_complete
            if self.cycle is not before and alone:
                self.large = self.scope[SCOPE_KEY] = _body_of(self.scope["headers"])

        def on_body(self, body: bytes) -> None:
            """What of the body came with the head, or between requests."""
            if self.large is None:
                super().on_body(body)
            else:
                self.large.put(body)

        def on_message_complete(self) -> None:
            """All of the request is there."""
            self.large = None
            super().on_message_complete()

        def data_received(self, data: bytes) -> None:
            """Bytes have come; those of a large body that are still to come go elsewhere."""
            super().data_received(data)
            if self.large is not None and not self.transport.is_closing():
                self.transport.set_protocol(Receiver(self, self.large))

        def go_on(self) -> None:
            """The body is whole. The parser, which has not seen it, is at its end too."""
            self.transport.set_protocol(self)
            self.parser = httptools.HttpRequestParser(self)
            self.large = None
            self.cycle.more_body = False
            self.cycle.message_event.set()

    return Protocol


def _body_of(headers: list[tuple[bytes, bytes]]) -> Body | None:
    """Where the body of a request is received, None for what uvicorn keeps."""
    told = dict(headers)
    length, head = told.get(b"content-length", b""), told.get(HEADER_LENGTH.encode(), b"0")
    if not length.isdigit() or b"transfer-encoding" in told:
        return None
    size = int(length)
    if not LEAST <= size <= MOST:
        return None
    return Body(size, int(head) if head.isdigit() and len(head) < 9 else 0)

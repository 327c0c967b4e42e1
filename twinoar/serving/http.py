"""HTTP for ASGI, as little of it as a protocol of JSON and bytes needs: bodies in, answers out."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from twinoar.errors import ServingError
from twinoar.serving.state import Limits
from twinoar.serving.status import invalid, status_of, told

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON, BINARY, TEXT = b"application/json", b"application/octet-stream", b"text/plain; version=0.0.4"
EVENTS = b"text/event-stream"
GZIP, DEFLATE = 31, 15  # zlib's window sizes for the two
WINDOWS = {"gzip": GZIP, "deflate": DEFLATE}


class Disconnected(Exception):
    """The client has gone, so nobody waits for an answer."""


@dataclass(slots=True)
class Answer:
    """What is sent back. body: the parts of it, in order; stream: parts that are still to come."""

    status: int
    body: list[bytes]
    content_type: bytes = JSON
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    stream: AsyncIterator[bytes] | None = None

    @classmethod
    def of_json(cls, value: object, status: int = 200) -> Answer:
        """An answer in JSON."""
        return cls(status, [json.dumps(value).encode()])

    @classmethod
    def of_error(cls, error: BaseException) -> Answer:
        """An answer that says what was wrong."""
        status = status_of(error).http
        answer = cls.of_json({"error": told(error)}, status)
        if status in (429, 503):
            answer.headers.append((b"retry-after", b"1"))
        if status == 401:
            answer.headers.append((b"www-authenticate", b"Bearer"))
        return answer


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers by name in lower case; of those that come twice, the last."""
    return {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}


async def read_body(
    headers: dict[str, str], receive: Receive, limits: Limits, large: memoryview | None = None
) -> bytes | memoryview:
    """The body, decompressed. Raises ServingError where it is too large, slow or damaged.

    large: where the body is once all of it is there, if the host receives it elsewhere.
    """
    declared = headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > limits.body_bytes:
        raise too_large(limits)
    try:
        async with asyncio.timeout(limits.read_seconds):
            body: bytes | memoryview = await _received(receive, limits)
    except TimeoutError:
        raise ServingError(
            f"the body did not come within {limits.read_seconds:g} s", "CLIENT_TIMEOUT"
        ) from None
    if large is not None:
        body = large
    encoding = headers.get("content-encoding", "identity").strip().lower()
    return body if encoding in ("identity", "") else decompressed(body, encoding, limits)


async def _received(receive: Receive, limits: Limits) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        part = message.get("body", b"")
        size += len(part)
        if size > limits.body_bytes:
            raise too_large(limits)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def decompressed(body: bytes | memoryview, encoding: str, limits: Limits) -> bytes:
    """The contents of a compressed body. Raises ServingError where it is damaged or too large.

    >>> decompressed(zlib.compress(b"text"), "deflate", Limits())
    b'text'
    """
    window = WINDOWS.get(encoding)
    if window is None:
        raise invalid(f"bodies come as gzip or deflate, received {encoding!r}")
    inflating = zlib.decompressobj(window)
    try:
        found = inflating.decompress(body, limits.body_bytes + 1)
    except zlib.error as error:
        raise invalid(f"the body is no {encoding}: {error}") from None
    if len(found) > limits.body_bytes:
        raise too_large(limits)
    if not inflating.eof:
        raise invalid(f"the body ends before its {encoding} does")
    return found


def too_large(limits: Limits) -> ServingError:
    """The error for a body above the limit."""
    return ServingError(
        f"a request has at most {limits.body_bytes} bytes",
        "TOO_LARGE",
        cure="--max-body-bytes lets the server take larger ones",
    )


async def reply(answer: Answer, send: Send, accepted: str = "") -> None:
    """Send an answer, compressed where the client names gzip or deflate first."""
    if answer.stream is not None:
        await _send_parts(answer, answer.stream, send)
        return
    body = b"".join(answer.body)
    headers = [(b"content-type", answer.content_type), *answer.headers]
    encoding = accepted.partition(",")[0].strip().lower()
    if encoding in WINDOWS and answer.status == 200:
        deflating = zlib.compressobj(1, wbits=WINDOWS[encoding])
        body = deflating.compress(body) + deflating.flush()
        headers.append((b"content-encoding", encoding.encode()))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _send_parts(answer: Answer, parts: AsyncIterator[bytes], send: Send) -> None:
    """Send the parts as they come. The status waits for the first, which may be an error."""
    first = await anext(parts, b"")
    headers = [(b"content-type", answer.content_type), (b"cache-control", b"no-cache")]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": first, "more_body": True})
    async for part in parts:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})

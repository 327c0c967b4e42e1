"""What all protocols of one server share: models, limits, keys, and whether it takes requests."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from twinoar.errors import FileError, ServingError
from twinoar.serving.control import Control
from twinoar.serving.repository import Repository
from twinoar.serving.request import Arrays, Request
from twinoar.serving.shared_memory import Regions
from twinoar.serving.tracing import Tracing

EXTENSIONS = (
    "binary_tensor_data", "classification", "model_configuration", "model_repository",
    "parameters", "schedule_policy", "sequence", "statistics",
)  # fmt: skip
SHARED_MEMORY = "system_shared_memory"  # where it is allowed
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """body_bytes: the most that a request has. read_seconds: the time its body may take to come.

    rate: requests a second of each client, 0 for any; a second's worth may come at once.
    """

    body_bytes: int = 64 * MEGABYTE
    read_seconds: float = 30.0
    rate: float = 0.0


@dataclass
class State:
    """One server. keys: of which a client has to show one, where there are any.

    regions: of shared memory that clients may register, None where they may not. control: of what
    clients change, that of this process alone where none is given.
    """

    repository: Repository
    limits: Limits = field(default_factory=Limits)
    keys: frozenset[bytes] = frozenset()
    strict_readiness: bool = True
    drains: bool = False
    explicit: bool = False
    tracing: Tracing | None = None
    regions: Regions | None = None
    control: Control = None  # type: ignore[assignment]  # it is made below
    buckets: dict[str, tuple[float, float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.control is None:
            self.control = Control(self.repository, self.regions)

    def extensions(self) -> list[str]:
        """Those of the protocol that are served."""
        return sorted([*EXTENSIONS, *([SHARED_MEMORY] if self.regions is not None else [])])

    def is_ready(self) -> bool:
        """Whether requests are welcome: it does not shut down, and all models came up."""
        if self.drains:
            return False
        return not (self.strict_readiness and not self.explicit and self.repository.failures())

    def admit(self, authorization: str | None, key: str | None, client: str) -> None:
        """Let a client in. Raises ServingError for a wrong key, or for too many requests."""
        shown = key or (authorization or "").removeprefix("Bearer ").strip()
        # Keys are compared by their digests, so that the time it takes says nothing about them.
        if self.keys and digest(shown) not in self.keys:
            raise ServingError(
                "the API key is missing or wrong",
                "UNAUTHENTICATED",
                cure="send the header Authorization: Bearer KEY, or X-API-Key: KEY",
            )
        if self.limits.rate:
            self._count(shown if self.keys else client)

    def _count(self, client: str) -> None:
        """A bucket that fills by `rate` a second, and from which each request takes one."""
        rate, now = self.limits.rate, time.monotonic()
        with self.lock:
            if len(self.buckets) > 10_000:  # full ones say nothing: as many clients come and go
                full = [c for c, (n, at) in self.buckets.items() if n + (now - at) * rate >= rate]
                for name in full:
                    del self.buckets[name]
            left, at = self.buckets.get(client, (max(rate, 1.0), now))
            left = min(max(rate, 1.0), left + (now - at) * rate)
            self.buckets[client] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if left < 1:
            raise ServingError(
                f"more than {rate:g} requests a second", "RESOURCE_EXHAUSTED", cure="send fewer"
            )


def digest(key: str) -> bytes:
    """What is kept of an API key."""
    return hashlib.sha256(key.encode()).digest()


def read_keys(file: str | Path) -> frozenset[bytes]:
    """The keys in a file, one a line; lines with # in front are none. Raises FileError."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}") from error
    keys = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not keys:
        raise FileError(f"{file} has no API key", cure="write one on each line")
    return frozenset(map(digest, keys))


async def outcome(request: Request) -> Arrays:
    """The outputs of a request, awaited; one that is not awaited any more is cancelled."""
    loop = asyncio.get_running_loop()
    woken: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not woken.done():
            woken.set_result(None)

    def settled(_: Future[Arrays]) -> None:
        loop.call_soon_threadsafe(wake)

    request.future.add_done_callback(settled)
    try:
        await woken
    except asyncio.CancelledError:
        request.cancel()
        raise
    return request.future.result()

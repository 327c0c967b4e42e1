"""Ctrl-C while states are written: it waits until all of them are."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def delayed_interrupt() -> Iterator[None]:
    """Let Ctrl-C interrupt at the end of the block; a second one interrupts at once."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append((number, frame))
        signal.signal(signal.SIGINT, handler)

    note.is_delay = True  # type: ignore[attr-defined]  # what runs for long need not wait
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received:
            handler(*received[0])

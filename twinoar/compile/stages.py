"""How long the stages of a compilation took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """`seconds` by the name of a stage, in the order in which they began."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to that of the stage."""
        self.seconds.setdefault(name, 0.0)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - start

    def __str__(self) -> str:
        each = ", ".join(f"{name} {s * 1e3:.0f}" for name, s in self.seconds.items())
        return f"{sum(self.seconds.values()) * 1e3:.0f} ms: {each}"

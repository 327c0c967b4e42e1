"""What a model has done: counts and times, of requests and of each size of batch."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field

PARTS = ("compute_input", "compute_infer", "compute_output")
NANOSECONDS = 1e9


@dataclass(slots=True)
class Duration:
    """How often something happened, and how long it took in all."""

    count: int = 0
    seconds: float = 0.0

    def add(self, seconds: float, count: int = 1) -> None:
        """Count it `count` times, `seconds` each."""
        self.count += count
        self.seconds += seconds * count

    def plain(self) -> dict[str, int]:
        """In the protocol's form."""
        return {"count": self.count, "ns": int(self.seconds * NANOSECONDS)}


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a model: how many rows of how many requests, and the seconds of its parts."""

    rows: int
    requests: int
    seconds: tuple[float, float, float]


@dataclass
class Statistics:
    """The counts of one version of a model; any number of threads may add to them.

    Who settles a request holds `lock` until it is counted, so that who has an answer finds it here.
    """

    inference_count: int = 0
    execution_count: int = 0
    last_inference: float = 0.0
    success: Duration = field(default_factory=Duration)
    fail: Duration = field(default_factory=Duration)
    queue: Duration = field(default_factory=Duration)
    parts: dict[str, Duration] = field(default_factory=lambda: {p: Duration() for p in PARTS})
    batches: dict[int, dict[str, Duration]] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def executed(self, run: Execution) -> None:
        """A batch has been run."""
        with self.lock:
            self.execution_count += 1
            self.inference_count += run.rows
            self.last_inference = time.time()
            of_size = self.batches.setdefault(run.rows, {p: Duration() for p in PARTS})
            for part, seconds in zip(PARTS, run.seconds, strict=True):
                of_size[part].add(seconds)
                self.parts[part].add(seconds, run.requests)

    def succeeded(self, seconds: float, queued_seconds: float) -> None:
        """A request has its outputs, so long after it came."""
        with self.lock:
            self.success.add(seconds)
            self.queue.add(queued_seconds)

    def failed(self, seconds: float, status: str) -> None:
        """A request has an error."""
        with self.lock:
            self.fail.add(seconds)
            self.failures[status] += 1

    def plain(self) -> dict[str, object]:
        """In the protocol's form, without the model's name."""
        with self.lock:
            whole = {"success": self.success, "fail": self.fail, "queue": self.queue, **self.parts}
            return {
                "last_inference": int(self.last_inference * 1000),
                "inference_count": self.inference_count,
                "execution_count": self.execution_count,
                "inference_stats": {name: d.plain() for name, d in whole.items()},
                "batch_stats": [
                    {"batch_size": size, **{p: d.plain() for p, d in parts.items()}}
                    for size, parts in sorted(self.batches.items())
                ],
            }

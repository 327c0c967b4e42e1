"""The metrics in Prometheus' text, under the names that dashboards for Triton look for.

Source: https://github.com/triton-inference-server/server/blob/main/docs/user_guide/metrics.md
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from twinoar.serving.model import Served
from twinoar.serving.repository import Repository

MICROSECONDS = 1e6
STATUS_FILE = Path("/proc/self/statm")  # Linux alone has it
# gRPC's statuses as the reasons of failures that Triton tells apart.
REASONS = {
    "CANCELLED": "CANCELED",
    "RESOURCE_EXHAUSTED": "REJECTED",
    "DEADLINE_EXCEEDED": "REJECTED",
    "UNAVAILABLE": "REJECTED",
}


@dataclass(slots=True)
class Family:
    """A metric with its values by labels."""

    name: str
    about: str
    kind: str = "counter"
    values: list[tuple[dict[str, str], float]] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.about}"
        yield f"# TYPE {self.name} {self.kind}"
        for labels, value in self.values:
            shown = ",".join(f'{k}="{_escaped(v)}"' for k, v in labels.items())
            yield f"{self.name}{{{shown}}} {value:g}" if shown else f"{self.name} {value:g}"


FAMILIES = (
    ("request_success", "Number of successful inference requests, all batch sizes"),
    ("count", "Number of inferences performed"),
    ("exec_count", "Number of model executions performed"),
    ("request_duration_us", "Cumulative inference request duration in microseconds"),
    ("queue_duration_us", "Cumulative inference queuing duration in microseconds"),
    ("compute_input_duration_us", "Cumulative compute input duration in microseconds"),
    ("compute_infer_duration_us", "Cumulative compute inference duration in microseconds"),
    ("compute_output_duration_us", "Cumulative inference compute output duration in microseconds"),
)


def metrics_text(repository: Repository) -> str:
    """All metrics as they stand."""
    families = [
        *_of_models(list(repository.served())),
        Family("process_cpu_seconds_total", "CPU time of the server", values=[({}, _cpu())]),
        Family("process_resident_memory_bytes", "Memory of the server", "gauge", _memory()),
        Family("nv_time_seconds", "The clock of the server", "gauge", [({}, time.time())]),
    ]
    return "\n".join(line for family in families for line in family.lines()) + "\n"


def _of_models(models: Iterable[Served]) -> list[Family]:
    families = {name: Family(f"nv_inference_{name}", about) for name, about in FAMILIES}
    about = "Number of failed inference requests, by reason"
    failures = Family("nv_inference_request_failure", about)
    about = "Instantaneous number of pending requests awaiting execution"
    pending = Family("nv_inference_pending_request_count", about, "gauge")
    for model in models:
        labels = {"model": model.name, "version": str(model.version)}
        for name, value in _values(model).items():
            families[name].values.append((labels, value))
        reasons = dict.fromkeys(("OTHER", "BACKEND", "CANCELED", "REJECTED"), 0)
        for status, count in model.statistics.failures.items():
            own = "BACKEND" if status == "INTERNAL" else "OTHER"
            reasons[REASONS.get(status, own)] += count
        for reason, count in reasons.items():
            failures.values.append(({**labels, "reason": reason}, count))
        pending.values.append((labels, model.pending()))
    return [*families.values(), failures, pending]


def _values(model: Served) -> dict[str, float]:
    counts = model.statistics
    with counts.lock:
        whole = counts.success.seconds + counts.fail.seconds
        durations = {f"{p}_duration_us": d.seconds * MICROSECONDS for p, d in counts.parts.items()}
        return {
            "request_success": counts.success.count,
            "count": counts.inference_count,
            "exec_count": counts.execution_count,
            "request_duration_us": whole * MICROSECONDS,
            "queue_duration_us": counts.queue.seconds * MICROSECONDS,
            **durations,
        }


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _cpu() -> float:
    times = os.times()
    return times.user + times.system


def _memory() -> list[tuple[dict[str, str], float]]:
    if not STATUS_FILE.exists():
        return []
    pages = int(STATUS_FILE.read_text().split()[1])
    return [({}, pages * os.sysconf("SC_PAGE_SIZE"))]

"""What a step takes under a split of ranks: seconds, memory a rank, bytes that travel."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from twinoar.distributed.auto_parallel.network import Network, Speeds
from twinoar.distributed.auto_parallel.prices import MeasuredPrices
from twinoar.distributed.planning.division import DATA, Local, Split, divided_step
from twinoar.distributed.planning.pipeline import Stages, stages_of
from twinoar.distributed.planning.pricing import (
    Cost,
    Memory,
    costs_of,
    gradient_bytes,
    kept_for_backward,
    memory_of,
    state_bytes,
)
from twinoar.distributed.planning.step import Step

MIB = 1 << 20


@dataclass(frozen=True)
class Row:
    """A split and its price. seconds: of a step, the sum of the three that follow.

    compute: of the slowest rank. network: waiting for what travels. idle: in which a stage of a
    pipeline has nothing to do. travelled: bytes that leave a rank in a step.
    """

    split: Split
    seconds: float
    compute: float
    network: float
    idle: float
    memory: Memory
    travelled: float
    collectives: int

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        memory = {**asdict(self.memory), "total": self.memory.total}
        return {
            **asdict(self),
            "split": {**asdict(self.split), "ranks": self.split.ranks, "name": self.split.name},
            "memory": memory,
        }


class Pricer:
    """Prices splits of one step. scale: how much longer computing takes than at least.

    microbatches: of a pipeline. bucket_bytes: gradients that are summed together, 0 for each alone.
    """

    def __init__(
        self,
        step: Step,
        network: Network,
        speeds: Speeds,
        scale: float = 1.0,
        microbatches: int = 8,
        bucket_bytes: int = 0,
    ):
        self.step, self.network, self.speeds, self.scale = step, network, speeds, scale
        self.microbatches, self.bucket_bytes = microbatches, bucket_bytes
        self.prices = MeasuredPrices(
            Network(network.within, network.between, network.each, network.measured, speeds)
        )
        self._divided: dict[Split, tuple[Local, list[Cost]]] = {}

    def row(self, split: Split) -> Row:
        """The price of a split."""
        local, costs = self._of(split)
        if split.pipeline > 1:
            return self._piped(split, local, costs)
        compute = self.scale * sum(c.roofline for c in costs)
        waits = [self._wait(c, local, split, 1) for c in self._travelling(costs)]
        memory = memory_of(self.step, local, costs)
        travelled = sum(c.travel.sent(local) for c in costs if c.travel)
        network = sum(waits)
        return Row(split, compute + network, compute, network, 0.0, memory, travelled, len(waits))

    def roofline(self, split: Split) -> float:
        """The seconds that computing takes at least."""
        return sum(c.roofline for c in self._of(split)[1])

    def _of(self, split: Split) -> tuple[Local, list[Cost]]:
        flat = Split(split.data, split.tensor, 1, split.stage)
        if flat not in self._divided:
            local = divided_step(self.step, flat, self.prices)
            self._divided[flat] = local, costs_of(local, self.speeds)
        return self._divided[flat]

    def _travelling(self, costs: Sequence[Cost]) -> Iterator[Cost]:
        """Collectives; of gradients that are summed for their update, a bucket at a time."""
        filled, last = 0, None
        for c in costs:
            if c.travel is None:
                continue
            is_gradient = c.travel.kind == "all_reduce" and c.travel.axis == DATA
            if not (self.bucket_bytes and is_gradient and c.phase == "update"):
                yield c
                continue
            if last is not None and filled + c.travel.nbytes > self.bucket_bytes:
                yield last.of_bytes(filled)
                filled = 0
            filled, last = filled + c.travel.nbytes, c
        if last is not None and filled:
            yield last.of_bytes(filled)

    def _wait(self, c: Cost, local: Local, split: Split, often: int) -> float:
        assert c.travel is not None
        stride = split.tensor * split.pipeline if c.travel.axis == DATA else 1
        count = local.grid.shape[c.travel.axis]
        return often * self.network.seconds(c.travel.kind, c.travel.nbytes / often, count, stride)

    def _piped(self, split: Split, local: Local, costs: Sequence[Cost]) -> Row:
        """One forward, one backward: as long as the slowest stage, and once more for each other."""
        stages = stages_of(self.step, local, costs, split.pipeline)
        pieces = max(1, min(self.microbatches, self.step.batch // split.data))
        rows = [self._stage(k, split, local, costs, stages, pieces) for k in range(split.pipeline)]
        each = max(rows, key=lambda r: r.compute + r.waits)
        once = max(r.update + r.gradients for r in rows)
        seconds = (pieces + split.pipeline - 1) * (each.compute + each.waits) + once
        compute = pieces * each.compute + max(r.update for r in rows)
        network = pieces * each.waits + max(r.gradients for r in rows)
        memory = max((r.memory for r in rows), key=lambda m: m.total)
        travelled = max(r.travelled for r in rows)
        count = max(r.collectives for r in rows)
        idle = max(seconds - compute - network, 0.0)
        return Row(split, seconds, compute, network, idle, memory, travelled, count)

    def _stage(
        self,
        k: int,
        split: Split,
        local: Local,
        costs: Sequence[Cost],
        stages: Stages,
        pieces: int,
    ) -> _Stage:
        own = [c for c, at in zip(costs, stages.of_cost, strict=True) if at == k]
        compute = self.scale * sum(c.roofline for c in own if c.phase != "update") / pieces
        update = self.scale * sum(c.roofline for c in own if c.phase == "update")
        waits = gradients = 0.0
        moving = list(self._travelling(own))
        for c in moving:
            if c.travel is not None and c.travel.axis == DATA:
                gradients += self._wait(c, local, split, 1)
            else:
                waits += self._wait(c, local, split, pieces) / pieces
        crossing = [stages.crossing[n] for n in (k - 1, k) if 0 <= n < split.pipeline - 1]
        for nbytes in crossing:  # each way once: values forward, gradients back
            waits += self.network.seconds("send", nbytes / pieces, 2, split.tensor)
        sent = sum(c.travel.sent(local) for c in own if c.travel) + sum(crossing)
        memory = self._memory_of_stage(k, local, costs, stages, pieces)
        return _Stage(compute, update, waits, gradients, memory, sent, len(moving))

    def _memory_of_stage(
        self, k: int, local: Local, costs: Sequence[Cost], stages: Stages, pieces: int
    ) -> Memory:
        here = {s.name for s, at in stages.states.items() if at == k}
        kept = kept_for_backward(
            local, costs, {n for n, at in enumerate(stages.of_cost) if at == k}
        )
        flying = min(stages.count - k, pieces)
        return Memory(
            sum(state_bytes(local, p) for p in self.step.parameters if p.name in here),
            gradient_bytes(self.step, local, here),
            sum(state_bytes(local, s) for s in self.step.moments if s.name in here),
            math.ceil(kept / pieces) * flying,
        )


@dataclass(frozen=True)
class _Stage:
    """One stage: seconds of a micro-batch (compute, waits), and of the step (update, gradients)."""

    compute: float
    update: float
    waits: float
    gradients: float
    memory: Memory
    travelled: float
    collectives: int


def splits_of(
    ranks: int,
    batch: int,
    tensor: Sequence[int] = (1, 2, 4, 8),
    pipeline: Sequence[int] = (1, 2, 4, 8),
    stages: Sequence[int] = (0, 1, 3),
) -> list[Split]:
    """The splits of so many ranks that the batch allows.

    >>> [s.name for s in splits_of(2, 8)]
    ['data', 'sharded 1', 'sharded 3', 'tensor', 'pipeline']
    """
    found = []
    for p in pipeline:
        for t in tensor:
            if ranks % (t * p) or ranks // (t * p) > batch:
                continue
            data = ranks // (t * p)
            found += [Split(data, t, p, s) for s in (stages if data > 1 else (0,))]
    return found


def table(rows: Sequence[Row]) -> str:
    """Rows as text, in their order."""
    times = " ".join(f"{name:>10}" for name in ("ms", "compute", "network", "idle"))
    lines = [
        f"{'split':<28} {'data x tensor x pipeline':>24} {times} {'MiB a rank':>10} "
        f"{'parameters':>10} {'gradients':>9} {'optimizer':>9} {'activations':>11} {'MiB sent':>9}"
    ]
    for r in rows:
        shape = f"{r.split.data} x {r.split.tensor} x {r.split.pipeline}"
        times = " ".join(f"{x * 1e3:10.3f}" for x in (r.seconds, r.compute, r.network, r.idle))
        m = r.memory
        lines.append(
            f"{r.split.name:<28} {shape:>24} {times} {m.total / MIB:10.1f} "
            f"{m.parameters / MIB:10.1f} {m.gradients / MIB:9.1f} {m.optimizer / MIB:9.1f} "
            f"{m.activations / MIB:11.1f} {r.travelled / MIB:9.1f}"
        )
    return "\n".join(lines)

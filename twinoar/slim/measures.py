"""What a network costs and how good it is, as a table over the steps of a compression."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from twinoar import jit
from twinoar.nn import Layer
from twinoar.slim.modes import in_inference
from twinoar.slim.network import Network
from twinoar.slim.plan import examples

WARM, LONGEST, MOST = 2, 0.5, 50  # runs before, seconds and runs of measuring
HEADS = ("step", "parameters", "size MB", "packed MB", "MFLOPs", "ms", "score", "")


@dataclass(frozen=True, slots=True)
class Measures:
    """What a network is after one step.

    size: bytes of parameters and buffers; packed: the same, deflated, which is what zeros and
    shared values save. flops: multiplications of convolutions and linear layers. latency: seconds
    of a compiled call on inputs of the given shapes, the median. score: what `evaluate` returned,
    None without it. is_kept: False where the step lost too much and was taken back.
    """

    step: str
    parameters: int
    size: int
    packed: int
    flops: int
    latency: float
    score: float | None = None
    is_kept: bool = True


@dataclass
class Report:
    """The measures before a compression and after each step; as text a table."""

    rows: list[Measures] = field(default_factory=list)

    def to_list(self) -> list[dict[str, Any]]:
        """The rows as dicts, as for a file."""
        return [asdict(row) for row in self.rows]

    def __str__(self) -> str:
        table = [HEADS, *(_cells(row) for row in self.rows)]
        widths = [max(len(line[i]) for line in table) for i in range(len(HEADS))]
        lines = []
        for name, *cells in table:
            numbers = [cell.rjust(w) for cell, w in zip(cells, widths[1:], strict=True)]
            lines.append("  ".join([name.ljust(widths[0]), *numbers]).rstrip())
        return "\n".join(lines)


def measure(
    model: Layer,
    inputs: Any,
    evaluate: Callable[[Layer], float] | None = None,
    step: str = "given",
) -> Measures:
    """What a network is now. inputs: as of the pruners. evaluate: returns its score.

    >>> found = measure(twinoar.nn.Linear(4, 2), [1, 4])
    >>> found.parameters, found.size, found.flops
    (10, 40, 8)
    """
    network = Network(model, inputs)
    arrays = [x.numpy() for x in model.state_dict().values()]
    return Measures(
        step,
        sum(p.size for p in model.parameters()),
        sum(a.nbytes for a in arrays),
        sum(len(zlib.compress(np.ascontiguousarray(a).tobytes(), 6)) for a in arrays),
        network.flops(),
        _latency(model, network),
        None if evaluate is None else float(evaluate(model)),
    )


def _latency(model: Layer, network: Network) -> float:
    given = examples(network)
    with in_inference(model):
        run = jit.to_static(model.forward, input_spec=network.inputs)
        for _ in range(WARM):
            run(*given)
        times: list[float] = []
        while len(times) < 3 or (sum(times) < LONGEST and len(times) < MOST):
            start = time.perf_counter()
            run(*given)
            times.append(time.perf_counter() - start)
    return float(np.median(times))


def _cells(row: Measures) -> tuple[str, ...]:
    return (
        row.step,
        f"{row.parameters:,}",
        f"{row.size / 2**20:.3f}",
        f"{row.packed / 2**20:.3f}",
        f"{row.flops / 1e6:.2f}",
        f"{row.latency * 1e3:.3f}",
        "-" if row.score is None else f"{row.score:.4f}",
        "" if row.is_kept else "taken back",
    )

"""What training would cost on ranks that are not there: `plan` prices a step of a model.

The partitioner divides the step over shapes alone, for thousands of ranks as for two; the network's
model prices what travels, and the roofline of a rank, or a measured step, what is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinoar.distributed.auto_parallel.measuring import measure_network, own_speeds
from twinoar.distributed.auto_parallel.network import Link, Network, Speeds
from twinoar.distributed.planning.division import Split
from twinoar.distributed.planning.price import Pricer, Row, splits_of, table
from twinoar.distributed.planning.running import seconds_of_step
from twinoar.distributed.planning.step import Step, step_of
from twinoar.errors import ArgumentError


def plan(
    model: Any,
    ranks: int,
    network: Network | str,
    batch: int,
    inputs: Sequence[Any] = (),
    splits: Sequence[Split] | None = None,
    optimizer: Any = "adam",
    loss: Callable[..., Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    microbatches: int = 8,
    bucket_bytes: int = 0,
    speeds: Speeds | None = None,
    measured: bool = False,
    step_seconds: float | None = None,
) -> list[Row]:
    """Price a step of `model` on `ranks` ranks, split in all ways or in `splits`; fastest first.

    model, inputs, optimizer, loss, sizes: see `step_of`. network: a Network or its text. batch:
    samples of a step on all ranks together. bucket_bytes: gradients that are summed together, as
    DataParallel does with 25 MiB of them; 0 for each parameter alone, as on a mesh. Computing takes
    its roofline at `speeds`, by default those of the network's file, else of this machine; with
    `measured` as much longer as one rank's share of the batch takes here in one process, or
    `step_seconds`, if that was measured elsewhere. Raises ArgumentError, FileError.

    >>> from twinoar import nn, static
    >>> fast = Speeds(bytes=1e10, operations=1e11)
    >>> inputs = [static.InputSpec([None, 64], "float32")]
    >>> rows = plan(nn.Linear(64, 8), 4096, "1us,100GB/s", 8192, inputs, speeds=fast)
    >>> sorted({row.split.ranks for row in rows})
    [4096]
    """
    if ranks < 1:
        raise ArgumentError(f"expected at least one rank, received {ranks}")
    known = Network.parse(network) if isinstance(network, str) else network
    given = dict(inputs=inputs, optimizer=optimizer, loss=loss, sizes=sizes)
    step = step_of(model, batch=batch, **given)
    chosen = splits_of(ranks, batch) if splits is None else list(splits)
    _check(chosen, ranks, batch)
    rates = speeds or known.speeds or own_speeds()
    scale = 1.0
    if measured or step_seconds is not None:
        share = max(1, batch // ranks)
        alone = step if share == batch else step_of(model, batch=share, **given)
        seconds = seconds_of_step(alone) if step_seconds is None else step_seconds
        scale = seconds / Pricer(alone, known, rates).roofline(Split())
    pricer = Pricer(step, known, rates, scale, microbatches, bucket_bytes)
    return sorted((pricer.row(s) for s in chosen), key=lambda r: (r.seconds, r.split))


def _check(splits: Sequence[Split], ranks: int, batch: int) -> None:
    if not splits:
        raise ArgumentError(
            f"{ranks} ranks cannot share a batch of {batch} in any of the usual ways",
            cure="give a batch of at least a sixty-fourth of the ranks, or name splits",
        )
    for split in splits:
        if min(split.data, split.tensor, split.pipeline) < 1 or split.stage not in range(4):
            raise ArgumentError(f"no ranks can be split so: {split}")
        if split.ranks != ranks:
            raise ArgumentError(f"{split} has {split.ranks} ranks, expected {ranks}")
        if split.data > batch:
            raise ArgumentError(f"{split.data} ranks cannot share a batch of {batch}")


__all__ = [
    "Link", "Network", "Row", "Speeds", "Split", "Step", "measure_network", "own_speeds", "plan",
    "splits_of", "step_of", "table",
]  # fmt: skip

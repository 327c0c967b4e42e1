"""Several ways to compress a network, one after the other, with a report."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from twinoar.errors import ArgumentError
from twinoar.nn import Layer
from twinoar.slim.filter_pruner import FilterPruner, L1NormFilterPruner
from twinoar.slim.low_rank import factorize
from twinoar.slim.measures import Measures, Report, measure
from twinoar.slim.unstructured import UnstructuredPruner
from twinoar.slim.weight_sharing import share_weights

Evaluate = Callable[[Layer], float]
Tune = Callable[[Layer, Callable[[], None]], None]


class Keeper(Protocol):
    """What keeps a network compressed while it is trained on."""

    def step(self) -> None:
        """To be called after each step of the optimizer."""


class Step(Protocol):
    """One way to compress: changes a network, and returns what keeps it so, if anything must."""

    changes_shapes: bool

    def __call__(self, model: Layer, inputs: Any, evaluate: Evaluate | None) -> Keeper | None:
        """Compress `model` in place."""


@dataclass(frozen=True)
class PruneFilters:
    """Filters for a share of the multiplications.

    by_sensitivity: most where the score loses least, which takes nine evaluations for each weight;
    else an equal share everywhere.
    """

    flops: float = 0.5
    kind: type[FilterPruner] = field(default=L1NormFilterPruner, repr=False)
    by_sensitivity: bool = False
    changes_shapes = True

    def __call__(self, model: Layer, inputs: Any, evaluate: Evaluate | None) -> Keeper | None:
        """Prune `model`."""
        pruner = self.kind(model, inputs)
        if not self.by_sensitivity:
            pruner.prune_flops(self.flops)
            return None
        if evaluate is None:
            raise ArgumentError(
                "sensitivities are losses of a score", cure="pass evaluate= to compress"
            )
        pruner.sensitive(lambda: evaluate(model))
        pruner.sensitive_prune(self.flops)
        return None


@dataclass(frozen=True)
class LowRank:
    """`factorize` with these settings."""

    energy: float = 0.9
    rank: float | None = None
    changes_shapes = True

    def __call__(self, model: Layer, inputs: Any, evaluate: Evaluate | None) -> Keeper | None:
        """Divide layers of `model`."""
        factorize(model, self.energy, self.rank)
        return None


@dataclass(frozen=True)
class PruneWeights:
    """A share of single weights becomes 0."""

    ratio: float = 0.5
    changes_shapes = False

    def __call__(self, model: Layer, inputs: Any, evaluate: Evaluate | None) -> Keeper | None:
        """Set weights of `model` to 0."""
        pruner = UnstructuredPruner(model, "ratio", ratio=self.ratio)
        pruner.step()
        pruner.remove()
        return _Zeros(pruner)


@dataclass(frozen=True)
class ShareWeights:
    """`share_weights` with these settings."""

    clusters: int = 16
    changes_shapes = False

    def __call__(self, model: Layer, inputs: Any, evaluate: Evaluate | None) -> Keeper | None:
        """Give weights of `model` few values."""
        return share_weights(model, self.clusters)


class _Zeros:
    """Keeps at 0 what was chosen once."""

    def __init__(self, pruner: UnstructuredPruner):
        self._pruner = pruner

    def step(self) -> None:
        self._pruner.update_params()


def compress(
    model: Layer,
    inputs: Any,
    steps: Sequence[Step],
    evaluate: Evaluate | None = None,
    tune: Tune | None = None,
    max_loss: float | None = None,
) -> tuple[Layer, Report]:
    """A compressed copy of a network, and a report of size, FLOPs, latency and score.

    inputs: as of the pruners. steps: of PruneFilters, LowRank, PruneWeights, ShareWeights, those
    that change shapes first. evaluate: returns the score of a network, the greater the better.
    tune: trains a network a little, after each step; it gets the network, and a function to call
    after each step of its optimizer, which keeps zeros and shared values. max_loss: what the score
    may lose against the given network; a step after which it has lost more is taken back. Raises
    ArgumentError, and what steps raise; `model` itself never changes.

    >>> net = twinoar.vision.models.LeNet()
    >>> small, report = compress(net, [1, 1, 28, 28], [PruneFilters(0.5), ShareWeights(16)])
    >>> report.rows[-1].flops < 0.6 * report.rows[0].flops
    True
    """
    _check(steps, evaluate, max_loss)
    model, keepers = copy.deepcopy(model), list[Keeper]()
    report = Report([measure(model, inputs, evaluate)])
    for step in steps:
        before = copy.deepcopy((model, keepers))
        keeper = step(model, inputs, evaluate)
        if keeper is not None:
            keepers.append(keeper)
        if tune is not None:
            tune(model, _all(keepers))
            _all(keepers)()
        found = measure(model, inputs, evaluate, repr(step))
        lost = _loss(report.rows[0], found)
        if max_loss is not None and not lost <= max_loss:
            model, keepers = before
            found = replace(found, is_kept=False)
        report.rows.append(found)
    return model, report


def _check(steps: Sequence[Step], evaluate: Evaluate | None, max_loss: float | None) -> None:
    if max_loss is not None and evaluate is None:
        raise ArgumentError("max_loss is about the score", cure="pass evaluate=")
    shapes = [step.changes_shapes for step in steps]
    if shapes != sorted(shapes, reverse=True):
        raise ArgumentError(
            "a step that changes shapes comes after one whose zeros or values it would undo",
            cure="put PruneFilters and LowRank before PruneWeights and ShareWeights",
        )


def _all(keepers: Sequence[Keeper]) -> Callable[[], None]:
    def keep() -> None:
        for keeper in keepers:
            keeper.step()

    return keep


def _loss(first: Measures, found: Measures) -> float:
    return 0.0 if first.score is None or found.score is None else first.score - found.score

"""Filters that matter least are removed, and what depends on them: dense networks get smaller.

Sources: Li et al. 2016, arXiv 1608.08710 (norms, sensitivity); He et al. 2018, arXiv 1811.00250
(geometric median).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn import Layer
from twinoar.slim.importance import distances, least_of, lengths, mean_of_magnitudes
from twinoar.slim.network import Network, specs_of
from twinoar.slim.plan import PruningPlan
from twinoar.slim.sensitivity import RATIOS, Status, ratios_by_loss, rounded_ratios

FILTERS = 0  # the axis of filters in the weight of a convolution
WAYS = ("impretive", "imperative", "lazy", None)  # the first is how Paddle spells the second
PRUNED = {"conv": (4, 5), "fc": (2,)}  # by type: how many axes such weights have
STEPS = 20  # of bisection: a ratio is found to 1e-6, finer than whole filters


class Pruner:
    """What all pruners of filters share; make one of the classes that say which filters matter.

    model: a network. inputs: the shapes of its inputs, [N, ...] each or of the only one, InputSpecs
    or tensors. sen_file: sensitivities that `sensitive` has saved. opt: its optimizer, which
    forgets what it knew of removed channels. prune_type: "conv" or "fc", the weights that
    `sensitive` and `sensitive_prune` look at. input_dtype: of inputs that are given as shapes.
    Channels of the results are never removed, with skip_leaves or without.
    """

    def __init__(
        self,
        model: Layer,
        inputs: Any,
        sen_file: str | None = None,
        opt: Any = None,
        skip_leaves: bool = True,
        prune_type: str = "conv",
        input_dtype: str = "float32",
        num_head: int = -1,
    ):
        if prune_type not in PRUNED:
            raise UnknownNameError(f"prune_type must be 'conv' or 'fc', received {prune_type!r}")
        if num_head != -1:
            raise ArgumentError(
                f"heads of attention are not pruned, received num_head={num_head}",
                cure="leave num_head out: linear layers between attentions are pruned by channels",
            )
        self.model, self.opt, self.prune_type = model, opt, prune_type
        self.inputs = specs_of(inputs, input_dtype)
        self.plan: PruningPlan | None = None
        self._networks: dict[Any, Network] = {}
        self._status = Status(sen_file)

    @property
    def network(self) -> Network:
        """The network's channels as it is now."""
        tensors = (*self.model.parameters(), *self.model.buffers())
        shapes = tuple(tuple(x.shape) for x in tensors)
        if shapes not in self._networks:
            self._networks[shapes] = Network(self.model, self.inputs)
        return self._networks[shapes]

    @property
    def prunable(self) -> list[str]:
        """The names of weights that `sensitive` looks at: those of which filters can be removed."""
        network = self.network
        axis = self._axis()
        return [
            name
            for name, _ in dict(network.products).items()
            if len(network.tensors[name].shape) in PRUNED[self.prune_type]
            and network.is_free(name, axis)
        ]

    def importance(self, weight: np.ndarray) -> np.ndarray:
        """How much each of the first axis matters; classes below say so."""
        raise ArgumentError(
            f"{type(self).__name__} does not say which filters matter",
            cure="use L1NormFilterPruner, L2NormFilterPruner or FPGMFilterPruner",
        )

    def prune_var(
        self, var_name: str, pruned_axis: Any, pruned_ratio: float, apply: str | None = "impretive"
    ) -> PruningPlan:
        """Remove a share of the channels along one axis of a parameter, and what depends on them.

        apply: "imperative" or Paddle's "impretive", for good; "lazy" to write zeros in their
        places; None to only make the plan. Channels that go together count once, and one of them is
        always left. Raises UnknownNameError, ArgumentError; ProgramError as `PruningPlan.apply`.

        >>> net = twinoar.nn.Sequential(twinoar.nn.Conv2D(1, 8, 3), twinoar.nn.Conv2D(8, 2, 3))
        >>> pruner = L1NormFilterPruner(net, [1, 1, 8, 8])
        >>> plan = pruner.prune_var(net[0].weight.name, 0, 0.5)
        >>> net[0].weight.shape, net[1].weight.shape
        ([4, 1, 3, 3], [2, 4, 3, 3])
        """
        return self.prune_vars({var_name: pruned_ratio}, pruned_axis, apply)

    def prune_vars(
        self, ratios: Mapping[str, float], axis: Any, apply: str | None = "impretive"
    ) -> PruningPlan:
        """As `prune_var` for several parameters at once, by name.

        One whose channels go with those of an earlier one is not pruned once more.
        """
        if apply not in WAYS:
            raise UnknownNameError(f"apply must be one of {WAYS}, received {apply!r}")
        along = int(axis[0] if isinstance(axis, (list, tuple)) else axis)
        network = self.network
        removed = least_of(network, ratios, along, self.importance)
        plan = PruningPlan(network, removed)
        if apply is not None:
            plan.apply(self.model, lazy=apply == "lazy", opt=self.opt)
        self.plan = plan
        return plan

    def sensitive(
        self,
        eval_func: Callable[[], float] | None = None,
        sen_file: str | None = None,
        target_vars: Iterable[str] | None = None,
        skip_vars: Iterable[str] = (),
    ) -> dict[str, dict[float, float]]:
        """What the network loses when each weight alone is pruned: {name: {ratio: loss}}.

        eval_func: returns a score of `model`, the greater the better; losses are relative to that
        of the whole network. sen_file: where to keep what is found, and to go on from. Without
        both, what is known already. target_vars, skip_vars: the only names, and names to leave out.
        """
        if sen_file is not None:
            self._status.load_if_there(sen_file)
        if eval_func is None:
            return self._status.sensitivies
        whole = float(eval_func())
        for name in self._chosen(target_vars, skip_vars):
            known = self._status.sensitivies.setdefault(name, {})
            for ratio in (r for r in RATIOS if r not in known):
                plan = self.prune_var(name, self._axis(), ratio, apply="lazy")
                try:
                    known[ratio] = (whole - float(eval_func())) / (whole + 1e-3)
                finally:
                    plan.restore()
            if sen_file is not None:
                self._status.save(sen_file)
        return self._status.sensitivies

    def get_ratios_by_sensitivity(
        self,
        pruned_flops: float,
        align: int | None = None,
        dims: Any = FILTERS,
        skip_vars: Iterable[str] = (),
    ) -> tuple[dict[str, float], float]:
        """Ratios that save a share of the multiplications with equal losses, and what they save.

        align: a number of which counts of channels that are left are multiples. Raises
        ArgumentError without sensitivities, or for a share that is not between 0 and 1.
        """
        _check_share(pruned_flops)
        known = {k: v for k, v in self._status.sensitivies.items() if k not in set(skip_vars)}
        if not known:
            raise ArgumentError("no sensitivities are known", cure="call sensitive(eval_func)")
        axis = int(dims[0] if isinstance(dims, (list, tuple)) else dims)

        def ratios_of(loss: float) -> dict[str, float]:
            return self._aligned(ratios_by_loss(known, loss), axis, align)

        losses = [loss for found in known.values() for loss in found.values()]
        return self._search(ratios_of, min(*losses, 0.0), max(losses), pruned_flops, axis)

    def sensitive_prune(
        self, pruned_flops: float, skip_vars: Iterable[str] = (), align: int | None = None
    ) -> PruningPlan:
        """Remove filters for a share of the multiplications, most where it costs least.

        Uses what `sensitive` has found. What was pruned before by this pruner is taken back first.
        """
        self.restore()
        ratios, _ = self.get_ratios_by_sensitivity(pruned_flops, align, self._axis(), skip_vars)
        return self.prune_vars(ratios, self._axis())

    def prune_flops(
        self,
        pruned_flops: float,
        skip_vars: Iterable[str] = (),
        apply: str | None = "impretive",
        align: int | None = None,
    ) -> PruningPlan:
        """Remove an equal share of filters everywhere, so that so many multiplications are saved.

        pruned_flops: the share, between 0 and 1; the nearest is taken that whole filters give.
        align: a number of which counts of filters that are left are multiples, as those of vectors
        are: kernels for such counts are faster.

        >>> net = twinoar.vision.models.LeNet()
        >>> plan = L1NormFilterPruner(net, [1, 1, 28, 28]).prune_flops(0.5)
        >>> 0.4 < plan.pruned_flops < 0.6
        True
        """
        _check_share(pruned_flops)
        names = self._chosen(None, skip_vars)
        axis = self._axis()

        def ratios_of(ratio: float) -> dict[str, float]:
            return self._aligned(dict.fromkeys(names, ratio), axis, align)

        ratios, _ = self._search(ratios_of, 0.0, 1.0, pruned_flops, axis)
        return self.prune_vars(ratios, axis, apply)

    def restore(self) -> None:
        """Take back what this pruner has pruned last."""
        if self.plan is not None:
            self.plan.restore(self.model, self.opt)

    def _aligned(self, ratios: dict[str, float], axis: int, align: int | None) -> dict[str, float]:
        if align is None:
            return ratios
        if align < 1:
            raise ArgumentError(f"counts are multiples of a number from 1, received align={align}")
        sizes = {name: self.network.tensors[name].shape[axis] for name in ratios}
        return rounded_ratios(ratios, sizes, align)

    def _axis(self) -> int:
        return FILTERS if self.prune_type == "conv" else 1

    def _chosen(self, wanted: Iterable[str] | None, skipped: Iterable[str]) -> list[str]:
        allowed = self.prunable
        names = allowed if wanted is None else list(wanted)
        if unknown := sorted(set(names) - set(allowed)):
            raise UnknownNameError(
                f"filters of {', '.join(unknown)} can't be removed, those of {allowed} can"
            )
        left_out = set(skipped)
        return [name for name in names if name not in left_out]

    def _search(
        self,
        ratios_of: Callable[[float], dict[str, float]],
        low: float,
        high: float,
        wanted: float,
        axis: int,
    ) -> tuple[dict[str, float], float]:
        """The ratios that save nearest to what is wanted, of those for a number in a range."""
        best: tuple[dict[str, float], float] | None = None
        for _ in range(STEPS):
            middle = (low + high) / 2
            ratios = ratios_of(middle)
            saved = self.prune_vars(ratios, axis, apply=None).pruned_flops
            if best is None or abs(saved - wanted) < abs(best[1] - wanted):
                best = ratios, saved
            if saved < wanted:
                low = middle
            else:
                high = middle
        assert best is not None
        return best


class FilterPruner(Pruner):
    """What pruners of filters share, as Paddle names it."""


class L1NormFilterPruner(FilterPruner):
    """Filters with the least mean of absolute values go first.

    >>> net = twinoar.vision.models.LeNet()
    >>> pruner = L1NormFilterPruner(net, [1, 1, 28, 28])
    >>> first, second = pruner.prunable
    >>> plan = pruner.prune_vars({first: 0.5, second: 0.25}, axis=0)
    >>> [list(p.shape) for p in net.parameters()][:5:2]
    [[3, 1, 3, 3], [12, 3, 5, 5], [300, 120]]
    """

    def importance(self, weight: np.ndarray) -> np.ndarray:
        """The mean of absolute values of each filter."""
        return mean_of_magnitudes(weight)


class L2NormFilterPruner(FilterPruner):
    """Filters with the least sum of squares go first."""

    def importance(self, weight: np.ndarray) -> np.ndarray:
        """The root of the sum of squares of each filter."""
        return lengths(weight)


class FPGMFilterPruner(FilterPruner):
    """Filters nearest to all others go first: what they do, others do too."""

    def importance(self, weight: np.ndarray) -> np.ndarray:
        """The sum of the distances of each filter to the others."""
        return distances(weight)


def _check_share(share: float) -> None:
    if not 0 < share < 1:
        raise ArgumentError(f"pruned_flops is a share between 0 and 1, received {share}")

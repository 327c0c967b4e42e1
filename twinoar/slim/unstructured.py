"""Weights that matter least become 0, one by one or in blocks; shapes stay.

Source of the schedule: Zhu and Gupta 2017, arXiv 1710.01878.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.autograd import no_grad
from twinoar.core.interpreter import current
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim.plan import put
from twinoar.slim.sparsity import is_1x1, quantile, share_of_zeros, sizes_of

SkipFunction = Callable[[nn.Layer], Iterable[str]]
NORMS = (
    nn.BatchNorm, nn.BatchNorm1D, nn.BatchNorm2D, nn.BatchNorm3D, nn.SyncBatchNorm, nn.GroupNorm,
    nn.LayerNorm, nn.SpectralNorm, nn.InstanceNorm1D, nn.InstanceNorm2D, nn.InstanceNorm3D,
    nn.LocalResponseNorm,
)  # fmt: skip
KINDS = (None, "conv1x1_only")
CONFIGS = (
    "stable_iterations",
    "pruning_iterations",
    "tunning_iterations",
    "resume_iteration",
    "pruning_steps",
    "initial_ratio",
)
FEWEST_PER_STEP = 10  # iterations between two ratios: the network has to settle


class UnstructuredPruner:
    """Keeps the weights of a network at 0 that are small.

    mode: "ratio" to set a share of them to 0 at each step, "threshold" those below a size.
    prune_params_type: None for all weights but of norms and biases, "conv1x1_only" for those of
    convolutions of 1 x 1. skip_params_func: takes the network and returns the names of parameters
    and layers (`full_name()`) to leave alone, in place of that choice. local_sparsity: the share of
    each weight, not of all together. sparse_block: rows and columns of blocks that are kept or set
    to 0 as a whole. Call `step` after each step of the optimizer: it chooses anew. In between each
    call of the network sets to 0 what was chosen. Raises UnknownNameError and ArgumentError.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(8, 4))
    >>> pruner = UnstructuredPruner(net, mode="ratio", ratio=0.5)
    >>> pruner.step()
    >>> int((net[0].weight == 0).sum())
    16
    """

    def __init__(
        self,
        model: nn.Layer,
        mode: str,
        threshold: float = 0.01,
        ratio: float = 0.55,
        prune_params_type: str | None = None,
        skip_params_func: SkipFunction | None = None,
        local_sparsity: bool = False,
        sparse_block: Sequence[int] = (1, 1),
    ):
        check(mode, ratio, prune_params_type, local_sparsity, sparse_block)
        self.model, self.mode, self.threshold, self.ratio = model, mode, threshold, ratio
        self.local_sparsity, self.sparse_block = local_sparsity, tuple(sparse_block)
        self.thresholds: dict[str, float] = {}
        choose = skip_params_func or (_skip_1x1 if prune_params_type else _skip)
        self.skip_params = set(choose(model))
        self._pruned = dict(self._chosen(model))
        if not self._pruned:
            raise ArgumentError(
                "no weight is left to prune", cure="look at what skip_params_func returns"
            )
        self.masks = {n: to_tensor(np.ones(p.shape, "float32")) for n, p in self._pruned.items()}
        self._hook = model.register_forward_pre_hook(lambda layer, inputs: self.update_params())

    def step(self) -> None:
        """Choose by the weights as they are now, and set what is chosen to 0."""
        if self.mode == "ratio":
            self.update_threshold()
        self._update_masks()
        self.update_params()

    def update_threshold(self) -> None:
        """The size below which the share of weights lies."""
        sizes = {n: self._sizes(p) for n, p in self._pruned.items()}
        if self.local_sparsity:
            self.thresholds = {n: quantile(x, self.ratio) for n, x in sizes.items()}
        else:
            self.threshold = quantile(np.concatenate(list(sizes.values())), self.ratio)

    @no_grad()
    def update_params(self) -> None:
        """Set to 0 what is chosen, as after an optimizer's step or before saving."""
        for name, parameter in self._pruned.items():
            self.mask_parameters(parameter, self.masks[name])

    def mask_parameters(self, param: Any, mask: Any) -> None:
        """Set a weight to 0 where its mask is."""
        current().rebind(param, param * mask.astype(param.dtype))

    def remove(self) -> None:
        """Let calls of the network alone from now on; weights stay as they are."""
        self._hook.remove()

    def set_static_masks(self) -> None:
        """Choose what is 0 now, to train a sparse network on as it is."""
        for name, parameter in self._pruned.items():
            put(self.masks[name], (parameter.numpy() != 0).astype("float32"))

    def summarize_weights(self, model: nn.Layer, ratio: float = 0.1) -> float:
        """The size below which a share of the weights of `model` lies, to choose a threshold."""
        weights = [np.abs(p.numpy()).ravel() for _, p in self._chosen(model)]
        return quantile(np.concatenate(weights), ratio)

    @staticmethod
    def total_sparse(model: nn.Layer) -> float:
        """The share of zeros among all parameters of a network.

        >>> layer = twinoar.nn.Linear(3, 1)
        >>> UnstructuredPruner.total_sparse(layer)  # the bias
        0.25
        """
        return share_of_zeros(p.numpy() for _, x in _layers(model) for p in _own(x))

    @staticmethod
    def total_sparse_conv1x1(model: nn.Layer) -> float:
        """The share of zeros in weights of convolutions of 1 x 1; 0 where there are none."""
        weights = (p for _, layer in _layers(model) for p in _own(layer) if is_1x1(p))
        return share_of_zeros(p.numpy() for p in weights)

    def _chosen(self, model: nn.Layer) -> Iterator[tuple[str, Any]]:
        for _, layer in _layers(model):
            if layer.full_name() not in self.skip_params:
                yield from ((p.name, p) for p in _own(layer) if p.name not in self.skip_params)

    def _update_masks(self) -> None:
        for name, parameter in self._pruned.items():
            least = self.thresholds[name] if self.local_sparsity else self.threshold
            sizes = self._blocks(parameter.numpy())
            mask = sizes > least if self.mode == "ratio" else sizes >= least
            put(self.masks[name], mask.astype("float32"))

    def _sizes(self, parameter: Any) -> np.ndarray:
        return self._blocks(parameter.numpy()).ravel()

    def _blocks(self, weight: np.ndarray) -> np.ndarray:
        return sizes_of(weight, self.sparse_block)


class Gradual:
    """What lets the share of zeros of a pruner grow; it stands before the pruner's class."""

    ratio: float

    def _begin(self, ratio: float, configs: Mapping[str, float] | None) -> None:
        """Read the schedule. Raises ArgumentError."""
        lacking = [key for key in CONFIGS if key not in (configs or {})]
        if configs is None or lacking:
            raise ArgumentError(f"configs lacks {', '.join(lacking)}", cure="give them all")
        self.pruning_steps = int(configs["pruning_steps"])
        self.pruning_iterations = int(configs["pruning_iterations"])
        if self.pruning_iterations <= FEWEST_PER_STEP * self.pruning_steps:
            raise ArgumentError(
                f"{self.pruning_iterations} iterations are too few for {self.pruning_steps} steps",
                cure=f"prune for more than {FEWEST_PER_STEP} iterations at each ratio",
            )
        self.target_ratio, self.initial_ratio = ratio, float(configs["initial_ratio"])
        self.stable_iterations = int(configs["stable_iterations"])
        self.tunning_iterations = int(configs["tunning_iterations"])
        self.cur_iteration = max(int(configs["resume_iteration"]), 0)
        self.ratio = 0.0

    def step(self) -> None:
        """Go one iteration on; choose anew where the share has changed."""
        ratio = self.ratio_at(self.cur_iteration)
        self.cur_iteration += 1
        if ratio != self.ratio:
            self.ratio = ratio
            super().step()  # type: ignore[misc]  # of the pruner
        else:
            self.update_params()  # type: ignore[attr-defined]  # of the pruner

    def ratio_at(self, iteration: int) -> float:
        """The share of zeros from an iteration on."""
        period = self.pruning_iterations // self.pruning_steps
        step = (iteration - self.stable_iterations) // period
        if step < 0:
            return 0.0
        left = 1 - min(step / self.pruning_steps, 1.0)
        return self.target_ratio + (self.initial_ratio - self.target_ratio) * left**3


class GMPUnstructuredPruner(Gradual, UnstructuredPruner):
    """Sets more and more weights to 0: the share grows fast at first, then slowly.

    ratio: the share at the end. configs: how many iterations nothing is pruned
    (`stable_iterations`), the share grows (`pruning_iterations`, in `pruning_steps` steps from
    `initial_ratio`) and stays (`tunning_iterations`), and from which to go on (`resume_iteration`).
    The others are as for UnstructuredPruner.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(8, 8))
    >>> configs = dict(stable_iterations=0, pruning_iterations=100, tunning_iterations=0,
    ...                resume_iteration=0, pruning_steps=4, initial_ratio=0.0)
    >>> pruner = GMPUnstructuredPruner(net, ratio=0.5, configs=configs)
    >>> for _ in range(110): pruner.step()
    >>> round(float((net[0].weight == 0).astype("float32").mean()), 2)
    0.5
    """

    def __init__(
        self,
        model: nn.Layer,
        ratio: float = 0.55,
        prune_params_type: str | None = None,
        skip_params_func: SkipFunction | None = None,
        local_sparsity: bool = False,
        sparse_block: Sequence[int] = (1, 1),
        configs: Mapping[str, float] | None = None,
    ):
        super().__init__(
            model,
            "ratio",
            0.0,
            ratio,
            prune_params_type,
            skip_params_func,
            local_sparsity,
            sparse_block,
        )
        self._begin(ratio, configs)


def check(
    mode: str, ratio: float, kind: str | None, local: bool, block: Sequence[int]
) -> None:  # fmt: skip
    """Refuse settings that no pruner has. Raises UnknownNameError and ArgumentError."""
    if mode not in ("ratio", "threshold"):
        raise UnknownNameError(f"mode must be 'ratio' or 'threshold', received {mode!r}")
    if kind not in KINDS:
        raise UnknownNameError(f"prune_params_type must be one of {KINDS}, received {kind!r}")
    if not 0 <= ratio < 1:
        raise ArgumentError(f"ratio is a share from 0 to below 1, received {ratio}")
    if local and mode != "ratio":
        raise ArgumentError(
            "local_sparsity is a share of each weight", cure='use mode="ratio" with it'
        )
    if len(block) != 2 or any(not isinstance(n, int) or n < 1 for n in block):
        raise ArgumentError(f"sparse_block is two positive integers, received {block!r}")


def _layers(model: nn.Layer) -> Iterable[tuple[str, nn.Layer]]:
    return model.named_sublayers(include_self=True)


def _own(layer: nn.Layer) -> list[Any]:
    return layer.parameters(include_sublayers=False)


def _skip(model: nn.Layer) -> set[str]:
    found = {layer.full_name() for _, layer in _layers(model) if isinstance(layer, NORMS)}
    return found | {p.name for p in model.parameters() if len(p.shape) == 1}


def _skip_1x1(model: nn.Layer) -> set[str]:
    return _skip(model) | {p.name for p in model.parameters() if not is_1x1(p)}

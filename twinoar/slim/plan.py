"""What filter pruning removes: as masks, or for good."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.autograd import no_grad
from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.tree import flatten
from twinoar.core.values import Value
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ProgramError, TwinoarError
from twinoar.nn import Layer
from twinoar.optimizer import Optimizer
from twinoar.slim.attributes import fit_attributes
from twinoar.slim.modes import in_inference
from twinoar.slim.network import Network

CURE = (
    "the code of the network may hold a size that follows from the number of channels, as "
    "x.reshape([-1, 512]) and x[:, :64] do: take it from the shape of a tensor, or leave the "
    "parameters there out"
)


class PruningPlan:
    """Channels to remove from a network, by the labels that `network` gives them.

    `FilterPruner.prune_vars` makes plans. A plan is applied once, and may be taken back.
    """

    def __init__(self, network: Network, removed: np.ndarray):
        self.network, self.removed = network, np.unique(removed)
        self._undo: list[Callable[[], None]] = []

    @property
    def masks(self) -> dict[str, dict[int, np.ndarray]]:
        """For each parameter that loses something, by axis: 1 for what is left, 0 for the rest."""
        found: dict[str, dict[int, np.ndarray]] = {}
        for name, kept in self._cut():
            shape = self.network.tensors[name].shape if not self._undo else self._shapes[name]
            for axis, size in enumerate(shape):
                if len(kept[axis]) < size:
                    mask = np.zeros(size, np.int32)
                    mask[kept[axis]] = 1
                    found.setdefault(name, {})[axis] = mask
        return found

    @property
    def pruned_flops(self) -> float:
        """The share of multiplications of convolutions and linear layers that are saved."""
        before = self.network.flops()
        return 1 - self.network.flops(self.removed) / before if before else 0.0

    def apply(self, model: Layer, lazy: bool = False, opt: Any = None) -> None:
        """Remove the channels from the network: its layers become smaller.

        lazy: write zeros in their places instead, which computes the same. opt: the optimizer,
        which loses what it remembers of them. Raises ProgramError where the smaller network
        fails, or computes something else than the one with zeros; then nothing has changed.
        """
        if self._undo:
            raise ProgramError("the plan has been applied", cure="call restore() first")
        self._shapes = {n: tuple(t.shape) for n, t in self.network.tensors.items()}
        try:
            self._mask()
            if not lazy:
                inputs = examples(self.network)
                wanted = _outputs(model, inputs)
                self._shrink(model, opt)
                _compare(wanted, _outputs_of_pruned(model, inputs))
        except BaseException:
            self.restore()
            raise

    def restore(self, model: Layer | None = None, opt: Any = None) -> None:
        """Give the network, and the optimizer, back what they had."""
        while self._undo:
            self._undo.pop()()

    def __str__(self) -> str:
        lines = [
            f"{name} axis {axis}: {int(mask.sum())} of {len(mask)} left"
            for name, axes in sorted(self.masks.items())
            for axis, mask in axes.items()
        ]
        return "\n".join([*lines, f"pruned FLOPs: {self.pruned_flops:.1%}"])

    def _cut(self) -> Iterator[tuple[str, tuple[np.ndarray, ...]]]:
        for name in self.network.tensors:
            if any(np.isin(x, self.removed).any() for x in self.network.axes(name).values()):
                yield name, self.network.kept(name, self.removed)

    def _mask(self) -> None:
        for name, kept in self._cut():
            tensor = self.network.tensors[name]
            masked = np.zeros_like(tensor.numpy())
            masked[np.ix_(*kept)] = tensor.numpy()[np.ix_(*kept)]
            self._put(tensor, masked)

    def _shrink(self, model: Layer, opt: Any) -> None:
        sizes = {}
        for name, kept in self._cut():
            tensor = self.network.tensors[name]
            for state in _remembered(opt, tensor):
                rows = [np.arange(n) for n in state.shape[: len(state.shape) - len(kept)]]
                self._put(state, state.numpy()[np.ix_(*rows, *kept)])
            sizes[id(tensor)] = tuple(tensor.shape)
            self._put(tensor, tensor.numpy()[np.ix_(*kept)])
        self._undo.extend(fit_attributes(model, sizes))

    def _put(self, tensor: Any, array: np.ndarray) -> None:
        before = tensor.numpy().copy()
        self._undo.append(lambda: put(tensor, before))
        put(tensor, array)


@no_grad()
def put(tensor: Any, array: np.ndarray) -> None:
    """Give a tensor other elements, and another shape; a gradient of the old shape is dropped."""
    if tuple(tensor.shape) != array.shape:
        tensor.clear_gradient(set_to_zero=False)
    current().rebind(tensor, np.ascontiguousarray(array))


def examples(network: Network) -> list[Any]:
    """Inputs of a network's shapes: normal numbers, zeros where integers are wanted."""
    generator = np.random.default_rng(0)
    found = []
    for spec in network.inputs:
        kind = dtype_of(spec.dtype)
        values = generator.normal(size=spec.shape) if kind.is_floating else np.zeros(spec.shape)
        found.append(to_tensor(values, dtype=kind))
    return found


def _remembered(opt: Any, parameter: Any) -> list[Any]:
    inner = getattr(opt, "_optimizer", opt)
    return inner._memory.like(parameter) if isinstance(inner, Optimizer) else []


def _outputs(model: Layer, inputs: Sequence[Any]) -> list[np.ndarray]:
    with in_inference(model):
        found, _ = flatten(model(*inputs))
    return [np.asarray(x.numpy()) for x in found if isinstance(x, Value)]


def _outputs_of_pruned(model: Layer, inputs: Sequence[Any]) -> list[np.ndarray]:
    try:
        return _outputs(model, inputs)
    except TwinoarError as error:
        raise ProgramError(f"the pruned network fails: {error}", cure=CURE) from error


def _compare(wanted: list[np.ndarray], found: list[np.ndarray]) -> None:
    """Sums are of other lengths, so they are rounded in another order: half of the digits agree."""
    for expected, received in zip(wanted, found, strict=True):
        if expected.shape != received.shape:
            raise ProgramError(
                f"the pruned network gives {received.shape} in place of {expected.shape}", cure=CURE
            )
        if not np.issubdtype(expected.dtype, np.inexact):
            continue
        largest = float(np.abs(expected).max(initial=0))
        difference = float(np.abs(expected - received).max(initial=0))
        if difference > np.sqrt(np.finfo(expected.dtype).eps) * max(largest, 1e-30):
            raise ProgramError(
                "the pruned network computes something else than the one with zeros in the places "
                f"of what was removed: they differ by {difference:.3g}, of {largest:.3g} at most",
                cure=CURE,
            )

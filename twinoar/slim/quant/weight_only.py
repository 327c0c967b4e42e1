"""Language models with weights of 8 or 4 bits: Linear layers that keep integers and scales."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn import Layer, Linear
from twinoar.nn.quant import weight_only_linear
from twinoar.ops.quant.weight_only import packed
from twinoar.quantization.weight_grid import WeightGrid
from twinoar.slim.quant.advanced.awq import awq_factors
from twinoar.slim.quant.advanced.gptq import SecondMoments, gptq
from twinoar.slim.quant.calibration import watch

SAMPLES = 512  # rows of inputs that AWQ compares outputs on


class WeightOnlyLinear(Layer):
    """A Linear that keeps its weight as integers; see `nn.quant.weight_only_linear`.

    integers: [K,N], int8, within 4 bits where bits is 4. scales: [N], or [K / group_size,N]. bias:
    a parameter [N], or None. bits: 8 or 4. group_size: -1, 64 or 128. factors: [K], what inputs are
    divided by first, or None. Raises ArgumentError, ShapeError.

    >>> layer = WeightOnlyLinear(twinoar.ones([4, 2], "int8"), twinoar.full([2], 0.5), bits=8)
    >>> layer(twinoar.ones([1, 4])).tolist()
    [[2.0, 2.0]]
    """

    def __init__(
        self,
        integers: Any,
        scales: Any,
        bias: Any = None,
        bits: int = 8,
        group_size: int = -1,
        factors: Any = None,
    ):
        super().__init__()
        if bits not in (4, 8):
            raise ArgumentError(f"weights are kept in 4 or 8 bits, received {bits!r}")
        self.bits, self.group_size, self.bias = bits, group_size, bias
        self.in_features, self.out_features = integers.shape
        kept = to_tensor(np.ascontiguousarray(integers.numpy().T))  # in the order of products
        self.register_buffer("quant_weight", packed(kept) if bits == 4 else kept)
        self.register_buffer("weight_scale", scales)
        self.register_buffer("inverse_factors", None if factors is None else 1.0 / factors)

    def forward(self, input: Any) -> Any:  # Paddle's name
        """input: [*,K]. Returns [*,N]."""
        x = input if self.inverse_factors is None else input * self.inverse_factors
        kind = f"int{self.bits}"
        return weight_only_linear(
            x, self.quant_weight, self.bias, self.weight_scale, kind, None, self.group_size
        )

    def extra_repr(self) -> str:
        """What is shown of it."""
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bits={self.bits}, group_size={self.group_size}"


@dataclass(frozen=True, slots=True)
class Quantized:
    """One layer whose weight was rounded: its name, bytes before and after.

    error: how far the weight is from what it was, relative to its size, from 0 on.
    """

    name: str
    before: int
    after: int
    error: float


def quantize_weights(
    model: Layer,
    bits: int = 8,
    group_size: int = -1,
    method: str = "nearest",
    batches: Sequence[Any] = (),
    names: Collection[str] | None = None,
) -> list[Quantized]:
    """Put a WeightOnlyLinear in the place of each Linear of a network, in eval mode.

    bits: 8 or 4. group_size: 64 or 128 rows with a scale of their own, -1 for a scale for each
    column. method: "nearest"; "gptq" or "awq", which need batches, what the network is called with,
    and run them once for each layer: it sees what those before it give when they are rounded.
    names: of layers, for only these. Left as they are: layers whose rows groups do not divide, or
    whose columns are odd for 4 bits, and Linear layers of classes of one's own. Returns what was
    done. Raises ArgumentError, UnknownNameError.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(64, 32))
    >>> [(x.name, x.before, x.after) for x in quantize_weights(net, 4)]
    [('0', 8192, 1152)]
    >>> net[0]
    WeightOnlyLinear(in_features=64, out_features=32, bits=4, group_size=-1)
    """
    rounding = METHODS.get(method)
    if rounding is None:
        raise ArgumentError(f"method must be one of {', '.join(METHODS)}, received {method!r}")
    if bits not in (4, 8) or group_size not in (-1, 64, 128):
        raise ArgumentError(
            f"bits are 4 or 8, group_size is -1, 64 or 128, received {bits!r} and {group_size!r}"
        )
    if method != "nearest" and not batches:
        raise ArgumentError(f"{method} needs batches", cure="pass some that the network runs on")
    grid, found = WeightGrid(bits, group_size), []
    places = [place for place in _places(model) if names is None or place[2] in names]
    if missing := set(names or ()) - {name for _, _, name, _ in places}:
        raise UnknownNameError(f"there is no such Linear: {', '.join(sorted(missing))}")
    made: dict[int, Layer] = {}
    model.eval()
    for parent, key, name, layer in places:
        if not _fits(layer, grid):
            continue
        if id(layer) not in made:
            weight = layer.weight.numpy()
            integers, scales, factors = rounding(model, layer, grid, batches)
            made[id(layer)] = new = _layer(layer, grid, integers, scales, factors)
            kept = grid.values(integers, scales)
            values = kept if factors is None else kept / factors[:, None]
            error = np.linalg.norm(values - weight) / max(float(np.linalg.norm(weight)), 1e-30)
            after = sum(x.numpy().nbytes for x in new.buffers())
            found.append(Quantized(name, weight.nbytes, after, float(error)))
        parent.add_sublayer(key, made[id(layer)])
    return found


Rounded = tuple[np.ndarray, np.ndarray, "np.ndarray | None"]


def _nearest(model: Layer, layer: Any, grid: WeightGrid, batches: Sequence[Any]) -> Rounded:
    weight = layer.weight.numpy().astype(np.float64)
    scales = grid.scales(weight)
    return grid.integers(weight, scales), scales, None


def _by_gptq(model: Layer, layer: Any, grid: WeightGrid, batches: Sequence[Any]) -> Rounded:
    moments = SecondMoments(layer.weight.shape[0])
    watch(model, batches, {"": layer}, lambda _, x, out: moments.add(x))
    by_size = grid.group_size == -1  # with groups, scales of what weights have become win
    return *gptq(layer.weight.numpy(), moments.mean(), grid, by_size=by_size), None


def _by_awq(model: Layer, layer: Any, grid: WeightGrid, batches: Sequence[Any]) -> Rounded:
    rows: list[np.ndarray] = []
    watch(model, batches, {"": layer}, lambda _, x, out: rows.append(x.reshape(-1, x.shape[-1])))
    inputs = np.concatenate(rows) if rows else np.zeros((0, layer.weight.shape[0]))
    if not len(inputs):
        raise ArgumentError("a layer was not run", cure="pass batches that run it, or names")
    chosen = inputs[:: max(len(inputs) // SAMPLES, 1)]
    weight = layer.weight.numpy().astype(np.float64)
    factors = awq_factors(chosen, np.abs(inputs).mean(axis=0), weight, grid)
    scaled = weight * factors[:, None]
    scales = grid.scales(scaled)
    return grid.integers(scaled, scales), scales, factors


METHODS: dict[str, Callable[[Layer, Any, WeightGrid, Sequence[Any]], Rounded]] = {
    "nearest": _nearest,
    "gptq": _by_gptq,
    "awq": _by_awq,
}


def _layer(
    layer: Any,
    grid: WeightGrid,
    integers: np.ndarray,
    scales: np.ndarray,
    factors: np.ndarray | None,
) -> WeightOnlyLinear:
    kind = layer.weight.numpy().dtype
    found = scales if grid.group_size > 0 else scales[0]
    divisors = None if factors is None else to_tensor(factors.astype(kind))
    new = WeightOnlyLinear(
        to_tensor(integers), to_tensor(found.astype(kind)), layer.bias, grid.bits, grid.group_size,
        divisors,
    )  # fmt: skip
    new.training = layer.training
    return new


def _fits(layer: Any, grid: WeightGrid) -> bool:
    rows, columns = layer.weight.shape
    return (grid.group_size < 0 or rows % grid.group_size == 0) and (
        grid.bits == 8 or columns % 2 == 0
    )


def _places(model: Layer) -> Iterator[tuple[Layer, str, str, Any]]:
    """(parent, its name there, the whole name, the layer) of each Linear, in order."""
    for prefix, parent in model.named_sublayers(include_self=True):
        for key, layer in list(parent._sub_layers.items()):
            if type(layer) is Linear:
                yield parent, key, f"{prefix}.{key}" if prefix else key, layer

"""Networks that are hard to round, and what rounding does to them."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.quantization.weight_grid import WeightGrid


def tensor(x: np.ndarray) -> Any:
    return paddle.to_tensor(x.astype(np.float32))


def outputs(model: Any, x: Any) -> np.ndarray:
    model.eval()
    return np.asarray(model(x).numpy(), np.float64)


def relative_error(found: np.ndarray, wanted: np.ndarray) -> float:
    """Root mean square of the difference, for that of what was wanted."""
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def round_per_tensor(x: np.ndarray, bits: int = 8) -> np.ndarray:
    unit = np.abs(x).max() / (2 ** (bits - 1) - 1)
    return np.asarray(np.round(x / unit) * unit)


def round_weights(model: Any, bits: int = 8) -> None:
    """Round each weight by one scale, in place."""
    for layer in model.sublayers(include_self=True):
        if isinstance(layer, (nn.Linear, nn.Conv2D)):
            layer.weight.set_value(round_per_tensor(layer.weight.numpy(), bits).astype("float32"))


def round_columns(model: Any, bits: int) -> None:
    """Round each weight of a Linear by a scale for each column, in place."""
    for layer in model.sublayers(include_self=True):
        if isinstance(layer, nn.Linear):
            rounded = WeightGrid(bits).rounded(layer.weight.numpy())
            layer.weight.set_value(rounded.astype("float32"))


def round_inputs(model: Any, bits: int = 8) -> list[Any]:
    """Round what Linear layers read by one scale for all; the hooks that do so."""

    def hook(layer: Any, inputs: tuple) -> Any:
        return tensor(round_per_tensor(inputs[0].numpy(), bits))

    layers = [x for x in model.sublayers(include_self=True) if isinstance(x, nn.Linear)]
    return [layer.register_forward_pre_hook(hook) for layer in layers]


def correlated(random: np.random.Generator, rows: int, size: int) -> np.ndarray:
    """Inputs that few directions make up, as those of language models."""
    few = random.normal(size=(rows, size // 4)) @ random.normal(size=(size // 4, size))
    return np.asarray(few + 0.1 * random.normal(size=(rows, size)))

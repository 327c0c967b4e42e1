"""Bias correction: what rounding shifts the mean of a channel by is taken from its bias.

Source: Nagel et al. 2019, "Data-Free Quantization Through Weight Equalization and Bias Correction",
arXiv 1906.04721, section 4.2, with means of data as in its appendix D.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.nn import Conv2D, Layer, Linear
from twinoar.slim.quant.calibration import watch


def correct_biases(model: Layer, reference: Layer, batches: Sequence[Any]) -> list[str]:
    """Change biases so that the mean of each channel on some data is that of another network.

    model: a network whose values are rounded, changed in place. reference: the same network as it
    was, with layers by the same names. batches: what both are called with; they are run through
    `model` once for each layer, as a layer is corrected with those before it already corrected.
    Every Linear and Conv2D of `reference` counts; layers without a bias get one. Returns their
    names in the order of the run. Raises ArgumentError where `model` lacks a layer, or batches are
    missing.

    >>> reference, model = twinoar.nn.Linear(2, 1), twinoar.nn.Linear(2, 1)
    >>> x = twinoar.ones([4, 2])
    >>> correct_biases(model, reference, [x])
    ['']
    >>> bool(twinoar.allclose(model(x), reference(x)))
    True
    """
    wanted = channel_means(reference, batches, _products(reference))
    if not wanted:
        raise ArgumentError("no layer was run to correct", cure="pass batches, and a network")
    layers = dict(model.named_sublayers(include_self=True))
    for name, mean in wanted.items():
        layer = layers.get(name)
        if layer is None or not hasattr(layer, "bias"):
            raise ArgumentError(f"the network to correct has no layer {name!r} with a bias")
        shift = mean - channel_means(model, batches, {name: layer})[name]
        if layer.bias is None:
            layer.bias = layer.create_parameter([len(shift)], is_bias=True)
        before = layer.bias.numpy()
        layer.bias.set_value((before + shift).astype(before.dtype))
    return list(wanted)


def channel_means(
    model: Layer, batches: Sequence[Any], layers: dict[str, Layer]
) -> dict[str, np.ndarray]:
    """The mean of each channel of what layers give, [C], float64, in the order of their runs."""
    sums: dict[str, np.ndarray] = {}
    counts: dict[str, int] = {}

    def seen(name: str, given: np.ndarray, out: np.ndarray) -> None:
        rows = np.moveaxis(out.astype(np.float64), _channel_axis(layers[name]), -1)
        rows = rows.reshape(-1, rows.shape[-1])
        sums[name] = sums.get(name, 0.0) + rows.sum(axis=0)
        counts[name] = counts.get(name, 0) + len(rows)

    watch(model, batches, layers, seen)
    return {name: total / counts[name] for name, total in sums.items()}


def _products(model: Layer) -> dict[str, Layer]:
    found = model.named_sublayers(include_self=True)
    return {name: layer for name, layer in found if isinstance(layer, (Linear, Conv2D))}


def _channel_axis(layer: Any) -> int:
    """Of what a layer gives: 1 of images, whose channels are first, else the last."""
    return 1 if getattr(layer, "_data_format", "NHWC") == "NCHW" else -1

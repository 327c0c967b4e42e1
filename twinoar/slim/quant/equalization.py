"""Cross-layer equalization: channels of layers in a row get weights of like sizes.

Source: Nagel et al. 2019, "Data-Free Quantization Through Weight Equalization and Bias Correction",
arXiv 1906.04721, section 4.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.nn import BatchNorm2D, Conv2D, Identity, Layer
from twinoar.slim.quant.joint import Joint, joints
from twinoar.slim.quant.uses import Uses


def equalize(model: Layer, inputs: Any, rounds: int = 10, tolerance: float = 1e-3) -> int:
    """Make the largest weights of each channel alike in the layers before and after it, in place.

    Channel i is divided by s_i = sqrt(a_i / b_i), where a_i and b_i are the largest magnitudes of
    weights that make and that read it (equation 11), until no s_i differs from 1 by more than
    `tolerance`, at most `rounds` times over all layers. inputs: shapes, as of `joints`. What the
    network computes stays the same. Batch norm between is left out: `fold_batch_norms` comes first.
    Returns how many pairs of layers there are. Raises as `joints`.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    >>> equalize(net, [1, 4])
    1
    >>> sizes = [net[0].weight.abs().max(0), net[2].weight.abs().max(1)]
    >>> bool(twinoar.allclose(*sizes))
    True
    """
    found = [joint for joint in joints(model, inputs) if not joint.is_norm]
    for _ in range(rounds):
        largest = max((_equalize(joint) for joint in found), default=0.0)
        if largest <= tolerance:
            break
    return len(found)


def _equalize(joint: Joint) -> float:
    """Equalize the channels of one joint; how far the factor furthest from 1 is from it."""
    made = np.abs(joint.makers[0].channels()).max(axis=1)
    read = np.max([np.abs(side.channels()).max(axis=1) for side in joint.readers], axis=0)
    alive = (made > 0) & (read > 0)  # what is always 0 has no size of its own
    factors = np.sqrt(np.where(alive, made, 1.0) / np.where(alive, read, 1.0))
    joint.scale(factors)
    return float(np.abs(factors - 1).max())


def fold_batch_norms(model: Layer, inputs: Any) -> int:
    """Put each batch norm that follows a convolution into its weights, and Identity in its place.

    inputs: shapes, as of `joints`. What the network computes in inference stays the same. Left are
    those whose convolution something else reads, too. Returns how many were folded. Raises as
    `joints`.

    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4))
    >>> fold_batch_norms(net, [1, 3, 8, 8]), type(net[1]).__name__
    (1, 'Identity')
    """
    pairs = _convolutions_and_norms(model, Uses(model, inputs))
    for convolution, norm in pairs:
        _fold(convolution, norm)
    folded = {id(norm) for _, norm in pairs}
    for parent in model.sublayers(include_self=True):
        for name, layer in list(parent._sub_layers.items()):
            if id(layer) in folded:
                parent.add_sublayer(name, Identity())
    return len(pairs)


def _convolutions_and_norms(model: Layer, uses: Uses) -> list[tuple[Any, Any]]:
    """Convolutions, and the batch norms that alone read what they give."""
    by_weight = {id(x.weight): x for x in model.sublayers(True) if isinstance(x, Conv2D)}
    by_mean = {id(x._mean): x for x in model.sublayers(True) if isinstance(x, BatchNorm2D)}
    found = []
    for o in uses.program.main.ops:
        weight = uses.parameter(o.operands[1]) if o.op.name == "conv2d" else None
        layer = by_weight.get(id(weight))
        if layer is None:
            continue
        bias, out = uses.with_bias(o)
        after = uses.of(out)
        is_alone = (
            len(after) == 1 and not uses.is_result(out) and after[0][0].op.name == "batch_norm"
        )
        norm = by_mean.get(id(uses.parameter(after[0][0].operands[1]))) if is_alone else None
        if norm is not None and (bias is None) == (layer.bias is None):
            found.append((layer, norm))
    return found


def _fold(layer: Conv2D, norm: BatchNorm2D) -> None:
    """y = (conv(x) + c - mean) * factor + shift, with factor = gain / sqrt(variance + epsilon)."""
    weight = layer.weight.numpy()
    mean, variance = (x.numpy().astype(np.float64) for x in (norm._mean, norm._variance))
    gain = 1.0 if norm.weight is None else norm.weight.numpy().astype(np.float64)
    shift = 0.0 if norm.bias is None else norm.bias.numpy().astype(np.float64)
    factor = gain / np.sqrt(variance + norm._epsilon)
    before = 0.0 if layer.bias is None else layer.bias.numpy().astype(np.float64)
    if layer.bias is None:
        layer.bias = layer.create_parameter([len(weight)], is_bias=True)
    along = (-1,) + (1,) * (weight.ndim - 1)
    layer.weight.set_value((weight * factor.reshape(along)).astype(weight.dtype))
    layer.bias.set_value(((before - mean) * factor + shift).astype(weight.dtype))

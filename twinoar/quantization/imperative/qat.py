"""ImperativeQuantAware: layers of a network become layers of rounded values, to be trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.export.save import save
from twinoar.nn.layer import Layer
from twinoar.nn.quant import quant_layers
from twinoar.nn.quant.fake_quant import (
    Averaged,
    FakeQuantAbsMax,
    FakeQuantChannelWiseAbsMax,
    check_rate,
)
from twinoar.ops.quant._integers import limit_of
from twinoar.quantization.quantize import warn_of_unseen
from twinoar.quantization.replacing import refuse_quantized, replace_layers

Made = Callable[[], Layer] | None
KINDS: dict[str, tuple[type[Layer], type[Layer]]] = {
    "Conv2D": (nn.Conv2D, quant_layers.QuantizedConv2D),
    "Linear": (nn.Linear, quant_layers.QuantizedLinear),
    "Conv2DTranspose": (nn.Conv2DTranspose, quant_layers.QuantizedConv2DTranspose),
}
PARALLEL = ("ColumnParallelLinear", "RowParallelLinear")  # Paddle's names that none answers to
ROUNDED = tuple(quantized for _, quantized in KINDS.values())
# Layers without parts that are not measured: what rounds and measures, and what other layers ask.
NOT_MEASURED = (Averaged, FakeQuantAbsMax, FakeQuantChannelWiseAbsMax, nn.RNNCellBase)
FUNCTIONS = (nn.quant.add, nn.quant.subtract, nn.quant.multiply, nn.quant.divide, nn.quant.matmul)


class ImperativeQuantAware:
    """Quantization-aware training of a network in place, by kinds of layers.

    quantizable_layer_type: classes of layers, or "Conv2D", "Linear" and "Conv2DTranspose".
    weight_quantize_type, activation_quantize_type, weight_bits, activation_bits, moving_rate: as of
    `nn.quant.quant_layers.QuantizedLinear`. weight_preprocess_layer, act_preprocess_layer,
    weight_quantize_layer, act_quantize_layer: make layers that are called before, or that round. A
    layer with `skip_quant = True` is not rounded. What layers without parts return is measured.
    Raises ArgumentError, and UnsupportedError for fuse_conv_bn and onnx_format.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(4, 2))
    >>> ImperativeQuantAware(weight_quantize_type="channel_wise_abs_max").quantize(net)
    Sequential(
      (0): MAOutputScaleLayer(
        (_layer): QuantizedLinear(
          (_fake_quant_weight): FakeQuantChannelWiseAbsMax()
          (_fake_quant_input): FakeQuantMovingAverageAbsMax()
        )
        (_ma_output_scale): MovingAverageAbsMaxScale()
      )
    )
    """

    def __init__(
        self,
        quantizable_layer_type: Sequence[Any] = ("Conv2D", "Linear", "Conv2DTranspose", *PARALLEL),
        weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "moving_average_abs_max",
        weight_bits: int = 8,
        activation_bits: int = 8,
        moving_rate: float = 0.9,
        fuse_conv_bn: bool = False,
        weight_preprocess_layer: Made = None,
        act_preprocess_layer: Made = None,
        weight_quantize_layer: Made = None,
        act_quantize_layer: Made = None,
        onnx_format: bool = False,
    ):
        if fuse_conv_bn:
            raise UnsupportedError(
                "normalization is not folded into convolutions here",
                cure="call slim.quant.fold_batch_norms on the network before",
            )
        if onnx_format:
            raise UnsupportedError(
                "networks of this kind are saved with what rounds them in training",
                cure="quantize by quantization.QAT, whose convert() has integers as ONNX has",
            )
        for kind, known in (
            (weight_quantize_type, quant_layers.OF_WEIGHTS),
            (activation_quantize_type, quant_layers.OF_INPUTS),
        ):
            if kind not in known:
                raise ArgumentError(f"expected one of {', '.join(known)}, received {kind!r}")
        for bits in (weight_bits, activation_bits):
            limit_of(bits)  # refuses what are no bits
        check_rate(moving_rate)
        self._kinds = {kind: made for kind, made in map(_kind, quantizable_layer_type) if made}
        self._moving_rate, self._activation_bits = moving_rate, activation_bits
        self._given: dict[str, Any] = {
            "weight_bits": weight_bits,
            "activation_bits": activation_bits,
            "moving_rate": moving_rate,
            "weight_quantize_type": weight_quantize_type,
            "activation_quantize_type": activation_quantize_type,
            "weight_pre_layer": weight_preprocess_layer,
            "act_pre_layer": act_preprocess_layer,
            "weight_quant_layer": weight_quantize_layer,
            "act_quant_layer": act_quantize_layer,
        }

    def quantize(self, model: Layer) -> Layer:
        """Put rounding layers into a network, and what measures results; returns it.

        Raises TypeMismatchError, ArgumentError for a network that is quantized already, without
        layers in it, or a layer alone. Where it raises, nothing has changed.
        """
        refuse_quantized(model)
        made = self._instead_of(model)
        if made is not None:
            raise ArgumentError(
                f"a {type(model).__name__} alone cannot become another layer in place",
                cure="put it into a Sequential",
            )
        return replace_layers(model, self._instead_of)

    def _instead_of(self, layer: Layer) -> Layer | None:
        rate = self._moving_rate
        made = next((q for kind, q in self._kinds.items() if isinstance(layer, kind)), None)
        if made is not None and not getattr(layer, "skip_quant", False):
            return quant_layers.MAOutputScaleLayer(made(layer, **self._given), rate)
        if isinstance(layer, FUNCTIONS):
            bits = self._activation_bits
            return quant_layers.FakeQuantMAOutputScaleLayer(
                layer, activation_bits=bits, moving_rate=rate
            )
        if not layer.sublayers() and not isinstance(layer, NOT_MEASURED):
            return quant_layers.MAOutputScaleLayer(layer, rate)
        return None

    def save_quantized_model(
        self, layer: Layer, path: str, input_spec: Any = None, **config: Any
    ) -> None:
        """Save the network in evaluation mode, as `paddle.jit.save`: it rounds where it did.

        Raises ArgumentError for a network that is not quantized, or whose weights or scales are not
        finite. Warns of scales that no data has moved.
        """
        _check_trained(layer)
        layer.eval()
        save(layer, path, input_spec, **config)


def _check_trained(model: Layer) -> None:
    if not any(isinstance(part, ROUNDED) for part in model.sublayers(include_self=True)):
        raise ArgumentError("the network is not quantized", cure="call quantize first")
    for name, value in model.state_dict().items():
        if value.dtype.is_floating and not np.isfinite(value.numpy().astype("f4")).all():
            raise ArgumentError(
                f"{name} is not finite", cure="look for nan and inf in the weights and in the data"
            )
    unseen = [name for name, part in model.named_sublayers() if getattr(part, "is_unseen", False)]
    warn_of_unseen(unseen, 4)


def _kind(given: Any) -> tuple[Any, Any]:
    """A class of layers and what it becomes. Raises ArgumentError for another."""
    if given in PARALLEL:
        return given, None
    if isinstance(given, str) and given in KINDS:
        return KINDS[given]
    if isinstance(given, type):
        for kind, made in KINDS.values():
            if issubclass(given, kind):
                return given, made
    raise ArgumentError(f"expected one of {', '.join(KINDS)} or their classes, received {given!r}")


__all__ = declared(globals())

"""Layers of a network in the places of others: all are made first, and then put in."""

from __future__ import annotations

from collections.abc import Callable

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.nn.quant import quant_layers
from twinoar.nn.quant.format import ConvertibleQuantedLayer, LinearQuanterDequanter
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.wrapper import ObserveWrapper

CONVERTIBLE = (BaseQuanter, ConvertibleQuantedLayer, LinearQuanterDequanter, ObserveWrapper)
OLDER = (
    quant_layers.FakeQuantMAOutputScaleLayer,
    quant_layers.MAOutputScaleLayer,
    quant_layers.Quantized,
    quant_layers.QuantizedMatmul,
)


def refuse_quantized(model: Layer) -> None:
    """Raise ArgumentError for a network that is quantized, TypeMismatchError for what is none."""
    if not isinstance(model, Layer):
        raise TypeMismatchError(f"expected a Layer, received {model!r}")
    for name, layer in model.named_sublayers(include_self=True):
        if isinstance(layer, (*CONVERTIBLE, *OLDER)):
            raise ArgumentError(
                f"the network is quantized already: {name or 'it'} is a {type(layer).__name__}",
                cure="quantize a network of floats, or convert this one",
            )


def replace_layers(model: Layer, instead: Callable[[Layer], Layer | None]) -> Layer:
    """A network with what `instead` says in the places of its layers; a layer alone becomes that.

    instead: a layer that stands for another, with its mode, or None to look at its parts. It is
    called once for a layer that is in two places; where it raises, nothing changes. Raises
    ArgumentError where it has nothing for any layer.
    """
    done: dict[int, Layer | None] = {}
    changes: list[tuple[Layer, str, Layer]] = []

    def visit(layer: Layer) -> Layer | None:
        if id(layer) in done:
            return done[id(layer)]
        done[id(layer)] = new = instead(layer)
        if new is not None:
            for part in new.sublayers(include_self=True):
                part.training = layer.training
            return new
        for name, part in layer._sub_layers.items():
            found = None if part is None else visit(part)
            if found is not None:
                changes.append((layer, name, found))
        return None

    out = visit(model) or model
    if out is model and not changes:
        raise ArgumentError(
            "the configuration quantizes no layer of the network",
            cure="give QuantConfig an activation or a weight, or add a config for its layers",
        )
    for parent, name, new in changes:
        parent._sub_layers[name] = new
    return out

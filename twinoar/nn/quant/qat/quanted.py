"""What quantized layers share: parameters of the layer they stand for, and two quanters."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn.quant.format import ConvertibleQuantedLayer


class Quanted(ConvertibleQuantedLayer):
    """A layer with the weight and the bias of another, and quanters of its weight and its input.

    layer: the layer that it stands for. q_config: factories of quanters as `weight` and
    `activation`; None leaves what it would quantize as it is.
    """

    def __init__(self, layer: Any, q_config: Any):
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        self.weight_quanter = self.activation_quanter = None
        if q_config.weight is not None:
            self.weight_quanter = q_config.weight._instance(layer)
        if q_config.activation is not None:
            self.activation_quanter = q_config.activation._instance(layer)

    def _rounded(self, input: Any) -> tuple[Any, Any]:
        """The input and the weight as the quanters leave them."""
        weight = self.weight
        if self.activation_quanter is not None:
            input = self.activation_quanter(input)
        if self.weight_quanter is not None:
            weight = self._rounded_weight(weight)
        return input, weight

    def _rounded_weight(self, weight: Any) -> Any:
        try:
            return self.weight_quanter(weight)  # type: ignore[misc]  # set where it is not None
        except ArgumentError as error:
            raise ArgumentError(
                f"weight {weight.name}: {error.message}", cure=error.cure
            ) from error

    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """The weight and its quanter."""
        return [("weight", "weight_quanter")]

    def activation_quanters(self) -> list[str]:
        """The quanter of the input."""
        return ["activation_quanter"]

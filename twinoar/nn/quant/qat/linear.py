"""QuantedLinear: the fully connected layer of rounded values."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.quant.qat.quanted import Quanted


class QuantedLinear(Quanted):
    """`nn.Linear` whose weight and input pass through quanters.

    layer: the Linear that it stands for, whose parameters it takes. q_config: factories of quanters
    as `weight` and `activation`, each may be None.

    >>> quanter = twinoar.quantization.quanters.FakeQuanterWithAbsMaxObserver()
    >>> config = twinoar.quantization.QuantConfig(activation=None, weight=quanter)
    >>> QuantedLinear(twinoar.nn.Linear(4, 2), config.global_config)(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(self, layer: Any, q_config: Any):
        super().__init__(layer, q_config)
        self.name = layer.name

    def forward(self, input: Any) -> Any:
        """y = x W + b of rounded x and W."""
        input, weight = self._rounded(input)
        return functional.linear(input, weight, self.bias)

"""QAT: networks that are trained while their values are rounded."""

from __future__ import annotations

import copy

from twinoar.errors import ArgumentError
from twinoar.nn.layer import Layer
from twinoar.quantization.quantize import Quantization
from twinoar.quantization.replacing import refuse_quantized


class QAT(Quantization):
    """Quantization-aware training: quanters round in training as integers will.

    config: a QuantConfig, with quanters such as FakeQuanterWithAbsMaxObserver. Source: arXiv
    1712.05877, section 3.

    >>> from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
    >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    >>> qat = QAT(twinoar.quantization.QuantConfig(activation=quanter, weight=quanter))
    >>> net = qat.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)))
    >>> loss = net(twinoar.ones([3, 4])).mean()
    >>> loss.backward()
    >>> qat.convert(net.eval())
    Sequential(
      (0): QuantedLinear(
        (weight_quanter): LinearQuanterDequanter(
          (_quanter): None
          (_dequanter): LinearDequanter(bit_length=8)
        )
        (activation_quanter): LinearQuanterDequanter(
          (_quanter): LinearQuanter(bit_length=8)
          (_dequanter): LinearDequanter(bit_length=8)
        )
      )
    )
    """

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """The network with quanters, to train.

        model: in training mode. inplace: change it, else a copy. Raises ArgumentError for a network
        that is quantized already, that is not in training, or of which the configuration quantizes
        nothing.
        """
        refuse_quantized(model)
        if not model.training:
            raise ArgumentError(
                "quantization-aware training needs a network in training mode",
                cure="call model.train(), or take PTQ",
            )
        return self._put_in(model if inplace else copy.deepcopy(model))

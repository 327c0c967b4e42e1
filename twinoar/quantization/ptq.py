"""PTQ: trained networks that are rounded by what some data shows of their values."""

from __future__ import annotations

import copy

from twinoar.errors import ArgumentError
from twinoar.nn.layer import Layer
from twinoar.quantization.quantize import Quantization
from twinoar.quantization.replacing import refuse_quantized


class PTQ(Quantization):
    """Post-training quantization: observers learn scales from data, and nothing is trained.

    config: a QuantConfig, with observers such as AbsmaxObserver.

    >>> from twinoar.quantization.observers import AbsmaxObserver
    >>> config = twinoar.quantization.QuantConfig(AbsmaxObserver(), AbsmaxObserver())
    >>> ptq = PTQ(config)
    >>> net = ptq.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)).eval())
    >>> y = net(twinoar.ones([3, 4]))
    >>> ptq.convert(net)(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """The network with observers, to be called on some data.

        model: in evaluation mode where it is changed itself. inplace: change it, else a copy, in
        evaluation mode. Raises ArgumentError for a network that is quantized already, that is in
        training, or of which the configuration quantizes nothing.
        """
        refuse_quantized(model)
        if model.training:
            raise ArgumentError(
                "observers need a network in evaluation mode", cure="call model.eval() first"
            )
        return self._put_in(model if inplace else copy.deepcopy(model).eval())

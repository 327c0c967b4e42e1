"""ImperativePTQ: trained networks become networks of integers, by Paddle's older names."""

from __future__ import annotations

from typing import Any

from twinoar.core.public import declared
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.export.save import save
from twinoar.nn.layer import Layer
from twinoar.quantization.config import QuantConfig
from twinoar.quantization.imperative.ptq_config import PTQConfig, default_ptq_config
from twinoar.quantization.imperative.ptq_registry import QUANTIZED
from twinoar.quantization.ptq import PTQ


class ImperativePTQ:
    """Post-training quantization of the Conv2D and Linear layers of a network.

    quant_config: a PTQConfig. Raises TypeMismatchError.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> ptq = ImperativePTQ()
    >>> net = ptq.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)))
    >>> y = net(twinoar.ones([3, 4]))
    >>> spec = [twinoar.static.InputSpec([None, 4], "float32")]
    >>> ptq.save_quantized_model(net, f"{folder}/net", spec)
    >>> twinoar.jit.load(f"{folder}/net")(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(self, quant_config: PTQConfig = default_ptq_config):
        if not isinstance(quant_config, PTQConfig):
            raise TypeMismatchError(f"expected a PTQConfig, received {quant_config!r}")
        config = QuantConfig(activation=None, weight=None)
        of_inputs, of_weights = quant_config.in_act_quantizer, quant_config.wt_quantizer
        config.add_type_config(list(QUANTIZED), of_inputs.observer(), of_weights.observer())
        self._quant_config, self._ptq = quant_config, PTQ(config)

    def quantize(
        self, model: Layer, inplace: bool = False, fuse: bool = False, fuse_list: Any = None
    ) -> Layer:
        """The network in evaluation mode with observers, to be called on some data.

        inplace: change it, else a copy. Raises UnsupportedError for fuse, and what `PTQ.quantize`
        raises.
        """
        if fuse or fuse_list is not None:
            raise UnsupportedError(
                "normalization is not folded into layers here",
                cure="call slim.quant.fold_batch_norms on the network before",
            )
        if not isinstance(model, Layer):
            raise TypeMismatchError(f"expected a Layer, received {model!r}")
        was_training = model.training
        model.eval()
        try:
            return self._ptq.quantize(model, inplace)
        finally:
            if was_training and not inplace:
                model.train()

    def save_quantized_model(
        self, model: Layer, path: str, input_spec: Any = None, **config: Any
    ) -> None:
        """Save what `quantize` returned, after data has passed, as `paddle.jit.save`.

        Weights are saved as integers; the network itself stays as it is. Raises ArgumentError where
        no data has passed.
        """
        save(self._ptq.convert(model), path, input_spec, **config)


__all__ = declared(globals())

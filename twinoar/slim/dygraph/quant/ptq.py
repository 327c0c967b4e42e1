"""PTQ: trained networks become networks of integers, by PaddleSlim's names of quantizers."""

from __future__ import annotations

from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import UnknownNameError
from twinoar.nn.layer import Layer
from twinoar.quantization import imperative
from twinoar.slim.modes import in_inference

OF_INPUTS = ("KLQuantizer", "HistQuantizer", "AbsmaxQuantizer")
OF_WEIGHTS = ("PerChannelAbsmaxQuantizer", "AbsmaxQuantizer")


class PTQ:
    """Post-training quantization of the Conv2D and Linear layers of a network.

    activation_quantizer: the name of one of `OF_INPUTS`, which is made with the other arguments, as
    upsample_bins=64. weight_quantizer: the name of one of `OF_WEIGHTS`. Raises UnknownNameError.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> ptq = PTQ(activation_quantizer="AbsmaxQuantizer")
    >>> net = ptq.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)))
    >>> y = net(twinoar.ones([3, 4]))
    >>> spec = [twinoar.static.InputSpec([None, 4], "float32")]
    >>> ptq.save_quantized_model(net, f"{folder}/net", spec)
    >>> twinoar.jit.load(f"{folder}/net")(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(
        self,
        activation_quantizer: str = "KLQuantizer",
        weight_quantizer: str = "PerChannelAbsmaxQuantizer",
        **kwargs: Any,
    ):
        of_inputs = _class(activation_quantizer, OF_INPUTS)(**kwargs)
        of_weights = _class(weight_quantizer, OF_WEIGHTS)()
        self.ptq = imperative.ImperativePTQ(imperative.PTQConfig(of_inputs, of_weights))

    def quantize(
        self, model: Layer, inplace: bool = False, fuse: bool = False, fuse_list: Any = None
    ) -> Layer:
        """The network in evaluation mode with observers, to be called on some data.

        As `quantization.imperative.ImperativePTQ.quantize`.
        """
        return self.ptq.quantize(model, inplace, fuse, fuse_list)

    def save_quantized_model(
        self, model: Layer, path: str, input_spec: Any = None, **kwargs: Any
    ) -> None:
        """Save what `quantize` returned, after data has passed, as `paddle.jit.save`.

        The network stays as it is, and in its mode. Raises ArgumentError where no data has passed.
        """
        with in_inference(model):
            self.ptq.save_quantized_model(model, path, input_spec, **kwargs)


def _class(name: str, known: tuple[str, ...]) -> Any:
    if name not in known:
        raise UnknownNameError(
            f"expected one of {', '.join(known)}, received {name!r}", cure=near_names(name, known)
        )
    return getattr(imperative, name)

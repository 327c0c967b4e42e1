"""QAT: networks that are trained while their values are rounded, by PaddleSlim's settings."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError
from twinoar.export.save import save
from twinoar.nn import Conv2D, Layer, Linear
from twinoar.ops.quant._integers import limit_of
from twinoar.quantization import QuantConfig
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.config import SingleLayerConfig
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.quantization.quantize import Quantization
from twinoar.quantization.replacing import refuse_quantized
from twinoar.slim.quant.quanters import FakeQuanterChannelWiseAbsMaxObserver, PACTQuanter
from twinoar.slim.quant.quanters.pact import PACT

CONFIG: dict[str, Any] = {  # PaddleSlim's, with its defaults
    "weight_preprocess_type": None,
    "activation_preprocess_type": None,
    "weight_quantize_type": "channel_wise_abs_max",
    "activation_quantize_type": "moving_average_abs_max",
    "weight_bits": 8,
    "activation_bits": 8,
    "dtype": "int8",
    "window_size": 10000,
    "moving_rate": 0.9,
    "quantizable_layer_type": ["Conv2D", "Linear"],
    "fuse_conv_bn": False,
    "onnx_format": True,
}
KINDS: dict[str, type[Layer]] = {"Conv2D": Conv2D, "Linear": Linear}
AVERAGED = ("moving_average_abs_max", "range_abs_max")  # the second is the first, as in Paddle
OF_WEIGHTS = ("channel_wise_abs_max", "abs_max", *AVERAGED)
BEFORE = {None: None, "PACT": PACT}
CHOICES: dict[str, tuple[Any, ...]] = {
    "weight_preprocess_type": tuple(BEFORE),
    "activation_preprocess_type": tuple(BEFORE),
    "weight_quantize_type": OF_WEIGHTS,
    "activation_quantize_type": ("abs_max", *AVERAGED),
    "dtype": ("int8",),
}
Made = Callable[[], Layer]


class QAT:
    """Quantization-aware training of the layers of a network, by PaddleSlim's settings.

    config: what differs from `CONFIG`; "activation_preprocess_type": "PACT" clips inputs to learnt
    bounds before they are rounded. weight_preprocess, act_preprocess: make layers that are called
    before, in the place of PACT; as in PaddleSlim they are no part of what is saved.
    weight_quantize, act_quantize: factories of quanters in the place of those that the types name.
    Raises UnknownNameError, ArgumentError, TypeMismatchError, and UnsupportedError for fuse_conv_bn
    and for inputs whose scale is that of each batch, which no network of integers has.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> qat = QAT({"activation_preprocess_type": "PACT"})
    >>> net = qat.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)))
    >>> net(twinoar.ones([3, 4])).mean().backward()
    >>> spec = [twinoar.static.InputSpec([None, 4], "float32")]
    >>> qat.save_quantized_model(net, f"{folder}/net", spec)
    >>> twinoar.jit.load(f"{folder}/net")(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        weight_preprocess: Made | None = None,
        act_preprocess: Made | None = None,
        weight_quantize: Any = None,
        act_quantize: Any = None,
    ):
        self.config = known = _checked(config)
        before_weights = weight_preprocess or BEFORE[known["weight_preprocess_type"]]
        before_inputs = act_preprocess or BEFORE[known["activation_preprocess_type"]]
        of_weights = _given(weight_quantize) or _of_weights(known)
        of_inputs = _given(act_quantize) or _of_inputs(known)
        made = QuantConfig(activation=None, weight=None)
        kinds = [_kind(name) for name in known["quantizable_layer_type"]]
        activation = _after(before_inputs, of_inputs)
        made.add_type_config(kinds, activation, _after(before_weights, of_weights))
        self._training = _InAnyMode(made)

    def quantize(self, model: Layer, inplace: bool = True) -> Layer:
        """The network with quanters, to train. inplace: change it, else a copy.

        Raises ArgumentError for a network that is quantized already, or without layers of the
        types, TypeMismatchError for what is none.
        """
        return self._training.quantize(model, inplace)

    def save_quantized_model(self, model: Layer, path: str, input_spec: Any = None) -> None:
        """Save what `quantize` returned, after training, as `paddle.jit.save`: weights are int8.

        The network stays as it is, and can be trained on. Raises as `quantization.QAT.convert`.
        """
        save(self._training.convert(copy.deepcopy(model).eval(), True), path, input_spec)


class _InAnyMode(Quantization):
    """Takes networks in evaluation mode as well, and leaves them in it."""

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """The network with quanters."""
        refuse_quantized(model)
        return self._put_in(model if inplace else copy.deepcopy(model))


def _checked(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """All settings. Raises UnknownNameError, ArgumentError, UnsupportedError."""
    for name in config or {}:
        if name not in CONFIG:
            raise UnknownNameError(
                f"there is no setting {name!r} of QAT", cure=near_names(name, CONFIG)
            )
    known = {**CONFIG, **(config or {})}
    for name, allowed in CHOICES.items():
        if known[name] not in allowed:
            shown = ", ".join(map(repr, allowed))
            raise ArgumentError(f"{name} must be one of {shown}, received {known[name]!r}")
    if known["fuse_conv_bn"]:
        raise UnsupportedError(
            "normalization is not folded into convolutions here",
            cure="call slim.quant.fold_batch_norms on the network before",
        )
    if known["activation_quantize_type"] == "abs_max":
        raise UnsupportedError(
            "inputs rounded by the largest magnitude of each batch cannot become integers by a "
            "scale that stays",
            cure="take moving_average_abs_max",
        )
    for name in ("weight_bits", "activation_bits"):
        limit_of(known[name])  # refuses what are no bits
    return known


def _kind(name: Any) -> type[Layer]:
    if name not in KINDS:
        raise ArgumentError(
            f"layers that are quantized are {', '.join(KINDS)}, received {name!r}",
            cure="quantization.QuantConfig.add_type_config takes any class of layers",
        )
    return KINDS[name]


def _given(factory: Any) -> Any:
    """A factory of quanters, or None. Raises TypeMismatchError."""
    return SingleLayerConfig(factory, None).activation


def _of_weights(known: Mapping[str, Any]) -> Any:
    bits, kind = known["weight_bits"], known["weight_quantize_type"]
    if kind == "channel_wise_abs_max":
        return FakeQuanterChannelWiseAbsMaxObserver(bit_length=bits)
    # One scale of a weight as it is in each step: an average without a past.
    rate = 0.0 if kind == "abs_max" else known["moving_rate"]
    return FakeQuanterWithAbsMaxObserver(moving_rate=rate, bit_length=bits)


def _of_inputs(known: Mapping[str, Any]) -> Any:
    rate, bits = known["moving_rate"], known["activation_bits"]
    return FakeQuanterWithAbsMaxObserver(moving_rate=rate, bit_length=bits)


def _after(before: Any, quanter: Any) -> Any:
    """A factory of quanters that are called after other layers."""
    if before is None:
        return quanter
    return PACTQuanter(quanter) if before is PACT else _AfterFactory(before, quanter)


class _AfterFactory(QuanterFactory):
    def _get_class(self) -> type:
        return _After


class _After(BaseQuanter):
    """A layer, and the quanter that rounds what it returns."""

    def __init__(self, before: Made, quanter: Any, layer: Any):
        super().__init__()
        self.before, self.quanter = before(), quanter._instance(layer)

    @property
    def is_unseen(self) -> bool:
        """True while no data has passed in training."""
        return bool(getattr(self.quanter, "is_unseen", False))

    def forward(self, input: Any) -> Any:
        """What the layer makes of x, rounded."""
        return self.quanter(self.before(input))

    def scales(self) -> Any:
        """Those of the quanter."""
        return self.quanter.scales()

    def zero_points(self) -> Any:
        """Those of the quanter."""
        return self.quanter.zero_points()

    def quant_axis(self) -> Any:
        """That of the quanter."""
        return self.quanter.quant_axis()

    def bit_length(self) -> Any:
        """Bits of the integers."""
        return self.quanter.bit_length()

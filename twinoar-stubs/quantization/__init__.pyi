"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar.nn
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

class AbsmaxQuantizer(twinoar.quantization.BaseQuantizer):
    """The largest magnitude of all data."""
    def observer(self) -> twinoar.quantization._QuanterFactory:
        """AbsmaxObserver."""
class BaseObserver(twinoar.quantization.BaseQuanter):
    """A layer that looks at the values that pass, to say from them how they are to be rounded."""
    def cal_thresholds(self) -> None:
        """Compute what `scales()` and `zero_points()` return from what was seen."""
class BaseQuanter(twinoar.nn.Layer):
    """A layer through which values pass, and that tells by what scale they become integers."""
    def forward(self, input: Any) -> Any:
        """What becomes of a value that passes."""
    def scales(self) -> Any:
        """The largest magnitudes, [] or one for each index along `quant_axis()`; None if none."""
    def zero_points(self) -> Any:
        """The integers that stand for 0, of the shape of `scales()`; None for 0 itself."""
    def quant_axis(self) -> builtins.int | collections.abc.Iterable[builtins.int] | None:
        """The axis whose indices have scales of their own; -1 or None for one scale for all."""
    def bit_length(self) -> builtins.int | collections.abc.Iterable[builtins.int]:
        """How many bits the integers have."""
class BaseQuantizer:
    """Keeps an observer for each of some tensors, and makes thresholds of what they saw."""
    def __init__(self, quant_bits: Any = 8) -> None: ...
    def observer(self) -> twinoar.quantization._QuanterFactory:
        """The factory of the observers that it stands for."""
    def sample_data(self, layer: twinoar.nn.Layer, tensors: collections.abc.Sequence[Any]) -> None:
        """Look at tensors of a layer, the same number each time"""
    def cal_thresholds(self) -> None:
        """Make `thresholds`, a number for each tensor, or a list of one for each channel."""
    quant_bits: builtins.int
    thresholds: builtins.list[Any]
class HistQuantizer(twinoar.quantization.BaseQuantizer):
    """The magnitude below which a part of the values lies, from a histogram."""
    def __init__(self, quant_bits: Any = 8, bins: Any = 1024, upsample_bins: Any = 64, hist_percent: Any = ...) -> None: ...
    def observer(self) -> twinoar.quantization._QuanterFactory:
        """HistObserver."""
    bins: builtins.int
    upsample_bins: builtins.int
    hist_percent: builtins.float
class ImperativePTQ:
    """Post-training quantization of the Conv2D and Linear layers of a network."""
    def __init__(self, quant_config: twinoar.quantization.PTQConfig = ...) -> None: ...
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = False, fuse: builtins.bool = False, fuse_list: Any = None) -> twinoar.nn.Layer:
        """The network in evaluation mode with observers, to be called on some data."""
    def save_quantized_model(self, model: twinoar.nn.Layer, path: builtins.str, input_spec: Any = None, **config: Any) -> None:
        """Save what `quantize` returned, after data has passed, as `paddle.jit.save`."""
class ImperativeQuantAware:
    """Quantization-aware training of a network in place, by kinds of layers."""
    def __init__(self, quantizable_layer_type: collections.abc.Sequence[Any] = ..., weight_quantize_type: builtins.str = 'abs_max', activation_quantize_type: builtins.str = 'moving_average_abs_max', weight_bits: Any = 8, activation_bits: Any = 8, moving_rate: Any = ..., fuse_conv_bn: builtins.bool = False, weight_preprocess_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_preprocess_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, weight_quantize_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_quantize_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, onnx_format: builtins.bool = False) -> None: ...
    def quantize(self, model: twinoar.nn.Layer) -> twinoar.nn.Layer:
        """Put rounding layers into a network, and what measures results; returns it."""
    def save_quantized_model(self, layer: twinoar.nn.Layer, path: builtins.str, input_spec: Any = None, **config: Any) -> None:
        """Save the network in evaluation mode, as `paddle.jit.save`: it rounds where it did."""
class KLQuantizer(twinoar.quantization.BaseQuantizer):
    """The magnitude to clip at so that integers tell most of how values are distributed."""
    def __init__(self, quant_bits: Any = 8, bins: Any = 1024, upsample_bins: Any = 64) -> None: ...
    def observer(self) -> twinoar.quantization._QuanterFactory:
        """KLObserver."""
    bins: builtins.int
    upsample_bins: builtins.int
class PTQ:
    """Post-training quantization: observers learn scales from data, and nothing is trained."""
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = False) -> twinoar.nn.Layer:
        """The network with observers, to be called on some data."""
    def __init__(self, config: twinoar.quantization.QuantConfig) -> None: ...
    def convert(self, model: twinoar.nn.Layer, inplace: builtins.bool = False, remain_weight: builtins.bool = False) -> twinoar.nn.Layer:
        """A network whose quanters are operators with fixed scales, and weights are integers."""
class PTQConfig:
    """Quantizers of inputs and of weights, of which copies are taken."""
    def __init__(self, activation_quantizer: twinoar.quantization.BaseQuantizer, weight_quantizer: twinoar.quantization.BaseQuantizer) -> None: ...
    in_act_quantizer: Any
    out_act_quantizer: Any
    wt_quantizer: Any
class PTQRegistry:
    """Questions about a layer, or a class of layers."""
    @classmethod
    def is_supported_layer(cls, layer: Any) -> builtins.bool:
        """True for a layer that can stand in a network that is quantized."""
    @classmethod
    def is_registered_layer(cls, layer: Any) -> builtins.bool:
        """True for a layer that can stand in a network that is quantized."""
    @classmethod
    def is_simulated_quant_layer(cls, layer: Any) -> builtins.bool:
        """True for a layer whose weight and input are quantized."""
class PerChannelAbsmaxQuantizer(twinoar.quantization.BaseQuantizer):
    """The largest magnitude of each channel of a weight."""
    def observer(self) -> twinoar.quantization._QuanterFactory:
        """AbsMaxChannelWiseWeightObserver."""
class QAT:
    """Quantization-aware training: quanters round in training as integers will."""
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = False) -> twinoar.nn.Layer:
        """The network with quanters, to train."""
    def __init__(self, config: twinoar.quantization.QuantConfig) -> None: ...
    def convert(self, model: twinoar.nn.Layer, inplace: builtins.bool = False, remain_weight: builtins.bool = False) -> twinoar.nn.Layer:
        """A network whose quanters are operators with fixed scales, and weights are integers."""
class QuantConfig:
    """Which layers are quantized, and how: all alike, by type, by name or one by one."""
    def __init__(self, activation: Any, weight: Any) -> None: ...
    def add_layer_config(self, layer: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how a layer, or each of a list, is quantized"""
    def add_name_config(self, layer_name: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how layers of these names, `full_name()`, are quantized"""
    def add_type_config(self, layer_type: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how layers of a class, or of each of a list, are quantized."""
    def add_qat_layer_mapping(self, source: builtins.type, target: builtins.type) -> None:
        """Let layers of the class `source` become `target(layer, config)` when they are quantized."""
    def add_customized_leaf(self, layer_type: builtins.type) -> None:
        """Take layers of a class as one: their inputs are quantized, their parts are not."""
    @property
    def customized_leaves(self) -> builtins.list[builtins.type]:
        """The classes that were added as leaves."""
    @property
    def qat_layer_mappings(self) -> builtins.dict[builtins.type, builtins.type]:
        """What layers of each class become."""
    @property
    def default_qat_layer_mapping(self) -> builtins.dict[builtins.type, builtins.type]:
        """What layers become where nothing was added."""
    @property
    def global_config(self) -> Any:
        """What holds for all layers of which nothing else is said."""
    def details(self) -> builtins.str:
        """What holds for each layer of the network that was quantized last."""
SUPPORT_ACT_QUANTIZERS: builtins.list
SUPPORT_WT_QUANTIZERS: builtins.list
default_ptq_config: twinoar.quantization.PTQConfig
from . import imperative as imperative
from . import observers as observers
def quanter(class_name: builtins.str) -> collections.abc.Callable[[builtins.type], builtins.type]:
    """A decorator of a class of quanters: a factory `class_name` of it stands beside it."""
from . import quanters as quanters
class _QuanterFactory:
    """Makes quanters of one class with the same arguments, one for each place."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def args(self) -> builtins.tuple:
        """The positional arguments."""
    @property
    def kwargs(self) -> builtins.dict[builtins.str, Any]:
        """The named arguments."""

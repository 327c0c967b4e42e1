"""`paddle.quantization`: networks whose values are rounded to integers of few bits."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar.nn
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

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
class PTQ:
    """Post-training quantization: observers learn scales from data, and nothing is trained."""
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = False) -> twinoar.nn.Layer:
        """The network with observers, to be called on some data."""
    def __init__(self, config: twinoar.quantization.QuantConfig) -> None: ...
    def convert(self, model: twinoar.nn.Layer, inplace: builtins.bool = False, remain_weight: builtins.bool = False) -> twinoar.nn.Layer:
        """A network whose quanters are operators with fixed scales, and weights are integers."""
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
from . import observers as observers
def quanter(class_name: builtins.str) -> collections.abc.Callable[[builtins.type], builtins.type]:
    """A decorator of a class of quanters: a factory `class_name` of it stands beside it."""
from . import quanters as quanters

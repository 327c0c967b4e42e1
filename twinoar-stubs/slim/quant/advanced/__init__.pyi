"""PaddleSlim's `quant.advanced`: weights and activations of language models, rounded with care."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import twinoar.slim.quant
import twinoar.slim.quant.advanced
from typing import Any, Literal, overload

import numpy as _numpy

class AWQSearch:
    """Searches the factors of channels by AWQ; to be given to `Smooth`."""
    def __init__(self, n_grid: Any = 20, bits_length: Any = 4, weight_quant_method: builtins.str = 'groupwise', group_size: Any = 128, loss_function: collections.abc.Callable | None = None) -> None: ...
    def search(self, layer_name: builtins.str, sampled_input: Any, act_abs_max: Any, weight: Any) -> twinoar.Tensor:
        """Factors of channels, [1,K], float32, by which inputs are divided."""
    grid: Any
    n_grid: builtins.int
    loss_function: collections.abc.Callable | None
class EMASampler:
    """Keeps the moving average of the inputs of steps, for each name, with decay `ema_beta`."""
    ema_beta: builtins.float
    def __init__(self) -> None: ...
    def sample(self, x: Any, sampled_x: Any = None, layer_name: builtins.str | None = None) -> Any:
        """The average so far, each step with the weight that it has of all."""
    sampled: builtins.dict[builtins.str | None, Any]
    ema_step: builtins.dict[builtins.str | None, builtins.int]
class GPTQ(twinoar.nn.Layer):
    """Stands for a Linear while data passes, and then rounds its weight."""
    def __init__(self, layer: Any, quant_bits: Any = 4, weight_quant_method: builtins.str = 'abs_max_channel_wise') -> None: ...
    @property
    def quantized(self) -> builtins.bool:
        """Whether the weight was rounded."""
    def forward(self, input: Any) -> Any:
        """What the layer gives; until the weight is rounded, the input is looked at."""
    def fasterquant(self, blocksize: Any = 128, percdamp: Any = ..., groupsize: Any = -1, actorder: builtins.bool = True) -> None:
        """Round the weight; as `gptq`, with `actorder` for `by_size`"""
    layer: Any
    quant_bits: Any
    hessian: Any
    integers: Any
    scales: Any
class MultiStepSampler:
    """Keeps the inputs of all steps, one behind the other along the second axis."""
    def sample(self, x: Any, sampled_x: Any = None, layer_name: builtins.str | None = None) -> Any:
        """The new input before those so far."""
class Shift:
    """Watches a network on data, then moves the middle of what Linear layers read to 0."""
    def __init__(self, model: twinoar.nn.Layer, model_config: collections.abc.Mapping[builtins.str, Any] | None = None, shift_all_linears: builtins.bool = False, sample_function: Any = None) -> None: ...
    def update_weight(self) -> None:
        """Shift biases by what was seen, and watch no more"""
    def joints(self) -> builtins.list[twinoar.slim.quant.Joint]:
        """The joints of normalizations that are not to be skipped"""
    def reads(self, joint: twinoar.slim.quant.Joint, layer: Any) -> builtins.bool:
        """Whether a joint's channels are what a layer reads."""
    def seen_by(self, name: builtins.str) -> twinoar.slim.quant.advanced._Seen:
        """What a layer has read"""
    def helped(self, name: builtins.str) -> twinoar.slim.quant.advanced.ShiftSmoothHelpLayer:
        """Put a ShiftSmoothHelpLayer around a layer"""
    def stop(self) -> None:
        """Watch no more."""
    shift_all_linears: builtins.bool
    model: twinoar.nn.Layer
    model_config: Any
    sample_function: Any
    start_sample_step: builtins.int
    step: Any
    linears: builtins.dict[builtins.str, Any]
    seen: Any
class ShiftSmoothHelpLayer(twinoar.nn.Layer):
    """A Linear whose input is shifted and scaled first, which starts as the Linear alone."""
    def __init__(self, layer: Any) -> None: ...
    @property
    def weight(self) -> Any:
        """The weight of the Linear."""
    @property
    def bias(self) -> Any:
        """The bias of the Linear."""
    def forward(self, input: Any) -> Any:
        """The Linear of (input + shift_bias) * smooth_weight."""
    def convert_weight(self, shift_bias: Any = None, smooth_weight: Any = None) -> None:
        """Take `shift_bias` from inputs and divide them; weight and bias make up for both."""
    layer: Any
    shift_bias: twinoar.nn.Parameter
    smooth_weight: twinoar.nn.Parameter
class Smooth:
    """Watches a network on data, then makes the channels of what Linear layers read alike."""
    def __init__(self, model: twinoar.nn.Layer, model_config: collections.abc.Mapping[builtins.str, Any] | None = None, alpha: Any = ..., smooth_all_linears: builtins.bool = False, start_sample_step: Any = 10000, smooth_method: builtins.str = 'smoothquant', sample_function: Any = None, search_function: Any = None) -> None: ...
    def update_weight(self) -> None:
        """Scale weights by what was seen, and watch no more"""
    def joints(self) -> builtins.list[twinoar.slim.quant.Joint]:
        """The joints of normalizations that are not to be skipped"""
    def reads(self, joint: twinoar.slim.quant.Joint, layer: Any) -> builtins.bool:
        """Whether a joint's channels are what a layer reads."""
    def seen_by(self, name: builtins.str) -> twinoar.slim.quant.advanced._Seen:
        """What a layer has read"""
    def helped(self, name: builtins.str) -> twinoar.slim.quant.advanced.ShiftSmoothHelpLayer:
        """Put a ShiftSmoothHelpLayer around a layer"""
    def stop(self) -> None:
        """Watch no more."""
    alpha: builtins.float
    smooth_all_linears: builtins.bool
    smooth_method: builtins.str
    search_function: Any
    smooth_scale_dict: builtins.dict[builtins.str, Any]
    model: twinoar.nn.Layer
    model_config: Any
    sample_function: Any
    start_sample_step: builtins.int
    step: Any
    linears: builtins.dict[builtins.str, Any]
    seen: Any
class _Seen:
    """What a layer has read: extremes and the sum of magnitudes of each channel, and a sample."""
    def __init__(self, size: Any) -> None: ...
    def add(self, values: _numpy.ndarray[Any, Any]) -> None:
        """Count rows: [*,K]."""
    least: Any
    greatest: Any
    sum: Any
    rows: Any
    sample: Any

"""`paddle.static.quantization`: Programs that are quantized, in training and after it."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.static
import twinoar.static.quantization
from typing import Any, Literal, overload

import numpy as _numpy

class AddQuantDequantForInferencePass:
    """Is not served"""
    cure: builtins.str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class AddQuantDequantPass:
    """Rounds what other operators read, such as those of the type 'elementwise_add'."""
    def __init__(self, scope: twinoar.fluid.Scope | None = None, place: Any = None, moving_rate: Any = ..., quant_bits: Any = 8, skip_pattern: collections.abc.Sequence[builtins.str] = ..., quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., is_test: builtins.bool | None = None, scale_dict: Any = None) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one."""
AddQuantDequantPassV2 = AddQuantDequantPass
class ConvertToInt8Pass:
    """Nothing is left to do: weights are integers when QuantizationFreezePass has been applied."""
    def __init__(self, scope: twinoar.fluid.Scope | None, place: Any = None, quantizable_op_type: Any = None) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph as it is."""
class OutScaleForInferencePass(twinoar.static.quantization.OutScaleForTrainingPass):
    """Is not served: scales are those of what operators read"""
class OutScaleForTrainingPass:
    """Is not served: scales are those of what operators read"""
    cure: builtins.str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class PostTrainingQuantization(twinoar.static.quantization.PostTrainingQuantizationProgram):
    """Quantizes a saved model: `save_quantized_model` saves it anew."""
    def __init__(self, executor: twinoar.static.Executor, model_dir: builtins.str, scope: twinoar.fluid.Scope | None = None, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, batch_generator: Any = None, sample_generator: Any = None, data_loader: Any = None, *arguments: Any, **named: Any) -> None: ...
class PostTrainingQuantizationProgram:
    """Quantizes a Program for inference by what it computes on some data."""
    def __init__(self, executor: twinoar.static.Executor, program: twinoar.fluid.Program, feed_list: collections.abc.Sequence[Any] | None = None, fetch_list: collections.abc.Sequence[Any] | None = None, scope: twinoar.fluid.Scope | None = None, batch_generator: Any = None, sample_generator: Any = None, data_loader: Any = None, batch_size: Any = 10, batch_nums: Any = None, algo: builtins.str = 'KL', hist_percent: Any = ..., quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., round_type: builtins.str = 'round', learning_rate: Any = ..., is_full_quantize: builtins.bool = False, bias_correction: builtins.bool = False, activation_bits: Any = 8, weight_bits: Any = 8, activation_quantize_type: builtins.str = 'range_abs_max', weight_quantize_type: builtins.str = 'channel_wise_abs_max', onnx_format: builtins.bool = False, freeze_model: builtins.bool = True, optimize_model: builtins.bool = False, is_use_cache_file: builtins.bool = False, skip_tensor_list: collections.abc.Sequence[builtins.str] | None = None, same_scale_tensor_list: Any = None, cache_dir: Any = None, scale_dict: Any = None, return_graph: builtins.bool = True, deploy_backend: Any = None) -> None: ...
    def quantize(self) -> twinoar.fluid.Program:
        """Run the data, and return the Program of integers; the one of floats stays as it is."""
    def save_quantized_model(self, save_model_path: builtins.str, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None) -> None:
        """Save what `quantize` returned in a folder, as `static.save_inference_model`."""
class Quant2Int8MkldnnPass:
    """Is not served: the compiler makes products of integers"""
    cure: builtins.str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
Quant2Int8OnednnPass = Quant2Int8MkldnnPass
class QuantInt8MkldnnPass(twinoar.static.quantization.Quant2Int8MkldnnPass):
    """Is not served: the compiler makes products of integers"""
QuantInt8OnednnPass = QuantInt8MkldnnPass
class QuantWeightPass:
    """Lets weights that are quantized in each run be integers in the scope."""
    def __init__(self, scope: twinoar.fluid.Scope | None, place: Any = None, bias_correction: builtins.bool = False, quant_bits: Any = 8, save_int_weight: builtins.bool = True) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one"""
class QuantizationFreezePass:
    """Both of the above: a Program of fixed scales, with weights of integers."""
    def __init__(self, scope: twinoar.fluid.Scope | None, place: Any = None, bias_correction: builtins.bool = False, weight_bits: Any = 8, activation_bits: Any = 8, round_type: builtins.str = 'round', weight_quantize_type: builtins.str = 'abs_max', quantizable_op_type: Any = None) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one"""
class QuantizationTransformPass:
    """Rounds what convolutions and products read, their weights too, as integers of few bits would."""
    def __init__(self, scope: twinoar.fluid.Scope | None = None, place: Any = None, weight_bits: Any = 8, activation_bits: Any = 8, activation_quantize_type: builtins.str = 'abs_max', weight_quantize_type: builtins.str = 'abs_max', window_size: Any = 10000, moving_rate: Any = ..., skip_pattern: collections.abc.Sequence[builtins.str] = ..., quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None, act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None, is_test: builtins.bool | None = None) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one."""
QuantizationTransformPassV2 = QuantizationTransformPass
class ReplaceFakeQuantDequantPass:
    """Lets rounding for inference be quantizing and dequantizing by the scales in the scope."""
    def __init__(self, scope: twinoar.fluid.Scope | None, place: Any = None, quant_bits: Any = 8) -> None: ...
    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one"""
class TransformForMobilePass:
    """Is not served: Programs have one form"""
    cure: builtins.str
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class WeightQuantization:
    """Quantizes the weights of a saved model; it needs no data."""
    def __init__(self, model_dir: builtins.str, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None) -> None: ...
    def quantize_weight_to_int(self, save_model_dir: builtins.str, save_model_filename: builtins.str | None = None, save_params_filename: builtins.str | None = None, quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., weight_bits: Any = 8, weight_quantize_type: builtins.str = 'channel_wise_abs_max', generate_test_model: builtins.bool = False, threshold_rate: Any = ...) -> None:
        """Save the model in a folder, with integers for the weights of these operators."""
    def convert_weight_to_fp16(self, save_model_dir: Any) -> Any:
        """Is not served"""
from twinoar.slim.quant import convert as convert
from twinoar.slim.quant import quant_aware as quant_aware

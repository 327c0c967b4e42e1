"""Quantization of networks that are trained already, by PaddleSlim's names where it has them."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.nn
import twinoar.slim.quant
from typing import Any, Literal, overload

import numpy as _numpy

class Joint:
    """Channels that some parameters make, and that others multiply, and nothing else reads."""
    def scale(self, factors: _numpy.ndarray[Any, Any]) -> None:
        """Divide channels by positive factors where they are made, multiply where they are read."""
    def __init__(self, makers: builtins.tuple[Any, ...], readers: builtins.tuple[Any, ...], is_norm: builtins.bool, is_direct: builtins.bool) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    is_direct: builtins.bool
    is_norm: builtins.bool
    makers: builtins.tuple[Any, ...]
    readers: builtins.tuple[Any, ...]
class Quantized:
    """One layer whose weight was rounded: its name, bytes before and after."""
    def __init__(self, name: builtins.str, before: Any, after: Any, error: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    after: builtins.int
    before: builtins.int
    error: builtins.float
    name: builtins.str
class SlimQAT:
    """Is not served"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class SlimQuantConfig:
    """Is not served"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class WeightOnlyLinear(twinoar.nn.Layer):
    """A Linear that keeps its weight as integers; see `nn.quant.weight_only_linear`."""
    def __init__(self, integers: Any, scales: Any, bias: Any = None, bits: Any = 8, group_size: Any = -1, factors: Any = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """input: [*,K]"""
    def extra_repr(self) -> builtins.str:
        """What is shown of it."""
    bits: builtins.int
    group_size: builtins.int
    bias: Any
    in_features: Any
    out_features: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
from . import advanced as advanced
def convert(program: Any, place: Any = None, config: collections.abc.Mapping[builtins.str, Any] | None = None, scope: twinoar.fluid.Scope | None = None, save_int8: builtins.bool = False) -> Any:
    """The Program to serve: scales stand still, and weights are integers."""
def correct_biases(model: twinoar.nn.Layer, reference: twinoar.nn.Layer, batches: collections.abc.Sequence[Any]) -> builtins.list[builtins.str]:
    """Change biases so that the mean of each channel on some data is that of another network."""
def equalize(model: twinoar.nn.Layer, inputs: Any, rounds: Any = 10, tolerance: Any = ...) -> builtins.int:
    """Make the largest weights of each channel alike in the layers before and after it, in place."""
def export_quant_infermodel(*args: Any, **kwargs: Any) -> Any:
    """Is not served"""
def fold_batch_norms(model: twinoar.nn.Layer, inputs: Any) -> builtins.int:
    """Put each batch norm that follows a convolution into its weights, and Identity in its place."""
def joints(model: twinoar.nn.Layer, inputs: Any) -> builtins.list[twinoar.slim.quant.Joint]:
    """The joints of a network, in the order in which it runs."""
from . import observers as observers
def pact(*args: Any, **kwargs: Any) -> Any:
    """Is not served"""
def quant_aware(program: Any, place: Any = None, config: collections.abc.Mapping[builtins.str, Any] | None = None, scope: twinoar.fluid.Scope | None = None, for_test: builtins.bool = False, weight_quantize_func: Any = None, act_quantize_func: Any = None, weight_preprocess_func: Any = None, act_preprocess_func: Any = None, optimizer_func: Any = None, executor: Any = None, return_program: builtins.bool = False, calib_config: Any = None, draw_graph: builtins.bool = False, return_scale_dict: builtins.bool = False, scale_dict: Any = None, model_type: Any = None, pattern_ops: Any = None) -> twinoar.fluid.Program:
    """A Program whose convolutions and products read what integers of few bits stand for."""
def quant_aware_with_infermodel(*args: Any, **kwargs: Any) -> Any:
    """Is not served"""
def quant_embedding(program: Any, place: Any = None, config: collections.abc.Mapping[builtins.str, Any] | None = None, scope: twinoar.fluid.Scope | None = None) -> twinoar.fluid.Program:
    """A Program whose tables of embeddings are integers with one scale."""
def quant_post(executor: Any, model_dir: builtins.str, quantize_model_path: builtins.str, batch_generator: Any = None, sample_generator: Any = None, data_loader: Any = None, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, save_model_filename: builtins.str | None = 'model.pdmodel', save_params_filename: builtins.str | None = 'model.pdiparams', batch_size: Any = 1, batch_nums: Any = None, scope: twinoar.fluid.Scope | None = None, algo: builtins.str = 'hist', round_type: builtins.str = 'round', hist_percent: Any = ..., bias_correction: builtins.bool = False, quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., is_full_quantize: builtins.bool = False, weight_bits: Any = 8, activation_bits: Any = 8, activation_quantize_type: builtins.str = 'range_abs_max', weight_quantize_type: builtins.str = 'channel_wise_abs_max', optimize_model: builtins.bool = False, onnx_format: builtins.bool = True, skip_tensor_list: collections.abc.Sequence[builtins.str] | None = None, deploy_backend: Any = None) -> None:
    """Quantize a saved model by what it computes on some data, and save it in another folder."""
def quant_post_dynamic(model_dir: builtins.str, save_model_dir: builtins.str, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, save_model_filename: builtins.str | None = 'model.pdmodel', save_params_filename: builtins.str | None = 'model.pdiparams', quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., weight_bits: Any = 8, generate_test_model: builtins.bool = False) -> None:
    """Save a model with weights of integers, which computes in floats; it needs no data."""
def quant_post_hpo(executor: Any, place: Any, model_dir: builtins.str, quantize_model_path: builtins.str, train_sample_generator: Any = None, eval_sample_generator: Any = None, train_dataloader: Any = None, eval_dataloader: Any = None, eval_function: collections.abc.Callable[[Any, twinoar.fluid.Program, builtins.list[builtins.str], builtins.list[Any]], builtins.float] | None = None, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, save_model_filename: builtins.str | None = 'model.pdmodel', save_params_filename: builtins.str | None = 'model.pdiparams', scope: twinoar.fluid.Scope | None = None, quantizable_op_type: collections.abc.Sequence[builtins.str] = ..., is_full_quantize: builtins.bool = False, weight_bits: Any = 8, activation_bits: Any = 8, weight_quantize_type: collections.abc.Sequence[builtins.str] = ..., algo: collections.abc.Sequence[builtins.str] = ..., bias_correct: collections.abc.Sequence[builtins.bool] = ..., hist_percent: collections.abc.Sequence[Any] = ..., batch_size: collections.abc.Sequence[Any] = ..., batch_num: collections.abc.Sequence[Any] = ..., optimize_model: builtins.bool = False, onnx_format: builtins.bool = True, is_use_cache_file: builtins.bool = False, cache_dir: builtins.str = './temp_post_training', runcount_limit: Any = 30) -> twinoar.slim.quant._Trial:
    """Quantize a saved model in several ways, save the best in a folder, and return how it is."""
quant_post_only_weight = quant_post_dynamic
quant_post_static = quant_post
def quant_recon_static(*args: Any, **kwargs: Any) -> Any:
    """Is not served"""
from . import quanters as quanters
def quantize_weights(model: twinoar.nn.Layer, bits: Any = 8, group_size: Any = -1, method: builtins.str = 'nearest', batches: collections.abc.Sequence[Any] = ..., names: collections.abc.Collection[builtins.str] | None = None) -> builtins.list[twinoar.slim.quant.Quantized]:
    """Put a WeightOnlyLinear in the place of each Linear of a network, in eval mode."""
class _Trial:
    """One way to calibrate."""
    def arguments(self) -> builtins.dict[builtins.str, Any]:
        """What `PostTrainingQuantizationProgram` takes."""
    def __init__(self, algo: builtins.str, weight_quantize_type: builtins.str, hist_percent: Any, batch_nums: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    algo: builtins.str
    weight_quantize_type: builtins.str
    hist_percent: builtins.float
    batch_nums: builtins.int

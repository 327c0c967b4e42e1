"""Paddle Inference: running saved models, by `Config`, `create_predictor` and handles."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar
import twinoar.fluid
import twinoar.inference
import twinoar.jit
from typing import Any, Literal, overload

import numpy as _numpy

class Config:
    """A model's files, and options."""
    Precision: Any
    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3
    def __init__(self, *files: builtins.str) -> None: ...
    def set_model(self, *files: builtins.str) -> None:
        """The files: (prog_file, params_file), or (model_dir)"""
    def set_prog_file(self, x: builtins.str) -> None:
        """The file of the program."""
    def set_params_file(self, x: builtins.str) -> None:
        """The file of the parameters."""
    def set_model_buffer(self, prog_buffer: builtins.bytes, prog_size: Any, params_buffer: builtins.bytes, params_size: Any) -> None:
        """The contents of the two files, of which the first so many bytes count."""
    def model_dir(self) -> builtins.str:
        """The folder, or ''."""
    def prog_file(self) -> builtins.str:
        """The file of the program, or ''."""
    def params_file(self) -> builtins.str:
        """The file of the parameters, or ''."""
    def model_from_memory(self) -> builtins.bool:
        """True after `set_model_buffer`."""
    def contents(self) -> builtins.tuple[builtins.bytes, builtins.bytes | None, builtins.str]:
        """The program, the parameters (None where each has a file of its own), and where from."""
    def disable_gpu(self) -> None:
        """Run on the CPU, which it does anyway."""
    def enable_use_gpu(self, memory_pool_init_size_mb: Any = 0, device_id: Any = 0, precision_mode: Any = None) -> None:
        """Raises UnsupportedError: this version has one device, the CPU."""
    def set_cpu_math_library_num_threads(self, x: Any) -> None:
        """How many threads a run has"""
    def cpu_math_library_num_threads(self) -> builtins.int:
        """How many threads a run has; 0 for as many as there are cores."""
    def set_float32_matmul_precision(self, precision: Literal['highest', 'high', 'medium']) -> None:
        """How exact products of float32 are in this model; `twinoar.set_float32_matmul_precision`."""
    def float32_matmul_precision(self) -> Literal['highest', 'high', 'medium'] | None:
        """What was set here; None for what the process has when the model runs."""
    def enable_mkldnn(self) -> None:
        """Run matrix products and convolutions in oneDNN where it is installed, as is usual."""
    def disable_mkldnn(self) -> None:
        """Raises UnsupportedError where oneDNN is in use: a flag of the process turns it off."""
    def mkldnn_enabled(self) -> builtins.bool:
        """True unless TWINOAR_ONEDNN=0."""
    def set_mkldnn_cache_capacity(self, capacity: Any = 0) -> None:
        """Accepted: what is compiled for each set of shapes is kept."""
    def disable_mkldnn_fc_passes(self) -> None:
        """Accepted: there are no such passes."""
    def enable_onednn(self) -> None:
        """Run matrix products and convolutions in oneDNN where it is installed, as is usual."""
    def disable_onednn(self) -> None:
        """Raises UnsupportedError where oneDNN is in use: a flag of the process turns it off."""
    def onednn_enabled(self) -> builtins.bool:
        """True unless TWINOAR_ONEDNN=0."""
    def set_onednn_cache_capacity(self, capacity: Any = 0) -> None:
        """Accepted: what is compiled for each set of shapes is kept."""
    def disable_onednn_fc_passes(self) -> None:
        """Accepted: there are no such passes."""
    def disable_onnxruntime(self) -> None:
        """Accepted: it is not in use."""
    def switch_ir_optim(self, x: builtins.bool = True) -> None:
        """Run the passes of `pass_builder()` when a Predictor is made, or not."""
    def ir_optim(self) -> builtins.bool:
        """True where passes are run."""
    def switch_ir_debug(self, x: builtins.bool = True, passes: collections.abc.Sequence[builtins.str] = ...) -> None:
        """Write `<n>_ir_<pass>.dot`, the model after a pass, into the current folder; or not."""
    def pass_builder(self) -> twinoar.inference.PassStrategy:
        """The list of passes, to be edited."""
    def delete_pass(self, pass_name: builtins.str) -> None:
        """Leave out a pass"""
    def enable_custom_passes(self, passes: collections.abc.Sequence[builtins.str] = ..., custom_pass_only: builtins.bool = False) -> None:
        """Run these passes after the others, or in their place"""
    def set_optimization_level(self, opt_level: Any = 2) -> None:
        """Run the passes of `pass_builder()`, or, at level 0, none"""
    def enable_memory_optim(self, x: builtins.bool = True) -> None:
        """Accepted: values that are not needed at once share memory in any case."""
    def disable_glog_info(self) -> None:
        """Accepted: nothing is logged unless TWINOAR_DEBUG says so."""
    def glog_info_disabled(self) -> builtins.bool:
        """True after `disable_glog_info`."""
    def switch_use_feed_fetch_ops(self, x: builtins.bool = True) -> None:
        """Accepted: inputs and outputs have handles in any case."""
    def use_feed_fetch_ops_enabled(self) -> builtins.bool:
        """False."""
    def enable_new_executor(self, x: builtins.bool = True) -> None:
        """Accepted: there is one way to run a model."""
    def enable_new_ir(self, x: builtins.bool = True) -> None:
        """Accepted: models of both forms become the same Programs."""
    def new_ir_enabled(self) -> builtins.bool:
        """What `enable_new_ir` was given, False without it."""
    def switch_specify_input_names(self, x: builtins.bool = True) -> None:
        """Accepted: inputs have names in any case."""
    def specify_input_name(self) -> builtins.bool:
        """True."""
    def summary(self) -> builtins.str:
        """The options as a table."""
    def enable_tensorrt_engine(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tensorrt_dla(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tensorrt_inspector(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tensorrt_explicit_quantization(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tensorrt_memory_optim(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tensorrt_varseqlen(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_tuned_tensorrt_dynamic_shape(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def exp_disable_tensorrt_dynamic_shape_ops(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def exp_disable_tensorrt_ops(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def exp_disable_tensorrt_subgraph(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def exp_specify_tensorrt_subgraph_precision(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def mark_trt_engine_outputs(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def set_tensorrt_optimization_level(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def set_trt_dynamic_shape_info(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: TensorRT is not served."""
    def enable_xpu(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def set_xpu_config(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def set_xpu_device_id(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def xpu_config(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def enable_ipu(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def load_ipu_config(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def set_ipu_config(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def set_ipu_custom_info(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def enable_custom_device(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def exp_enable_use_cutlass(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def exp_sparse_conv_using_buffer(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: an XPU, IPU or another device than the CPU is not served."""
    def enable_onnxruntime(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: ONNX Runtime is not served."""
    def enable_ort_optimization(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: ONNX Runtime is not served."""
    def enable_openvino_engine(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: OpenVINO is not served."""
    def enable_cinn(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: CINN is not served."""
    def enable_low_precision_io(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def enable_mkldnn_bfloat16(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def enable_onednn_bfloat16(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def enable_mkldnn_int8(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def enable_onednn_int8(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def exp_disable_mixed_precision_ops(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def exp_enable_mixed_precision_ops(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def set_bfloat16_op(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a lower precision than the model has is not served."""
    def set_mkldnn_op(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a choice of operators that oneDNN runs is not served."""
    def set_onednn_op(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a choice of operators that oneDNN runs is not served."""
    def collect_shape_range_info(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: a range of shapes, which other engines need is not served."""
    def enable_save_optim_model(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: files of a model that is already optimized is not served."""
    def use_optimized_model(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: files of a model that is already optimized is not served."""
    def set_optim_cache_dir(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: files of a model that is already optimized is not served."""
    def enable_profile(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: times of each run in the log is not served."""
    def to_native_config(self, *args: Any, **kwargs: Any) -> None:
        """Raises UnsupportedError: the configuration of Paddle's native engine is not served."""
    def fraction_of_gpu_memory_for_pool(self) -> Any:
        """0.0: that is not in use."""
    def gpu_device_id(self) -> Any:
        """0: that is not in use."""
    def memory_pool_init_size_mb(self) -> Any:
        """100: that is not in use."""
    def mkldnn_int8_enabled(self) -> Any:
        """False: that is not in use."""
    def onednn_int8_enabled(self) -> Any:
        """False: that is not in use."""
    def onnxruntime_enabled(self) -> Any:
        """False: that is not in use."""
    def openvino_engine_enabled(self) -> Any:
        """False: that is not in use."""
    def shape_range_info_collected(self) -> Any:
        """False: that is not in use."""
    def shape_range_info_path(self) -> Any:
        """'': that is not in use."""
    def tensorrt_dla_enabled(self) -> Any:
        """False: that is not in use."""
    def tensorrt_dynamic_shape_enabled(self) -> Any:
        """False: that is not in use."""
    def tensorrt_engine_enabled(self) -> Any:
        """False: that is not in use."""
    def tensorrt_explicit_quantization_enabled(self) -> Any:
        """False: that is not in use."""
    def tensorrt_inspector_enabled(self) -> Any:
        """False: that is not in use."""
    def tensorrt_optimization_level(self) -> Any:
        """3: that is not in use."""
    def tensorrt_precision_mode(self) -> Any:
        """<PrecisionType.Float32: 0>: that is not in use."""
    def tensorrt_varseqlen_enabled(self) -> Any:
        """False: that is not in use."""
    def trt_allow_build_at_runtime(self) -> Any:
        """False: that is not in use."""
    def tuned_tensorrt_dynamic_shape(self) -> Any:
        """False: that is not in use."""
    def use_gpu(self) -> Any:
        """False: that is not in use."""
    def use_xpu(self) -> Any:
        """False: that is not in use."""
    def xpu_device_id(self) -> Any:
        """0: that is not in use."""
class DataType(enum.IntEnum):
    """The element type of an input or output."""
    @property
    def dtype(self) -> twinoar.dtype:
        """The dtype that it stands for."""
    @classmethod
    def of(cls, dtype: twinoar.dtype) -> twinoar.inference.DataType:
        """The member for a dtype"""
    FLOAT32 = 0
    INT64 = 1
    INT32 = 2
    UINT8 = 3
    INT8 = 4
    FLOAT16 = 5
    BOOL = 6
    FLOAT64 = 7
class PassStrategy:
    """The passes that prepare a model, in order; see `twinoar.passes` for what each does."""
    def __init__(self) -> None: ...
    def all_passes(self) -> builtins.list[builtins.str]:
        """The names, in order."""
    def set_passes(self, passes: builtins.list[builtins.str]) -> None:
        """Run these instead"""
    def append_pass(self, pass_type: builtins.str) -> None:
        """Run a pass after all others"""
    def insert_pass(self, idx: Any, pass_type: builtins.str) -> None:
        """Run a pass as number `idx`"""
    def delete_pass(self, pass_type: Any) -> None:
        """Leave out a pass, by name or number"""
    def turn_on_debug(self) -> None:
        """Draw the model after each pass, as `switch_ir_debug` of a Config does."""
    def debug_string(self) -> builtins.str:
        """The names, a line each."""
    shows_each: Any
class PlaceType(enum.IntEnum):
    """Where data lies."""
    UNK = -1
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM = 4
class PrecisionType(enum.IntEnum):
    """What a model computes in."""
    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3
class Predictor:
    """Runs a model; see `create_predictor`"""
    def __init__(self, model: Any) -> None: ...
    def get_input_names(self) -> builtins.list[builtins.str]:
        """The names of the inputs, in order."""
    def get_output_names(self) -> builtins.list[builtins.str]:
        """The names of the outputs, in order."""
    def get_input_handle(self, name: builtins.str) -> twinoar.inference.Tensor:
        """Where an input is put"""
    def get_output_handle(self, name: builtins.str) -> twinoar.inference.Tensor:
        """Where an output is found after `run`"""
    def run(self, inputs: collections.abc.Sequence[Any] | None = None) -> builtins.list[Any] | None:
        """Run once, on what the handles hold, or on `inputs`, arrays or Tensors in order."""
    def clone(self) -> twinoar.inference.Predictor:
        """A Predictor of the same model and weights, with its own handles."""
    def clear_intermediate_tensor(self) -> None:
        """Forget what the handles hold."""
    def try_shrink_memory(self) -> builtins.int:
        """Forget what the handles hold, and return the bytes that are free again."""
    @property
    def program(self) -> twinoar.jit._Program:
        """The Program that runs, as passes have left it."""
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What runs as what, a line for each part with its time; sort: 'order' or 'time'."""
class PredictorPool:
    """Predictors of one model, for as many threads"""
    def __init__(self, config: twinoar.inference.Config, size: Any) -> None: ...
    def retrieve(self, idx: Any) -> twinoar.inference.Predictor:
        """Predictor number `idx`"""
    def retrive(self, idx: Any) -> twinoar.inference.Predictor:
        """Predictor number `idx`"""
class Tensor:
    """An input or output of a Predictor, by name; made by `get_input_handle` and its like."""
    def __init__(self, variable: twinoar.fluid.Variable, name: builtins.str) -> None: ...
    def name(self) -> builtins.str:
        """The name in the model."""
    def reshape(self, shape: collections.abc.Sequence[Any]) -> None:
        """Say which shape is to come, or give the data that is there another one."""
    def copy_from_cpu(self, data: _numpy.ndarray[Any, Any]) -> None:
        """Take a copy of an array of the input's dtype"""
    def share_external_data(self, data: Any) -> None:
        """Take an array, or a Tensor, without a copy"""
    def copy_to_cpu(self) -> _numpy.ndarray[Any, Any]:
        """A copy of the data"""
    def shape(self) -> builtins.list[builtins.int]:
        """The sizes of the data, or of what `reshape` announced; -1 where they are not known."""
    def type(self) -> twinoar.inference.DataType:
        """The element type."""
    def lod(self) -> builtins.list[builtins.list[builtins.int]]:
        """The levels of detail: none, as sequences are padded."""
    def set_lod(self, lod: collections.abc.Sequence[collections.abc.Sequence[Any]]) -> None:
        """Accepted where it is empty"""
class XpuConfig:
    """Needs an XPU: raises ArgumentError."""
    def __init__(self, **kwargs: Any) -> None: ...
def convert_to_mixed_precision(model_file: builtins.str, params_file: builtins.str, mixed_model_file: builtins.str, mixed_params_file: builtins.str, mixed_precision: twinoar.inference.PrecisionType, backend: twinoar.inference.PlaceType, keep_io_types: builtins.bool = True, black_list: collections.abc.Iterable[builtins.str] = ..., **kwargs: Any) -> None:
    """Write a saved model anew, so that it computes in float16 or bfloat16 where that is enough."""
def create_predictor(config: twinoar.inference.Config) -> twinoar.inference.Predictor:
    """A Predictor of the model that `config` names."""
def get_num_bytes_of_data_type(dtype: twinoar.inference.DataType) -> builtins.int:
    """The bytes of one element"""
def get_trt_compile_version() -> builtins.tuple[builtins.int, builtins.int, builtins.int]:
    """The version of TensorRT that this was built with: none, (0, 0, 0)."""
def get_trt_runtime_version() -> builtins.tuple[builtins.int, builtins.int, builtins.int]:
    """The version of TensorRT that is there: none, (0, 0, 0)."""
def get_version() -> builtins.str:
    """The version of twinoar, as a line."""

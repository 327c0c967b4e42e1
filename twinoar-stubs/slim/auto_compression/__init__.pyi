"""AutoCompression: saved models are compressed by strategies of a configuration."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.slim.analysis
import twinoar.slim.auto_compression
from typing import Any, Literal, overload

import numpy as _numpy

class ASPPrune:
    """2 zeros in 4 neighbors; prune_params_name: None for all weights that are wide enough."""
    prune_params_name: collections.abc.Sequence[builtins.str] | None
    def __init__(self, prune_params_name: collections.abc.Sequence[builtins.str] | None = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class AutoCompression:
    """Compresses a saved model: `compress` writes it anew, and returns a report."""
    def __init__(self, model_dir: builtins.str, train_dataloader: Any, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, save_dir: builtins.str = './output', config: collections.abc.Mapping[builtins.str, Any] | builtins.str | None = None, input_shapes: Any = None, target_speedup: Any = None, eval_callback: collections.abc.Callable[[Any, twinoar.fluid.Program, builtins.list[builtins.str], builtins.list[Any]], builtins.float] | None = None, eval_dataloader: Any = None, deploy_hardware: builtins.str | None = 'gpu') -> None: ...
    def compress(self) -> twinoar.slim.analysis.Report:
        """Run all strategies, save the model and `report.json`, and return the report."""
    def export_onnx(self, *args: Any, **kwargs: Any) -> Any:
        """Is not served"""
    final_dir: builtins.str
    report: Any
class ChannelPrune:
    """Filters that matter least; see `slim.prune.Pruner`."""
    prune_params_name: collections.abc.Sequence[builtins.str] | None
    criterion: builtins.str | collections.abc.Callable[..., Any]
    def __init__(self, pruned_ratio: Any, prune_params_name: collections.abc.Sequence[builtins.str] | None = None, criterion: builtins.str | collections.abc.Callable[..., Any] = 'l1_norm') -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    pruned_ratio: builtins.float | collections.abc.Sequence[builtins.float]
class Distillation:
    """Training by what a teacher computes."""
    loss: builtins.str | collections.abc.Sequence[builtins.str]
    node: collections.abc.Sequence[Any]
    alpha: builtins.float | collections.abc.Sequence[builtins.float]
    teacher_model_dir: Any
    teacher_model_filename: Any
    teacher_params_filename: Any
    def __init__(self, loss: builtins.str | collections.abc.Sequence[builtins.str] = 'l2', node: collections.abc.Sequence[Any] = ..., alpha: Any = ..., teacher_model_dir: Any = None, teacher_model_filename: Any = None, teacher_params_filename: Any = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class HyperParameterOptimization:
    """Tries several settings of QuantPost; see `slim.quant.quant_post_hpo`."""
    ptq_algo: collections.abc.Sequence[builtins.str]
    bias_correct: collections.abc.Sequence[builtins.bool]
    weight_quantize_type: collections.abc.Sequence[builtins.str]
    hist_percent: collections.abc.Sequence[builtins.float]
    batch_num: collections.abc.Sequence[builtins.int]
    max_quant_count: builtins.int
    def __init__(self, ptq_algo: collections.abc.Sequence[builtins.str] = ..., bias_correct: collections.abc.Sequence[builtins.bool] = ..., weight_quantize_type: collections.abc.Sequence[builtins.str] = ..., hist_percent: collections.abc.Sequence[Any] = ..., batch_num: collections.abc.Sequence[Any] = ..., max_quant_count: Any = 20) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class MultiTeacherDistillation(twinoar.slim.auto_compression.Distillation):
    """Training by several teachers: losses, nodes, factors and folders are lists of one length."""
    loss: builtins.str | collections.abc.Sequence[builtins.str]
    alpha: builtins.float | collections.abc.Sequence[builtins.float]
    teacher_model_dir: Any
    teacher_model_filename: Any
    teacher_params_filename: Any
    def __init__(self, loss: builtins.str | collections.abc.Sequence[builtins.str] = ..., node: collections.abc.Sequence[Any] = ..., alpha: Any = ..., teacher_model_dir: Any = ..., teacher_model_filename: Any = ..., teacher_params_filename: Any = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class ProgramInfo:
    """A Program with what is fed and fetched, and what trains it."""
    optimizer: Any
    learning_rate: Any
    loss_dict: Any
    def __init__(self, startup_program: Any, program: Any, feed_target_names: builtins.list[builtins.str], fetch_targets: builtins.list[Any], optimizer: Any = None, learning_rate: Any = None, loss_dict: Any = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    startup_program: Any
    program: Any
    feed_target_names: builtins.list[builtins.str]
    fetch_targets: builtins.list[Any]
Prune = ChannelPrune
class QuantAware:
    """Training with rounded values; see `static.quantization.quant_aware`."""
    quantize_op_types: collections.abc.Sequence[builtins.str]
    weight_bits: builtins.int
    activation_bits: builtins.int
    not_quant_pattern: collections.abc.Sequence[builtins.str]
    use_pact: builtins.bool
    activation_quantize_type: builtins.str
    weight_quantize_type: builtins.str
    dtype: builtins.str
    window_size: builtins.int
    moving_rate: builtins.float
    for_tensorrt: builtins.bool
    onnx_format: builtins.bool
    is_full_quantize: builtins.bool
    def config(self) -> builtins.dict[builtins.str, Any]:
        """What `quant_aware` takes."""
    def __init__(self, quantize_op_types: collections.abc.Sequence[builtins.str] = ..., weight_bits: Any = 8, activation_bits: Any = 8, not_quant_pattern: collections.abc.Sequence[builtins.str] = ..., use_pact: builtins.bool = False, activation_quantize_type: builtins.str = 'moving_average_abs_max', weight_quantize_type: builtins.str = 'channel_wise_abs_max', dtype: builtins.str = 'int8', window_size: Any = 10000, moving_rate: Any = ..., for_tensorrt: builtins.bool = False, onnx_format: builtins.bool = True, is_full_quantize: builtins.bool = False) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class QuantPost:
    """Calibration on data; see `slim.quant.quant_post_static`."""
    batch_size: builtins.int
    batch_nums: builtins.int | None
    epochs: builtins.int
    lr: builtins.float
    algo: builtins.str
    hist_percent: builtins.float
    regions: Any
    region_weights_names: Any
    recon_level: Any
    is_full_quantize: builtins.bool
    bias_correction: builtins.bool
    weight_quantize_type: builtins.str
    activation_quantize_type: builtins.str
    simulate_activation_quant: builtins.bool
    skip_tensor_list: collections.abc.Sequence[builtins.str] | None
    onnx_format: builtins.bool
    quantize_op_types: collections.abc.Sequence[builtins.str]
    weight_bits: builtins.int
    activation_bits: builtins.int
    def arguments(self) -> builtins.dict[builtins.str, Any]:
        """What `PostTrainingQuantizationProgram` takes."""
    def __init__(self, batch_size: Any = 32, batch_nums: Any = None, epochs: Any = 20, lr: Any = ..., algo: builtins.str = 'hist', hist_percent: Any = ..., regions: Any = None, region_weights_names: Any = None, recon_level: Any = None, is_full_quantize: builtins.bool = False, bias_correction: builtins.bool = False, weight_quantize_type: builtins.str = 'channel_wise_abs_max', activation_quantize_type: builtins.str = 'range_abs_max', simulate_activation_quant: builtins.bool = False, skip_tensor_list: collections.abc.Sequence[builtins.str] | None = None, onnx_format: builtins.bool = True, quantize_op_types: collections.abc.Sequence[builtins.str] = ..., weight_bits: Any = 8, activation_bits: Any = 8) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class TrainConfig:
    """How strategies that train do so."""
    epochs: builtins.int | None
    train_iter: builtins.int | None
    learning_rate: builtins.float | collections.abc.Mapping[builtins.str, Any]
    eval_iter: builtins.int
    logging_iter: builtins.int | None
    origin_metric: builtins.float | None
    target_metric: builtins.float | None
    amp_config: Any
    recompute_config: Any
    sharding_config: Any
    sparse_model: builtins.bool
    def for_quantization(self) -> twinoar.slim.auto_compression.TrainConfig:
        """A tenth of it, as for quantizing what has been trained after pruning."""
    def __init__(self, epochs: Any = None, train_iter: Any = None, learning_rate: Any = ..., optimizer_builder: collections.abc.Mapping[builtins.str, Any] = ..., eval_iter: Any = 1000, logging_iter: Any = 10, origin_metric: Any = None, target_metric: Any = None, amp_config: Any = None, recompute_config: Any = None, sharding_config: Any = None, sparse_model: builtins.bool = False) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    optimizer_builder: collections.abc.Mapping[builtins.str, Any]
class TransformerPrune:
    """Columns of the inner products of transformers, those that matter least; heads stay."""
    def __init__(self, pruned_ratio: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    pruned_ratio: builtins.float
class UnstructurePrune:
    """Single weights; see `slim.prune.UnstructuredPruner`"""
    prune_strategy: builtins.str | None
    prune_mode: builtins.str
    threshold: builtins.float
    ratio: builtins.float
    gmp_config: collections.abc.Mapping[builtins.str, builtins.float] | None
    prune_params_type: builtins.str | None
    local_sparsity: builtins.bool
    def __init__(self, prune_strategy: builtins.str | None = None, prune_mode: builtins.str = 'ratio', threshold: Any = ..., ratio: Any = ..., gmp_config: collections.abc.Mapping[builtins.str, Any] | None = None, prune_params_type: builtins.str | None = 'conv1x1_only', local_sparsity: builtins.bool = False) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
def analysis_prune(eval_function: collections.abc.Callable[..., builtins.float], model_dir: builtins.str, model_filename: builtins.str | None, params_filename: builtins.str | None, analysis_file: builtins.str, pruned_ratios: collections.abc.Sequence[Any], target_loss: Any = None, criterion: builtins.str = 'l1_norm') -> builtins.dict[builtins.str, builtins.float]:
    """The ratio for each convolution that loses at most target_loss; {} without it."""

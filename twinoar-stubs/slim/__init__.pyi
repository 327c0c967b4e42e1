"""Compression of networks: pruning and distillation, by PaddleSlim's names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.nn
import twinoar.slim
import twinoar.slim.analysis
import typing
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import AbsmaxQuantizer as AbsmaxQuantizer
class Codebook:
    """The values of one weight, [k], and which each element has, in the weight's shape."""
    @property
    def bits(self) -> builtins.int:
        """How many bits an element takes."""
    @property
    def size(self) -> builtins.int:
        """Bytes of indices and values together."""
    def __init__(self, values: _numpy.ndarray[Any, Any], indices: _numpy.ndarray[Any, Any]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    indices: _numpy.ndarray[Any, Any]
    values: _numpy.ndarray[Any, Any]
class Distill(twinoar.nn.Layer):
    """Runs students and teachers on the same inputs, and computes losses between their layers."""
    def __init__(self, configs: collections.abc.Sequence[collections.abc.Mapping[builtins.str, Any]], students: twinoar.nn.Layer | collections.abc.Sequence[twinoar.nn.Layer], teachers: twinoar.nn.Layer | collections.abc.Sequence[twinoar.nn.Layer], convert_fn: builtins.bool = True, return_model_outputs: builtins.bool = True) -> None: ...
    def parameters(self, include_sublayers: builtins.bool = True) -> builtins.list[Any]:
        """Those of the students, and of layers that align."""
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The loss; with `return_model_outputs` also what students and teachers return."""
    distill_loss: Any
class FPGMFilterPruner(twinoar.slim.FilterPruner):
    """Filters nearest to all others go first: what they do, others do too."""
    def importance(self, weight: _numpy.ndarray[Any, Any]) -> _numpy.ndarray[Any, Any]:
        """The sum of the distances of each filter to the others."""
class Factorized:
    """One layer that was divided: its name, rank, parameters before and after."""
    def __init__(self, name: builtins.str, rank: Any, before: Any, after: Any, error: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    after: builtins.int
    before: builtins.int
    error: builtins.float
    name: builtins.str
    rank: builtins.int
class FilterPruner(twinoar.slim.Pruner):
    """What pruners of filters share, as Paddle names it."""
class GMPUnstructuredPruner(twinoar.slim.UnstructuredPruner):
    """Sets more and more weights to 0: the share grows fast at first, then slowly."""
    def __init__(self, model: twinoar.nn.Layer, ratio: Any = ..., prune_params_type: builtins.str | None = None, skip_params_func: collections.abc.Callable[[twinoar.nn.Layer], collections.abc.Iterable[builtins.str]] | None = None, local_sparsity: builtins.bool = False, sparse_block: collections.abc.Sequence[Any] = ..., configs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None: ...
    def step(self) -> None:
        """Go one iteration on; choose anew where the share has changed."""
    def ratio_at(self, iteration: Any) -> builtins.float:
        """The share of zeros from an iteration on."""
    pruning_steps: Any
    pruning_iterations: Any
    target_ratio: builtins.float
    initial_ratio: Any
    stable_iterations: Any
    tunning_iterations: Any
    cur_iteration: Any
    ratio: builtins.float
from twinoar.quantization import HistQuantizer as HistQuantizer
from twinoar.quantization import KLQuantizer as KLQuantizer
class L1NormFilterPruner(twinoar.slim.FilterPruner):
    """Filters with the least mean of absolute values go first."""
    def importance(self, weight: _numpy.ndarray[Any, Any]) -> _numpy.ndarray[Any, Any]:
        """The mean of absolute values of each filter."""
class L2NormFilterPruner(twinoar.slim.FilterPruner):
    """Filters with the least sum of squares go first."""
    def importance(self, weight: _numpy.ndarray[Any, Any]) -> _numpy.ndarray[Any, Any]:
        """The root of the sum of squares of each filter."""
class LowRank:
    """`factorize` with these settings."""
    energy: builtins.float
    rank: builtins.float | None
    changes_shapes: builtins.bool
    def __call__(self, model: twinoar.nn.Layer, inputs: Any, evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None) -> twinoar.slim._Keeper | None:
        """Divide layers of `model`."""
    def __init__(self, energy: Any = ..., rank: Any = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class PTQ:
    """Post-training quantization of the Conv2D and Linear layers of a network."""
    def __init__(self, activation_quantizer: builtins.str = 'KLQuantizer', weight_quantizer: builtins.str = 'PerChannelAbsmaxQuantizer', **kwargs: Any) -> None: ...
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = False, fuse: builtins.bool = False, fuse_list: Any = None) -> twinoar.nn.Layer:
        """The network in evaluation mode with observers, to be called on some data."""
    def save_quantized_model(self, model: twinoar.nn.Layer, path: builtins.str, input_spec: Any = None, **kwargs: Any) -> None:
        """Save what `quantize` returned, after data has passed, as `paddle.jit.save`."""
    ptq: Any
from twinoar.quantization import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
class PruneFilters:
    """Filters for a share of the multiplications."""
    flops: builtins.float
    kind: Any
    by_sensitivity: builtins.bool
    changes_shapes: builtins.bool
    def __call__(self, model: twinoar.nn.Layer, inputs: Any, evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None) -> twinoar.slim._Keeper | None:
        """Prune `model`."""
    def __init__(self, flops: Any = ..., kind: builtins.type[twinoar.slim.FilterPruner] = ..., by_sensitivity: builtins.bool = False) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class PruneWeights:
    """A share of single weights becomes 0."""
    ratio: builtins.float
    changes_shapes: builtins.bool
    def __call__(self, model: twinoar.nn.Layer, inputs: Any, evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None) -> twinoar.slim._Keeper | None:
        """Set weights of `model` to 0."""
    def __init__(self, ratio: Any = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class Pruner:
    """What all pruners of filters share; make one of the classes that say which filters matter."""
    def __init__(self, model: twinoar.nn.Layer, inputs: Any, sen_file: builtins.str | None = None, opt: Any = None, skip_leaves: builtins.bool = True, prune_type: builtins.str = 'conv', input_dtype: builtins.str = 'float32', num_head: Any = -1) -> None: ...
    @property
    def network(self) -> Any:
        """The network's channels as it is now."""
    @property
    def prunable(self) -> builtins.list[builtins.str]:
        """The names of weights that `sensitive` looks at: those of which filters can be removed."""
    def importance(self, weight: _numpy.ndarray[Any, Any]) -> _numpy.ndarray[Any, Any]:
        """How much each of the first axis matters; classes below say so."""
    def prune_var(self, var_name: builtins.str, pruned_axis: Any, pruned_ratio: Any, apply: builtins.str | None = 'impretive') -> twinoar.slim.PruningPlan:
        """Remove a share of the channels along one axis of a parameter, and what depends on them."""
    def prune_vars(self, ratios: collections.abc.Mapping[builtins.str, Any], axis: Any, apply: builtins.str | None = 'impretive') -> twinoar.slim.PruningPlan:
        """As `prune_var` for several parameters at once, by name."""
    def sensitive(self, eval_func: collections.abc.Callable[[], builtins.float] | None = None, sen_file: builtins.str | None = None, target_vars: collections.abc.Iterable[builtins.str] | None = None, skip_vars: collections.abc.Iterable[builtins.str] = ...) -> builtins.dict[builtins.str, builtins.dict[builtins.float, builtins.float]]:
        """What the network loses when each weight alone is pruned: {name: {ratio: loss}}."""
    def get_ratios_by_sensitivity(self, pruned_flops: Any, align: Any = None, dims: Any = 0, skip_vars: collections.abc.Iterable[builtins.str] = ...) -> builtins.tuple[builtins.dict[builtins.str, builtins.float], builtins.float]:
        """Ratios that save a share of the multiplications with equal losses, and what they save."""
    def sensitive_prune(self, pruned_flops: Any, skip_vars: collections.abc.Iterable[builtins.str] = ..., align: Any = None) -> twinoar.slim.PruningPlan:
        """Remove filters for a share of the multiplications, most where it costs least."""
    def prune_flops(self, pruned_flops: Any, skip_vars: collections.abc.Iterable[builtins.str] = ..., apply: builtins.str | None = 'impretive', align: Any = None) -> twinoar.slim.PruningPlan:
        """Remove an equal share of filters everywhere, so that so many multiplications are saved."""
    def restore(self) -> None:
        """Take back what this pruner has pruned last."""
    model: twinoar.nn.Layer
    opt: Any
    prune_type: builtins.str
    inputs: Any
    plan: twinoar.slim.PruningPlan | None
class PruningPlan:
    """Channels to remove from a network, by the labels that `network` gives them."""
    def __init__(self, network: Any, removed: _numpy.ndarray[Any, Any]) -> None: ...
    @property
    def masks(self) -> builtins.dict[builtins.str, builtins.dict[builtins.int, _numpy.ndarray[Any, Any]]]:
        """For each parameter that loses something, by axis: 1 for what is left, 0 for the rest."""
    @property
    def pruned_flops(self) -> builtins.float:
        """The share of multiplications of convolutions and linear layers that are saved."""
    def apply(self, model: twinoar.nn.Layer, lazy: builtins.bool = False, opt: Any = None) -> None:
        """Remove the channels from the network: its layers become smaller."""
    def restore(self, model: twinoar.nn.Layer | None = None, opt: Any = None) -> None:
        """Give the network, and the optimizer, back what they had."""
    network: Any
    removed: Any
class QAT:
    """Quantization-aware training of the layers of a network, by PaddleSlim's settings."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any] | None = None, weight_preprocess: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_preprocess: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, weight_quantize: Any = None, act_quantize: Any = None) -> None: ...
    def quantize(self, model: twinoar.nn.Layer, inplace: builtins.bool = True) -> twinoar.nn.Layer:
        """The network with quanters, to train"""
    def save_quantized_model(self, model: twinoar.nn.Layer, path: builtins.str, input_spec: Any = None) -> None:
        """Save what `quantize` returned, after training, as `paddle.jit.save`: weights are int8."""
    config: Any
class ShapeAlign(twinoar.nn.Layer):
    """Gives a feature map as many channels as another one has."""
    def __init__(self, align_type: builtins.str, in_channel: Any, out_channel: Any) -> None: ...
    def forward(self, feat: Any) -> Any:
        """feat: [N, C, H, W], or [..., C] for 'linear'."""
    align_op: Any
class ShareWeights:
    """`share_weights` with these settings."""
    clusters: builtins.int
    changes_shapes: builtins.bool
    def __call__(self, model: twinoar.nn.Layer, inputs: Any, evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None) -> twinoar.slim._Keeper | None:
        """Give weights of `model` few values."""
    def __init__(self, clusters: Any = 16) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class Status:
    """Sensitivities found so far, and their file: JSON, {name: {ratio: loss}}."""
    def __init__(self, src: builtins.str | None = None) -> None: ...
    def save(self, dst: builtins.str) -> None:
        """Write what is known to a file, whole or not at all."""
    def load(self, src: builtins.str) -> None:
        """Read a file that `save` has written"""
    def load_if_there(self, src: builtins.str) -> None:
        """As `load` where there is such a file."""
    sensitivies: builtins.dict[builtins.str, builtins.dict[builtins.float, builtins.float]]
class UnstructuredPruner:
    """Keeps the weights of a network at 0 that are small."""
    def __init__(self, model: twinoar.nn.Layer, mode: builtins.str, threshold: Any = ..., ratio: Any = ..., prune_params_type: builtins.str | None = None, skip_params_func: collections.abc.Callable[[twinoar.nn.Layer], collections.abc.Iterable[builtins.str]] | None = None, local_sparsity: builtins.bool = False, sparse_block: collections.abc.Sequence[Any] = ...) -> None: ...
    def step(self) -> None:
        """Choose by the weights as they are now, and set what is chosen to 0."""
    def update_threshold(self) -> None:
        """The size below which the share of weights lies."""
    def update_params(self) -> None:
        """Set to 0 what is chosen, as after an optimizer's step or before saving."""
    def mask_parameters(self, param: Any, mask: Any) -> None:
        """Set a weight to 0 where its mask is."""
    def remove(self) -> None:
        """Let calls of the network alone from now on; weights stay as they are."""
    def set_static_masks(self) -> None:
        """Choose what is 0 now, to train a sparse network on as it is."""
    def summarize_weights(self, model: twinoar.nn.Layer, ratio: Any = ...) -> builtins.float:
        """The size below which a share of the weights of `model` lies, to choose a threshold."""
    @staticmethod
    def total_sparse(model: twinoar.nn.Layer) -> builtins.float:
        """The share of zeros among all parameters of a network."""
    @staticmethod
    def total_sparse_conv1x1(model: twinoar.nn.Layer) -> builtins.float:
        """The share of zeros in weights of convolutions of 1 x 1; 0 where there are none."""
    model: twinoar.nn.Layer
    mode: builtins.str
    threshold: builtins.float
    ratio: builtins.float
    local_sparsity: builtins.bool
    sparse_block: Any
    thresholds: builtins.dict[builtins.str, builtins.float]
    skip_params: Any
    masks: Any
class WeightSharing:
    """Weights of a network that have few values each, by name: `codebooks`."""
    def __init__(self, weights: collections.abc.Mapping[builtins.str, Any], codebooks: builtins.dict[builtins.str, twinoar.slim.Codebook], zeros: builtins.bool) -> None: ...
    def step(self) -> None:
        """Give elements that share a value the mean of what they are now; 0 stays where it was."""
    @property
    def size(self) -> builtins.int:
        """Bytes of all codebooks and indices."""
    codebooks: builtins.dict[builtins.str, twinoar.slim.Codebook]
from . import analysis as analysis
from . import auto_compression as auto_compression
from . import common as common
def compress(model: twinoar.nn.Layer, inputs: Any, steps: collections.abc.Sequence[typing.Protocol], evaluate: collections.abc.Callable[[twinoar.nn.Layer], builtins.float] | None = None, tune: collections.abc.Callable[[twinoar.nn.Layer, collections.abc.Callable[[], None]], None] | None = None, max_loss: Any = None) -> builtins.tuple[twinoar.nn.Layer, twinoar.slim.analysis.Report]:
    """A compressed copy of a network, and a report of size, FLOPs, latency and score."""
def config2yaml(configs: collections.abc.Sequence[Any], yaml_path: builtins.str) -> None:
    """Write the configs of a Distill to a file: YAML, or JSON by its name."""
from . import core as core
from . import dist as dist
from . import dygraph as dygraph
def dygraph_flops(model: twinoar.nn.Layer | twinoar.fluid.Program, inputs: Any = None, dtypes: Any = None, only_conv: builtins.bool = True, detail: builtins.bool = False) -> Any:
    """Multiplications of a network's convolutions and linear layers, each with its addition."""
def factorize(model: twinoar.nn.Layer, energy: Any = ..., rank: Any = None, names: collections.abc.Collection[builtins.str] | None = None) -> builtins.list[twinoar.slim.Factorized]:
    """Put two layers in the place of each Linear and convolution where that saves parameters."""
flops = dygraph_flops
def get_ratios_by_loss(sensitivities: builtins.dict[builtins.str, builtins.dict[Any, Any]], loss: Any) -> builtins.dict[builtins.str, builtins.float]:
    """As `ratios_by_loss`, by Paddle's name."""
from . import lc as lc
from . import losses as losses
def merge_sensitive(sensitivities: builtins.list[builtins.dict[builtins.str, builtins.dict[Any, Any]] | builtins.str]) -> builtins.dict[builtins.str, builtins.dict[builtins.float, builtins.float]]:
    """Several sensitivities, or files of such, as one; later ones win."""
def model_size(model: twinoar.nn.Layer | twinoar.fluid.Program) -> builtins.int:
    """How many elements all parameters have together."""
from . import nas as nas
from . import prune as prune
from . import quant as quant
def share_weights(model: twinoar.nn.Layer, clusters: Any = 16, names: collections.abc.Collection[builtins.str] | None = None, keep_zeros: builtins.bool = True) -> twinoar.slim.WeightSharing:
    """Give each weight of at least two axes `clusters` values at most, those nearest by k-means."""
def yaml2config(yaml_path: builtins.str) -> builtins.list[Any]:
    """The configs of such a file"""
class _Keeper:
    """What keeps a network compressed while it is trained on."""
    def step(self) -> None:
        """To be called after each step of the optimizer."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

"""Paddle 1.8's dynamic mode: operators run at once within `guard()`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import os
import twinoar
import twinoar.distributed
import twinoar.fluid
import twinoar.fluid.dygraph
import twinoar.jit
import twinoar.nn
import twinoar.optimizer.lr
from typing import Any, Literal, overload

import numpy as _numpy

class BCELoss(twinoar.nn.BCELoss):
    """The cross entropy of probabilities and truth values"""
    def __init__(self, weight: Any = None, reduction: builtins.str = 'mean') -> None: ...
class BackwardStrategy:
    """How Paddle 1 sums gradients"""
    sort_sum_gradient: builtins.bool
from twinoar.nn import BatchNorm as BatchNorm
class BilinearTensorProduct(twinoar.nn.Layer):
    """act(x W_i y + b_i) for each of output_dim matrices W_i"""
    def __init__(self, input1_dim: Any, input2_dim: Any, output_dim: Any, name: builtins.str | None = None, act: Any = None, param_attr: Any = None, bias_attr: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, x: Any, y: Any) -> Any:
        """The products."""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
class Conv2D(twinoar.nn.Conv2D):
    """A convolution of images"""
    def __init__(self, num_channels: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class Conv2DTranspose(twinoar.nn.Conv2DTranspose):
    """A transposed convolution of images"""
    def __init__(self, num_channels: Any, num_filters: Any, filter_size: Any, output_size: Any = None, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, input: Any) -> Any:
        """The enlarged images."""
class Conv3D(twinoar.nn.Conv3D):
    """A convolution of volumes"""
    def __init__(self, num_channels: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class Conv3DTranspose(twinoar.nn.Conv3DTranspose):
    """A transposed convolution of volumes: [N,num_channels,D,H,W] to [N,num_filters,D',H',W']."""
    def __init__(self, num_channels: Any, num_filters: Any, filter_size: Any, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: builtins.bool = True, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class CosineDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate / 2 * (cos(pi * epoch / epochs) + 1), an epoch being step_each_epoch steps."""
    def __init__(self, learning_rate: Any, step_each_epoch: Any, epochs: Any, begin: Any = 0, step: Any = 1, dtype: Any = 'float32') -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate of the epoch."""
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    epochs: builtins.int
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
class DataParallel(twinoar.DataParallel):
    """A Layer whose gradients become means over processes after each backward."""
    def __init__(self, layers: twinoar.nn.Layer, strategy: Any) -> None: ...
class Dropout(twinoar.nn.Layer):
    """In training each element is zero with probability p."""
    def __init__(self, p: Any = ..., seed: Any = None, dropout_implementation: builtins.str = 'downgrade_in_infer', is_test: builtins.bool = False) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The thinned input in training, the input as in use otherwise."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Embedding(twinoar.nn.Embedding):
    """The rows of a table that ids name"""
    def __init__(self, size: collections.abc.Sequence[Any], is_sparse: builtins.bool = False, is_distributed: builtins.bool = False, padding_idx: Any = None, param_attr: Any = None, dtype: Any = 'float32') -> None: ...
class ExponentialDecay(twinoar.optimizer.lr.ExponentialDecay):
    """learning_rate * decay_rate ** (step / decay_steps); staircase: of the whole quotient."""
    def __init__(self, learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False, begin: Any = 0, step: Any = 1, dtype: Any = 'float32') -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
from twinoar.nn import Flatten as Flatten
class GRUUnit(twinoar.nn.Layer):
    """One step of a gated recurrent unit of size / 3 units."""
    def __init__(self, size: Any, param_attr: Any = None, bias_attr: Any = None, activation: builtins.str = 'tanh', gate_activation: builtins.str = 'sigmoid', origin_mode: builtins.bool = False, dtype: Any = 'float32') -> None: ...
    def forward(self, input: Any, hidden: Any) -> builtins.tuple[Any, Any, Any]:
        """input: [N,size], hidden: [N,units]"""
    weight: twinoar.nn.Parameter
    bias: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any, Any]: ...
class GroupNorm(twinoar.nn.GroupNorm):
    """Normalization over groups of channels"""
    def __init__(self, channels: Any, groups: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: Any = None, data_layout: builtins.str = 'NCHW', dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class InstanceNorm(twinoar.nn.InstanceNorm2D):
    """Normalization of each channel of each image by itself"""
    def __init__(self, num_channels: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class InverseTimeDecay(twinoar.optimizer.lr.InverseTimeDecay):
    """learning_rate / (1 + decay_rate * step / decay_steps); staircase: of the whole quotient."""
    def __init__(self, learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False, begin: Any = 0, step: Any = 1, dtype: Any = 'float32') -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
from twinoar.nn import L1Loss as L1Loss
class LambdaDecay(twinoar.optimizer.lr.LambdaDecay):
    """learning_rate * lr_lambda(epoch); `epoch()` goes on."""
    def __init__(self, learning_rate: Any, lr_lambda: collections.abc.Callable[[builtins.int], builtins.float]) -> None: ...
    def epoch(self, epoch: Any = None) -> None:
        """Go on by one, or to `epoch`, and compute the rate there."""
from twinoar.nn import Layer as Layer
from twinoar.nn import LayerList as LayerList
class LayerNorm(twinoar.nn.LayerNorm):
    """Normalization over the last dimensions; scale and shift: whether it has a weight, a bias."""
    def __init__(self, normalized_shape: Any, scale: builtins.bool = True, shift: builtins.bool = True, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class Linear(twinoar.nn.Linear):
    """act(x W + b)"""
    def __init__(self, input_dim: Any, output_dim: Any, param_attr: Any = None, bias_attr: Any = None, act: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes, after the activation."""
class LinearLrWarmup(twinoar.optimizer.lr.LRScheduler):
    """From start_lr to end_lr in warmup_steps, then learning_rate: a number or a LearningRateDecay."""
    def __init__(self, learning_rate: Any, warmup_steps: Any, start_lr: Any, end_lr: Any, begin: Any = 1, step: Any = 1, dtype: Any = 'float32') -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate of the step."""
    def advance(self) -> None:
        """Go on by one update; the other schedule goes on too, also during the warmup."""
    step_num: builtins.int
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    learning_rate: builtins.float | twinoar.optimizer.lr.LRScheduler
    warmup_steps: builtins.int
    start_lr: builtins.float
    end_lr: builtins.float
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
from twinoar.nn import MSELoss as MSELoss
class MultiStepDecay(twinoar.optimizer.lr.MultiStepDecay):
    """learning_rate * decay_rate ** (number of milestones reached); `epoch()` goes on."""
    def __init__(self, learning_rate: Any, milestones: collections.abc.Sequence[Any], decay_rate: Any = ...) -> None: ...
    def epoch(self, epoch: Any = None) -> None:
        """Go on by one, or to `epoch`, and compute the rate there."""
class NLLLoss(twinoar.nn.NLLLoss):
    """The negative log likelihood of labels"""
    def __init__(self, weight: Any = None, reduction: builtins.str = 'mean', ignore_index: Any = -100) -> None: ...
class NaturalExpDecay(twinoar.optimizer.lr.NaturalExpDecay):
    """learning_rate * exp(-decay_rate * step / decay_steps); staircase: of the whole quotient."""
    def __init__(self, learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False, begin: Any = 0, step: Any = 1, dtype: Any = 'float32') -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
class NoamDecay(twinoar.optimizer.lr.NoamDecay):
    """learning_rate * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)."""
    def __init__(self, d_model: Any, warmup_steps: Any, begin: Any = 1, step: Any = 1, dtype: Any = 'float32', learning_rate: Any = ...) -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
class PRelu(twinoar.nn.Layer):
    """x where x > 0, a x elsewhere, with a learned: one, one per channel, or one per element."""
    def __init__(self, mode: builtins.str, channel: Any = None, input_shape: collections.abc.Sequence[Any] | None = None, param_attr: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, input: Any) -> Any:
        """The function of the input."""
    weight: twinoar.nn.Parameter
from twinoar.distributed import ParallelEnv as ParallelEnv
from twinoar.nn import ParameterList as ParameterList
class PiecewiseDecay(twinoar.optimizer.lr.PiecewiseDecay):
    """values[i] for steps below boundaries[i], and the last of values from the last boundary on."""
    def __init__(self, boundaries: collections.abc.Sequence[Any], values: collections.abc.Sequence[Any], begin: Any, step: Any = 1, dtype: Any = 'float32') -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
class PolynomialDecay(twinoar.optimizer.lr.PolynomialDecay):
    """From learning_rate to end_learning_rate along (1 - step / decay_steps)**power."""
    def __init__(self, learning_rate: Any, decay_steps: Any, end_learning_rate: Any = ..., power: Any = ..., cycle: builtins.bool = False, begin: Any = 0, step: Any = 1, dtype: Any = 'float32') -> None: ...
    step_num: builtins.int
    def advance(self) -> None:
        """Go on by one update."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    step_size: builtins.int
    keys: Any
    last_epoch: Any
    last_lr: Any
class Pool2D(twinoar.nn.Layer):
    """The maximum or mean of windows of images"""
    def __init__(self, pool_size: Any = -1, pool_type: builtins.str = 'max', pool_stride: Any = 1, pool_padding: Any = 0, global_pooling: builtins.bool = False, use_cudnn: builtins.bool = True, ceil_mode: builtins.bool = False, exclusive: builtins.bool = True) -> None: ...
    def forward(self, input: Any) -> Any:
        """The pooled images."""
class ProgramTranslator:
    """What becomes of functions under `declarative`; there is one for the process."""
    @classmethod
    def get_instance(cls) -> twinoar.fluid.dygraph.ProgramTranslator:
        """The one there is."""
    @classmethod
    def reset(cls) -> None:
        """Forget the Program that was traced last, and turn conversion on."""
    def enable(self, enable_declarative: builtins.bool) -> None:
        """Whether functions under `declarative` run as Programs, or as plain Python."""
    def get_output(self, dygraph_func: collections.abc.Callable, *args: Any, **kwargs: Any) -> Any:
        """What the function gives for these arguments, run as a Program."""
    def get_func(self, dygraph_func: collections.abc.Callable) -> collections.abc.Callable:
        """The converted function: it builds operators in static mode."""
    def get_program(self, dygraph_func: collections.abc.Callable, *args: Any, **kwargs: Any) -> builtins.tuple[twinoar.fluid.Program, twinoar.fluid.Program, builtins.list[twinoar.fluid.Variable], builtins.list[twinoar.fluid.Variable]]:
        """The main Program for these arguments, a startup Program, the inputs and the outputs."""
    def get_code(self, dygraph_func: collections.abc.Callable) -> builtins.str:
        """The converted source of the function."""
    def get_program_cache(self) -> twinoar.fluid.dygraph._ConcreteProgram | None:
        """The Program that was traced last, and what runs it; None before the first."""
    def save_inference_model(self, dirname: builtins.str | os.PathLike[builtins.str], feed: collections.abc.Sequence[Any] | None = None, fetch: collections.abc.Sequence[Any] | None = None) -> None:
        """Write the Program that was traced last as a model folder: `__model__` and its parameters."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class ReduceLROnPlateau(twinoar.optimizer.lr.ReduceOnPlateau):
    """Multiply the rate by decay_rate when the loss given to `step` has stopped getting better."""
    def __init__(self, learning_rate: Any, mode: Literal['min', 'max'] = 'min', decay_rate: Any = ..., patience: Any = 10, verbose: builtins.bool = False, threshold: Any = ..., threshold_mode: Literal['rel', 'abs'] = 'rel', cooldown: Any = 0, min_lr: Any = 0, eps: Any = ..., dtype: Any = 'float32') -> None: ...
from twinoar.nn import Sequential as Sequential
class SpectralNorm(twinoar.nn.Layer):
    """A weight divided by its greatest singular value, found by `power_iters` steps."""
    def __init__(self, weight_shape: collections.abc.Sequence[Any], dim: Any = 0, power_iters: Any = 1, eps: Any = ..., dtype: Any = 'float32') -> None: ...
    def forward(self, weight: Any) -> twinoar.Tensor:
        """The normalized weight, of the same shape."""
    weight_u: twinoar.nn.Parameter
    weight_v: twinoar.nn.Parameter
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class StepDecay(twinoar.optimizer.lr.StepDecay):
    """learning_rate * decay_rate ** (epoch // step_size); `epoch()` goes on."""
    def __init__(self, learning_rate: Any, step_size: Any, decay_rate: Any = ...) -> None: ...
    def epoch(self, epoch: Any = None) -> None:
        """Go on by one, or to `epoch`, and compute the rate there."""
class TracedLayer:
    """A Layer as the Program that one call of it gave; `trace` makes it."""
    def __init__(self, concrete: twinoar.fluid.dygraph._ConcreteProgram) -> None: ...
    @staticmethod
    def trace(layer: twinoar.nn.Layer, inputs: Any) -> builtins.tuple[Any, twinoar.fluid.dygraph.TracedLayer]:
        """What `layer` gives for `inputs`, a tensor or a list of them, and the TracedLayer."""
    @property
    def program(self) -> twinoar.fluid.Program:
        """The Program."""
    def __call__(self, inputs: Any) -> builtins.list[Any]: ...
    def set_strategy(self, build_strategy: Any = None, exec_strategy: Any = None) -> None:
        """Accepted: the compiler fuses and plans memory always."""
    def save_inference_model(self, dirname: builtins.str | os.PathLike[builtins.str], feed: collections.abc.Sequence[Any] | None = None, fetch: collections.abc.Sequence[Any] | None = None) -> None:
        """Write a model folder; see `ProgramTranslator.save_inference_model`."""
def declarative(func: collections.abc.Callable) -> twinoar.fluid.dygraph._DeclarativeFunction:
    """Run a function, or a method of a Layer, as a Program."""
from twinoar.fluid import disable_dygraph as disable_dygraph
from twinoar.fluid import disable_dygraph as disable_imperative
def dygraph_to_static_func(func: collections.abc.Callable) -> collections.abc.Callable:
    """The function with `if`, `while` and `for` on Variables as operators, for static mode."""
from twinoar.fluid import enable_dygraph as enable_dygraph
from twinoar.fluid import enable_dygraph as enable_imperative
from twinoar.fluid import in_dygraph_mode as enabled
def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, only_inputs: builtins.bool = True, allow_unused: builtins.bool = False, no_grad_vars: Any = None, backward_strategy: twinoar.fluid.dygraph.BackwardStrategy | None = None) -> builtins.list:
    """The gradients of `outputs` with respect to `inputs`; see `paddle.grad`."""
def guard(place: Any = None) -> collections.abc.Iterator[None]:
    """Within the block operators run at once, and names of layers are numbered from 0 again."""
from twinoar.fluid import load_dygraph as load_dygraph
from twinoar import no_grad as no_grad
def prepare_context(strategy: Any = None) -> twinoar.distributed.ParallelEnv:
    """What to make a DataParallel with, once this process has joined the others."""
from twinoar.fluid import save_dygraph as save_dygraph
def to_variable(value: Any, name: builtins.str | None = None, zero_copy: builtins.bool | None = None) -> Any:
    """A tensor holding `value`: an ndarray, a number, nested lists; a tensor stays as it is."""
class _ConcreteProgram:
    """The Program of a function for one signature."""
    def __init__(self, trace: Any) -> None: ...
    @property
    def main_program(self) -> twinoar.fluid.Program:
        """The Program."""
    @property
    def parameters(self) -> builtins.list[Any]:
        """The live parameters that the Program reads."""
    def is_current(self) -> builtins.bool:
        """True while all that the trace relied on still holds."""
    def readings(self) -> collections.abc.Iterator[Any]:
        """What the trace relied on."""
    def difference(self) -> Any:
        """The first thing that is not as the trace found it."""
    def executables(self) -> builtins.dict[builtins.str, twinoar.fluid._Executable]:
        """What runs the Program, by name: one for the step, or forward and backward."""
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What ran as what, a line for each part, with its time: in order, or the slowest first."""
    def __call__(self, tensors: collections.abc.Sequence[twinoar._TensorLike], arguments: Any = ...) -> Any:
        """Run on the tensor arguments"""
    program: Any
    inputs: Any
    outputs: Any
    changes: Any
    is_stateful: Any
    used: Any
class _DeclarativeFunction(twinoar.jit.StaticFunction):
    """A function under `declarative`; ProgramTranslator knows the Program that was traced last."""
    latest: twinoar.fluid.dygraph._ConcreteProgram | None

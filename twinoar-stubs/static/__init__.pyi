"""Paddle's static-graph API: build a Program, run it with an Executor, save and load it."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import os
import twinoar
import twinoar.errors
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

class Block:
    """The operators of a Program, with Paddle's access by name."""
    forward_block_idx: builtins.int
    backward_block_idx: builtins.int
    def __init__(self, names: Any, program: twinoar.fluid.Program) -> None: ...
    @property
    def idx(self) -> builtins.int:
        """Its number in the Program: 0 for the outermost, the next free one while it is built."""
    @property
    def parent_idx(self) -> builtins.int:
        """The number of the block around it, -1 for the outermost."""
    @property
    def vars(self) -> builtins.dict[builtins.str, twinoar.fluid.Variable]:
        """All Variables by name: states, inputs, results and those made by `create_var`."""
    def var(self, name: builtins.str) -> twinoar.fluid.Variable:
        """The Variable called `name`"""
    def has_var(self, name: builtins.str) -> builtins.bool:
        """True if there is a Variable called `name`."""
    def all_parameters(self) -> builtins.list[twinoar.fluid.framework.Parameter]:
        """The trainable and frozen parameters."""
    def iter_parameters(self) -> collections.abc.Iterator[twinoar.fluid.framework.Parameter]:
        """The trainable and frozen parameters, one after the other."""
    def create_var(self, *, name: builtins.str | None = None, dtype: Any = 'float32', shape: Any = ..., persistable: builtins.bool = False, stop_gradient: builtins.bool = False, type: Any = None, lod_level: Any = 0) -> twinoar.fluid.Variable:
        """Declare a Variable that an operator will define later; one that is there is returned."""
    def create_parameter(self, *, shape: Any, dtype: Any, name: builtins.str | None = None, initializer: Any = None, trainable: builtins.bool = True, **traits: Any) -> twinoar.fluid.framework.Parameter:
        """A parameter of this very Program, and with an initializer what fills it at each run."""
    def append_op(self, type: builtins.str | None = None, inputs: collections.abc.Mapping[builtins.str, Any] | None = None, outputs: collections.abc.Mapping[builtins.str, Any] | None = None, attrs: collections.abc.Mapping[builtins.str, Any] | None = None, stop_gradient: builtins.bool = False) -> twinoar.static.Operator:
        """Append the operator `type` by Paddle's slots and attributes, or by twinoar's names."""
    def changed(self, o: twinoar.static.Operator) -> None:
        """Infer anew what `o`, whose attributes or operands are others now, and those after it give."""
    def to_string(self, throw_on_error: builtins.bool = True, with_details: builtins.bool = False) -> builtins.str:
        """The text form; the user's lines are in it."""
    is_block: builtins.bool
    @property
    def has_effect(self) -> builtins.bool:
        """True if one of its operators must run, whether its results are wanted or not."""
    def add_input(self, spec: Any, name: builtins.str | None = None, *, stop_gradient: builtins.bool = True, kind: builtins.type[twinoar.fluid.Variable] = ...) -> twinoar.fluid.Variable:
        """A new input, a Variable of class `kind`."""
    def variables(self) -> collections.abc.Iterator[twinoar.fluid.Variable]:
        """Inputs, then results in order."""
    def walk(self) -> collections.abc.Iterator[twinoar.static.Operator]:
        """Every operator, those of nested blocks after their own operator."""
    def replace(self, old: twinoar.fluid.Variable | twinoar.static.Operator, new: Any) -> None:
        """Let every later use of `old` read `new`."""
    def substitute(self, new: builtins.dict[twinoar.fluid.Variable, Any]) -> None:
        """Replace Variables by others, or by literals, wherever operators or outputs read them."""
    def remove(self, o: twinoar.static.Operator) -> None:
        """Delete an operator"""
    declared: builtins.dict[builtins.str, twinoar.fluid.Variable]
    outputs: Any
    program: twinoar.fluid.Program
    names: Any
    inputs: builtins.list[twinoar.fluid.Variable]
    ops: builtins.list[twinoar.static.Operator]
    derived: builtins.dict[Any, Any]
from twinoar.fluid import BuildStrategy as BuildStrategy
class CompiledProgram:
    """A Program to run, with a BuildStrategy; the Executor compiles it as it compiles every one."""
    def __init__(self, program_or_graph: Any, build_strategy: twinoar.fluid.BuildStrategy | None = None) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    program: Any
    build_strategy: twinoar.fluid.BuildStrategy | None
from twinoar.fluid import ExecutionStrategy as ExecutionStrategy
class Executor:
    """Runs Programs: the startup Program once, then others as often as wanted."""
    def __init__(self, place: Any = None) -> None: ...
    def run(self, program: Any = None, feed: collections.abc.Mapping[builtins.str, Any] | collections.abc.Sequence[collections.abc.Mapping[builtins.str, Any]] | None = None, fetch_list: Any = None, feed_var_name: builtins.str = 'feed', fetch_var_name: builtins.str = 'fetch', scope: twinoar.fluid.Scope | None = None, return_numpy: builtins.bool = True, use_program_cache: builtins.bool = True, use_prune: builtins.bool = False) -> builtins.list[Any]:
        """Run `program` (the default main Program) once."""
    def train_from_dataset(self, program: Any = None, dataset: collections.abc.Iterable[Any] | None = None, scope: twinoar.fluid.Scope | None = None, thread: Any = 0, debug: builtins.bool = False, fetch_list: Any = None, fetch_info: collections.abc.Sequence[builtins.str] | None = None, print_period: Any = 100, fetch_handler: Any = None) -> None:
        """Run `program` once for each batch of `dataset`."""
    def infer_from_dataset(self, program: Any = None, dataset: collections.abc.Iterable[Any] | None = None, *args: Any, **kwargs: Any) -> None:
        """`train_from_dataset` without backward and update operators, with `training` off."""
    def close(self) -> None:
        """End the work with this Executor: `run` raises ProgramError from now on."""
    def flush(self) -> None:
        """Wait for what runs: nothing does after `run` has returned."""
    place: Any
    is_closed: Any
class ExponentialMovingAverage:
    """Averages of the parameters of the default main Program, in which late steps count most."""
    def __init__(self, decay: Any = ..., thres_steps: Any = None, name: builtins.str | None = None) -> None: ...
    def update(self) -> None:
        """Append to the Program what brings the averages up to date: call it after `minimize`."""
    def values(self, scope: twinoar.fluid.Scope) -> builtins.dict[twinoar.fluid.framework.Parameter, _numpy.ndarray[Any, Any]]:
        """The averages, without the bias of the start."""
    def apply(self, executor: Any, need_restore: builtins.bool = True) -> collections.abc.Iterator[None]:
        """Within the block the parameters are their averages."""
    def restore(self, executor: Any) -> None:
        """Give the parameters back the values that they had before `apply`."""
class InputSpec:
    """Shape, dtype and name of an input; enforced at every call."""
    def __init__(self, shape: Any, dtype: Any = 'float32', name: builtins.str | None = None, stop_gradient: builtins.bool = False) -> None: ...
    @classmethod
    def from_tensor(cls, tensor: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.static.InputSpec:
        """The spec of a Tensor or Variable."""
    @classmethod
    def from_numpy(cls, ndarray: _numpy.ndarray[Any, Any], name: builtins.str | None = None) -> twinoar.static.InputSpec:
        """The spec of an array."""
    def batch(self, batch_size: Any) -> twinoar.static.InputSpec:
        """Put a batch dimension in front, in place"""
    def unbatch(self) -> twinoar.static.InputSpec:
        """Take the first dimension away, in place; returns self"""
    def to_spec(self, fresh: Any) -> twinoar.static._Spec:
        """The Spec; `fresh()` supplies unknown sizes."""
    def check(self, value: Any, where: builtins.str) -> None:
        """Raise ShapeError or DTypeError where `value` (Tensor or ndarray) does not fit."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    shape: Any
    dtype: twinoar.dtype
    name: builtins.str | None
    stop_gradient: builtins.bool
class IpuCompiledProgram:
    """Needs an IPU: raises ArgumentError."""
    def __init__(self, program: Any = None, scope: Any = None, ipu_strategy: Any = None) -> None: ...
class IpuStrategy:
    """Needs an IPU: raises ArgumentError."""
    def __init__(self) -> None: ...
class Operator:
    """One call of an Op: operands, attributes, results, and the user's line."""
    def __init__(self, op: Any, operands: builtins.tuple[Any, ...], attrs: builtins.dict[builtins.str, Any], results: builtins.tuple[twinoar.fluid.Variable | None, ...] = ..., source: twinoar.errors.SourceLine | None = None, role: builtins.str = 'forward', marks: collections.abc.Mapping[builtins.str, builtins.str] = ...) -> None: ...
    @property
    def blocks(self) -> builtins.dict[builtins.str, Any]:
        """Nested blocks by attribute name."""
    @property
    def has_effect(self) -> builtins.bool:
        """True if it, or an operator in its blocks, must not be dropped, merged or reordered."""
    @property
    def block(self) -> Any:
        """The Block that it stands in; None for one that reads and defines nothing."""
    @property
    def idx(self) -> builtins.int:
        """Its place among the operators of its Block."""
    def to_string(self, throw_on_error: builtins.bool = True) -> builtins.str:
        """The text form."""
    @property
    def type(self) -> builtins.str:
        """The operator's type as Paddle spells it."""
    @property
    def input_arg_names(self) -> builtins.list[builtins.str]:
        """Names of the Variables it reads."""
    @property
    def output_arg_names(self) -> builtins.list[builtins.str]:
        """Names of the Variables it defines."""
    @property
    def input_names(self) -> builtins.list[builtins.str]:
        """Paddle's slots for what it reads; our operands' names where Paddle has no such type."""
    @property
    def output_names(self) -> builtins.list[builtins.str]:
        """Paddle's slots for what it defines."""
    def input(self, name: builtins.str) -> builtins.list[builtins.str]:
        """Names of the Variables in the input slot `name`"""
    def output(self, name: builtins.str) -> builtins.list[builtins.str]:
        """Names of the Variables in the output slot `name`"""
    @property
    def attr_names(self) -> builtins.list[builtins.str]:
        """Names of the attributes, as Paddle spells them."""
    def attr(self, name: builtins.str) -> Any:
        """The attribute `name`, Paddle's or ours"""
    def has_attr(self, name: builtins.str) -> builtins.bool:
        """True if there is an attribute `name`."""
    def attr_type(self, name: builtins.str) -> twinoar.static._AttrType:
        """The kind of the attribute `name`"""
    def all_attrs(self) -> builtins.dict[builtins.str, Any]:
        """All attributes by Paddle's names, with what it notes on every operator."""
    attrs: Any
    marks: Any
    op: Any
    operands: Any
    results: Any
    role: Any
    source: Any
def Print(input: twinoar._TensorLike, first_n: Any = -1, message: builtins.str | None = None, summarize: Any = 20, print_tensor_name: builtins.bool = True, print_tensor_type: builtins.bool = True, print_tensor_shape: builtins.bool = True, print_tensor_layout: builtins.bool = True, print_tensor_lod: builtins.bool = True, print_phase: Literal['forward', 'backward', 'both'] = 'both') -> twinoar.Tensor:
    """Write the tensor whenever the Program runs, after `message`"""
from twinoar.fluid import Program as Program
from twinoar.fluid import Scope as Scope
from twinoar.fluid import Variable as Variable
from twinoar.fluid import WeightNormParamAttr as WeightNormParamAttr
from twinoar.metric import accuracy as accuracy
from . import amp as amp
def append_backward(loss: twinoar.fluid.Variable, parameter_list: collections.abc.Sequence | None = None, no_grad_set: collections.abc.Iterable | None = None, callbacks: collections.abc.Sequence[collections.abc.Callable[..., Any]] | None = None, checkpoints: collections.abc.Sequence | None = None) -> builtins.list[builtins.tuple[twinoar.fluid.Variable, twinoar.fluid.Variable]]:
    """Append to the Program of `loss` the operators that compute the gradients of its parameters."""
def auc(input: Any, label: Any, curve: builtins.str = 'ROC', num_thresholds: Any = 4095, topk: Any = 1, slide_steps: Any = 1, ins_tag_weight: Any = None) -> builtins.tuple[Any, Any, builtins.list[twinoar.fluid.framework.Parameter]]:
    """The area under the curve over all runs, and that over the last `slide_steps` ones."""
from twinoar.fluid import cpu_places as cpu_places
def create_global_var(shape: Any, value: Any, dtype: Any, persistable: builtins.bool = False, force_cpu: builtins.bool = False, name: builtins.str | None = None) -> twinoar.fluid.framework.Parameter:
    """A state of the default main Program, `value` everywhere at first, that outlives runs."""
from twinoar import create_parameter as create_parameter
def ctr_metric_bundle(input: Any, label: Any, ins_tag_weight: Any = None) -> builtins.tuple[twinoar.fluid.framework.Parameter, ...]:
    """Sums over all runs that metrics of click-through rates are made of."""
from twinoar.fluid import cuda_places as cuda_places
def data(name: builtins.str, shape: Any, dtype: Any = None, lod_level: Any = 0) -> twinoar.fluid.Variable:
    """Declare the input `name` of the default main Program."""
from twinoar.fluid import default_main_program as default_main_program
from twinoar.fluid import default_startup_program as default_startup_program
def deserialize_persistables(program: twinoar.fluid.Program, data: builtins.bytes | None, executor: Any = None) -> None:
    """Put the states in the bytes of a `.pdiparams` into the global scope"""
def deserialize_program(data: builtins.bytes) -> twinoar.fluid.Program:
    """The Program in the bytes of a `.pdmodel`"""
from twinoar.device import device_guard as device_guard
from twinoar.fluid import global_scope as global_scope
from twinoar.fluid import gradients as gradients
def ipu_shard_guard(index: Any = -1, stage: Any = -1) -> Any:
    """Needs an IPU: raises ArgumentError."""
def is_persistable(var: twinoar.fluid.Variable) -> builtins.bool:
    """True for a Variable whose value outlives a run: a parameter, a statistic, a moment."""
from twinoar.fluid import load as load
def load_from_file(path: builtins.str | os.PathLike[builtins.str]) -> builtins.bytes:
    """The bytes of a file"""
def load_inference_model(path_prefix: builtins.str | os.PathLike[builtins.str] | None, executor: Any = None, **kwargs: Any) -> builtins.list[Any]:
    """The model that `save_inference_model`, `jit.save` or Paddle has written: [program, feed names, fetches]."""
def load_program_state(model_path: builtins.str | os.PathLike[builtins.str], var_list: collections.abc.Sequence | None = None) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
    """Arrays by name from files that `save` has written, or from an inference model or a folder of Paddle 1."""
def load_vars(executor: Any, dirname: builtins.str | os.PathLike[builtins.str], main_program: Any = None, vars: collections.abc.Sequence[Any] | None = None, predicate: collections.abc.Callable[[twinoar.fluid.Variable], builtins.bool] | None = None, filename: builtins.str | os.PathLike[builtins.str] | None = None) -> None:
    """Set Variables from what `save_vars` has written, with the same arguments."""
from twinoar.fluid import name_scope as name_scope
def normalize_program(program: twinoar.fluid.Program, feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> twinoar.fluid.Program:
    """A copy of `program` that only computes `fetch_vars` from `feed_vars`, with `training` off."""
from twinoar.fluid import program_guard as program_guard
def py_func(func: collections.abc.Callable, x: Any, out: Any, backward_func: collections.abc.Callable | None = None, skip_vars_in_backward_input: Any = None) -> Any:
    """Call `func` on `x` as ndarrays: now in eager mode, in a Program whenever it runs."""
from . import quantization as quantization
from twinoar.fluid import save as save
def save_inference_model(path_prefix: builtins.str | os.PathLike[builtins.str], feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any) -> None:
    """Write the model that computes `fetch_vars` from `feed_vars`: `<prefix>.pdmodel` and `<prefix>.pdiparams`."""
def save_to_file(path: builtins.str | os.PathLike[builtins.str], content: builtins.bytes) -> None:
    """Write bytes to a file, whole or not at all"""
def save_vars(executor: Any, dirname: builtins.str | os.PathLike[builtins.str] | None, main_program: Any = None, vars: collections.abc.Sequence[Any] | None = None, predicate: collections.abc.Callable[[twinoar.fluid.Variable], builtins.bool] | None = None, filename: builtins.str | os.PathLike[builtins.str] | None = None) -> builtins.bytes | None:
    """Write Variables of `main_program`, by default the default one, to the folder `dirname`."""
from twinoar.fluid import scope_guard as scope_guard
def serialize_persistables(feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any) -> builtins.bytes:
    """The bytes of the `.pdiparams` that `save_inference_model` writes"""
def serialize_program(feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> builtins.bytes:
    """The bytes of the `.pdmodel` that `save_inference_model` writes"""
def set_ipu_shard(call_func: Any, index: Any = -1, stage: Any = -1) -> Any:
    """Needs an IPU: raises ArgumentError."""
def set_program_state(program: twinoar.fluid.Program, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
    """Set the states of `program` that `state_dict` has by name; names that it does not have are left out."""
def setitem(x: Any, index: Any, value: Any) -> Any:
    """x, after `x[index] = value`."""
def xpu_places(device_ids: Any = None) -> builtins.list[twinoar.XPUPlace]:
    """The XPUs of these numbers; None for all"""
class _Spec:
    """Shape and dtype; prints as `f32[N,784]`"""
    @property
    def ndim(self) -> builtins.int:
        """Number of dimensions."""
    @property
    def size(self) -> Any:
        """Number of elements."""
    @property
    def is_static(self) -> builtins.bool:
        """True if each dimension is a number."""
    @classmethod
    def parse(cls, text: builtins.str) -> twinoar.static._Spec:
        """Inverse of `str(spec)`."""
    def __init__(self, shape: builtins.tuple[Any, ...], dtype: twinoar.dtype = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    dtype: twinoar.dtype
    shape: builtins.tuple[Any, ...]
class _AttrType(enum.IntEnum):
    """Paddle's kinds of attributes, and their numbers."""
    INT = 0
    FLOAT = 1
    STRING = 2
    INTS = 3
    FLOATS = 4
    STRINGS = 5
    BOOL = 6
    BOOLS = 7
    BLOCK = 8
    LONG = 9
    BLOCKS = 10
    LONGS = 11
    FLOAT64S = 12
    FLOAT64 = 15

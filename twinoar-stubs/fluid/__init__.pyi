"""Paddle 1.8's names: `import paddle.fluid as fluid`, a thin layer over the one implementation."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import os
import twinoar
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.passes
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

class BuildStrategy:
    """How to build what runs: accepted as Paddle's, checked, and printed with what has effect."""
    ReduceStrategy: Any
    GradientScaleStrategy: Any
    SETTINGS: Any
    def __init__(self) -> None: ...
    debug_graphviz_path: builtins.str
from twinoar import CPUPlace as CPUPlace
from twinoar import CUDAPinnedPlace as CUDAPinnedPlace
from twinoar import CUDAPlace as CUDAPlace
class CompiledProgram(twinoar.static.CompiledProgram):
    """A Program to run, with a BuildStrategy; see `paddle.static.CompiledProgram`."""
    def with_data_parallel(self, loss_name: builtins.str | None = None, build_strategy: twinoar.fluid.BuildStrategy | None = None, exec_strategy: twinoar.fluid.ExecutionStrategy | None = None, share_vars_from: Any = None, places: Any = None) -> twinoar.fluid.CompiledProgram:
        """The same, on the one device"""
class DataFeeder:
    """Makes of samples, tuples with one field for each Variable, arrays by the Variables' names."""
    def __init__(self, feed_list: collections.abc.Sequence[Any], place: Any, program: twinoar.fluid.Program | None = None) -> None: ...
    def feed(self, iterable: collections.abc.Iterable[collections.abc.Sequence[Any]]) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
        """The samples as arrays by name"""
    def feed_parallel(self, iterable: collections.abc.Iterable[collections.abc.Iterable[collections.abc.Sequence[Any]]], num_places: Any = None) -> collections.abc.Iterator[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]:
        """What `feed` makes of each batch."""
    def decorate_reader(self, reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], multi_devices: builtins.bool, num_places: Any = None, drop_last: builtins.bool = True) -> collections.abc.Callable[[], collections.abc.Iterator[Any]]:
        """A reader of what `feed` makes of the batches of `reader`."""
    place: Any
    variables: Any
class DistributeTranspiler:
    """Divides a Program among trainers and parameter servers."""
    def __init__(self, config: twinoar.fluid.DistributeTranspilerConfig | None = None) -> None: ...
    def transpile(self, trainer_id: Any, program: twinoar.fluid.Program | None = None, pservers: builtins.str = '127.0.0.1:6174', trainers: Any = 1, sync_mode: builtins.bool = True, startup_program: twinoar.fluid.Program | None = None, current_endpoint: builtins.str = '127.0.0.1:6174') -> None:
        """Change the Program and its startup Program, in place, into those of a trainer."""
    def get_trainer_program(self, wait_port: builtins.bool = True) -> twinoar.fluid.Program:
        """What trainers run."""
    def get_pserver_program(self, endpoint: builtins.str) -> twinoar.fluid.Program:
        """What the server at `endpoint` runs: it serves until all trainers have ended."""
    def get_pserver_programs(self, endpoint: builtins.str) -> builtins.tuple[twinoar.fluid.Program, twinoar.fluid.Program]:
        """`get_pserver_program`, and `get_startup_program`."""
    def get_startup_program(self, endpoint: builtins.str, pserver_program: Any = None, startup_program: Any = None) -> twinoar.fluid.Program:
        """What a server runs first: nothing"""
    config: Any
class DistributeTranspilerConfig:
    """How a Program is divided."""
    def __init__(self) -> None: ...
    slice_var_up: Any
    min_block_size: Any
    split_method: Any
    enable_dc_asgd: Any
    half_async: Any
    completely_not_async: Any
    mode: Any
    sync_mode: Any
    geo_sgd_mode: Any
    geo_sgd_need_push_nums: Any
    print_log: Any
    wait_port: Any
    runtime_split_send_recv: Any
class ExecutionStrategy:
    """How to run what was built: accepted as Paddle's, checked, and printed with what has effect."""
    SETTINGS: Any
    def __init__(self) -> None: ...
class Executor(twinoar.static.Executor):
    """Runs Programs; see `paddle.static.Executor`."""
    def run(self, program: Any = None, feed: Any = None, fetch_list: collections.abc.Sequence | None = None, feed_var_name: builtins.str = 'feed', fetch_var_name: builtins.str = 'fetch', scope: twinoar.fluid.Scope | None = None, return_numpy: builtins.bool = True, use_program_cache: builtins.bool = False, return_merged: builtins.bool = True, use_prune: builtins.bool = False) -> builtins.list[Any]:
        """Run `program` (the default main Program) once; returns the values of fetch_list."""
class LoDTensor:
    """An array, and for each level of nesting the lengths of its sequences."""
    def __init__(self) -> None: ...
    def set(self, array: Any, place: Any = None) -> None:
        """Replace the array"""
    def shape(self) -> builtins.list[builtins.int]:
        """Sizes of the array."""
    def lod(self) -> builtins.list[builtins.list[builtins.int]]:
        """For each level, where its sequences begin, and the end of the last."""
    def set_lod(self, lod: collections.abc.Sequence[collections.abc.Sequence[Any]]) -> None:
        """Set where the sequences of each level begin"""
    def recursive_sequence_lengths(self) -> builtins.list[builtins.list[builtins.int]]:
        """For each level, the lengths of its sequences."""
    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: collections.abc.Sequence[collections.abc.Sequence[Any]]) -> None:
        """Set the lengths of the sequences of each level"""
    def has_valid_recursive_sequence_lengths(self) -> builtins.bool:
        """True where the lengths cover the array."""
    def padded(self) -> builtins.tuple[_numpy.ndarray[Any, Any], _numpy.ndarray[Any, Any]]:
        """The sequences of the last level, filled up with zeros: [N,T,*]; and their lengths, [N]."""
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> _numpy.ndarray[Any, Any]: ...
class LoDTensorArray(builtins.list):
    """A list of tensors."""
class ParallelExecutor:
    """A Program and an Executor for it, on the one device."""
    def __init__(self, use_cuda: builtins.bool, loss_name: builtins.str | None = None, main_program: twinoar.fluid.Program | None = None, share_vars_from: twinoar.fluid.ParallelExecutor | None = None, exec_strategy: twinoar.fluid.ExecutionStrategy | None = None, build_strategy: twinoar.fluid.BuildStrategy | None = None, num_trainers: Any = 1, trainer_id: Any = 0, scope: twinoar.fluid.Scope | None = None) -> None: ...
    def run(self, fetch_list: collections.abc.Sequence, feed: Any = None, feed_dict: collections.abc.Mapping[builtins.str, Any] | None = None, return_numpy: builtins.bool = True) -> builtins.list[Any]:
        """Run the Program once; see `Executor.run`"""
    @property
    def device_count(self) -> builtins.int:
        """The number of devices: 1."""
    def drop_local_exe_scopes(self) -> None:
        """Nothing to drop: runs leave nothing behind."""
from twinoar import ParamAttr as ParamAttr
class Program:
    """A static-graph program: what `program_guard` fills and an Executor runs."""
    block_type: Any
    def __init__(self, name: builtins.str = 'main') -> None: ...
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What an Executor ran as what, a line for each part, with its time."""
    def executables(self) -> builtins.dict[builtins.str, twinoar.fluid._Executable]:
        """What Executors run the Program with, by the names of what they fetch."""
    def shape_of(self, shape: Any) -> builtins.tuple:
        """A shape with -1, None and names turned into unknown sizes of this Program."""
    @staticmethod
    def parse_from_string(binary_str: builtins.bytes) -> twinoar.fluid.Program:
        """The Program in the bytes of a `.pdmodel`"""
    @property
    def desc(self) -> Any:
        """The Program in Paddle's form: `desc.serialize_to_string()` gives its bytes."""
    @property
    def random_seed(self) -> builtins.int:
        """Where each run starts its random numbers; 0 goes on where the last draw stopped."""
    @random_seed.setter
    def random_seed(self, value: Any) -> None: ...
    def global_seed(self, seed: Any = 0) -> None:
        """Set `random_seed` here, and in the default Programs."""
    def count_scope(self, path: builtins.str) -> builtins.int:
        """How often a scope of names was called `path` before."""
    def global_block(self) -> twinoar.static.Block:
        """The outermost block."""
    def current_block(self) -> twinoar.static.Block:
        """The block that operators are appended to."""
    @property
    def current_block_idx(self) -> builtins.int:
        """The number of the block that operators are appended to."""
    def block(self, index: Any) -> twinoar.static.Block:
        """Block `index`: 0 is the outermost, then nested ones in order"""
    @property
    def blocks(self) -> builtins.list[twinoar.static.Block]:
        """The outermost block and all nested ones; gradients share those of their operators."""
    @property
    def num_blocks(self) -> builtins.int:
        """Number of blocks."""
    def value_of(self, v: twinoar.fluid.Variable, scope: twinoar.fluid.Scope | None = None) -> twinoar.Tensor:
        """The value that `v` has in `scope`"""
    def give_value(self, v: twinoar.fluid.Variable, value: Any, scope: twinoar.fluid.Scope | None = None) -> None:
        """Give the state `v` a value in `scope`"""
    def list_vars(self) -> collections.abc.Iterator[twinoar.fluid.Variable]:
        """All Variables, states first."""
    def all_parameters(self) -> builtins.list[twinoar.fluid.framework.Parameter]:
        """The parameters, in order of creation."""
    def to_string(self, throw_on_error: builtins.bool = True, with_details: builtins.bool = False) -> builtins.str:
        """The text form; with_details adds the user's lines."""
    def to_graph(self) -> twinoar.passes.Graph:
        """A copy as a graph: nodes to walk, replace, insert, delete and draw."""
    def diff(self, other: Any, context: Any = 1) -> builtins.str:
        """What differs in another Program, as text; other names of the same values do not."""
    def to_python(self, path: builtins.str | os.PathLike[builtins.str] | None = None, *, values: builtins.bool = False, startup: twinoar.fluid.Program | None = None, sources: builtins.bool = True, scope: twinoar.fluid.Scope | None = None) -> builtins.str:
        """A Python file that builds this Program again: to be read, edited and kept."""
    def clone(self, for_test: builtins.bool = False) -> twinoar.fluid.Program:
        """A copy; with for_test, without backward and update operators and with `training` off."""
    def state_dict(self, mode: builtins.str = 'all', scope: twinoar.fluid.Scope | None = None) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
        """Values of states by name: 'all', 'param' (parameters) or 'opt' (the rest)."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any], scope: twinoar.fluid.Scope | None = None) -> None:
        """Set states by name"""
    def fresh_dim(self, name: builtins.str | None = None) -> twinoar.fluid._SymbolicDim:
        """A new unknown size: N, N1, N2, .."""
    def add_state(self, spec: Any, name: builtins.str | None = None, **kwargs: Any) -> twinoar.fluid.framework.Parameter:
        """A new state, called `const_0`, `const_1`, .."""
    def add_constant(self, data: _numpy.ndarray[Any, Any], spec: Any) -> twinoar.fluid.framework.Parameter:
        """A state that never changes and carries its value."""
    def update(self, state: twinoar.fluid.framework.Parameter, value: twinoar.fluid.Variable) -> None:
        """`state` takes `value` after the run."""
    def variable(self, name: builtins.str) -> twinoar.fluid.Variable:
        """The Variable called `name`"""
    def to_text(self, sources: builtins.bool = True) -> twinoar.fluid._Shown:
        """The text form; `sources` adds the user's lines as comments."""
    plans: builtins.dict[Any, Any]
    scopes: builtins.dict[builtins.str, builtins.int]
    trainings: builtins.list[builtins.tuple[Any, builtins.list[builtins.tuple[Any, Any]]]]
    after_run: collections.abc.Callable[[twinoar.fluid.Scope], None] | None
    main: twinoar.static.Block
    name: builtins.str
    names: Any
    states: builtins.dict[builtins.str, twinoar.fluid.framework.Parameter]
    updates: builtins.dict[twinoar.fluid.framework.Parameter, twinoar.fluid.Variable]
    captured: builtins.dict[builtins.int, twinoar.fluid.framework.Parameter]
    symbols: Any
    version: Any
    lost_gradient: Any
class Scope:
    """Arrays by name; a scope within another one also finds what that has."""
    def __init__(self, parent: twinoar.fluid.Scope | None = None) -> None: ...
    def var(self, name: builtins.str) -> twinoar.fluid._ScopeVariable:
        """The entry called `name` of this very scope, made if there is none."""
    def find_var(self, name: builtins.str) -> twinoar.fluid._ScopeVariable | None:
        """The entry called `name`, here or in a scope around this one, or None."""
    def new_scope(self) -> twinoar.fluid.Scope:
        """A new scope within this one."""
    def drop_kids(self) -> None:
        """Drop all scopes within this one."""
    def erase(self, names: collections.abc.Iterable[builtins.str]) -> None:
        """Drop the entries of these names from this very scope."""
    def local_var_names(self) -> builtins.list[builtins.str]:
        """Names of the entries of this very scope."""
    def size(self) -> builtins.int:
        """Number of entries of this very scope."""
    def read(self, state: twinoar.fluid.framework.Parameter) -> _numpy.ndarray[Any, Any]:
        """The value of a state"""
    def write(self, state: twinoar.fluid.framework.Parameter, value: _numpy.ndarray[Any, Any]) -> None:
        """Replace the value of a state: in the live tensor that it stands for, or here."""
    def check(self, state: twinoar.fluid.framework.Parameter, value: _numpy.ndarray[Any, Any]) -> None:
        """Raise ShapeError or DTypeError where `value` does not fit `state`."""
    parent: twinoar.fluid.Scope | None
    kids: builtins.list[twinoar.fluid.Scope]
    arrays: builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]
    lock: Any
Tensor = LoDTensor
from twinoar import Tensor as VarBase
class Variable(twinoar.Tensor):
    """A symbol: the result of an operator, or an input of a block."""
    weak: builtins.bool
    def __init__(self, name: builtins.str, spec: Any, *, home: Any = None, stop_gradient: builtins.bool = True) -> None: ...
    @property
    def spec(self) -> Any:
        """Shape and dtype."""
    stands_for: Any
    def latest(self) -> twinoar.fluid.Variable:
        """The Variable that this handle stands for now."""
    def rename(self, name: builtins.str) -> None:
        """Take `name`, or where it is taken a numbered form of it."""
    persistable: builtins.bool
    is_parameter: builtins.bool
    is_distributed: builtins.bool
    belong_to_optimizer: builtins.bool
    error_clip: Any
    lod_level: builtins.int
    type: builtins.str
    @property
    def block(self) -> Any:
        """The Block that it belongs to."""
    @property
    def op(self) -> twinoar.static.Operator | None:
        """The operator that defines it, or None."""
    @property
    def is_data(self) -> builtins.bool:
        """True for an input of its Block."""
    @property
    def grad_name(self) -> builtins.str:
        """The name of its gradient."""
    def get_value(self, scope: Any = None) -> Any:
        """The value in `scope`, or in the global one"""
    def to_string(self, throw_on_error: builtins.bool = True, with_details: builtins.bool = False) -> builtins.str:
        """The text form, and with_details the traits that only some Variables have."""
    def __bool__(self) -> builtins.bool: ...
    def item(self, *index: Any) -> Any:
        """The Variable itself, which must have one element: there is no number before it runs."""
    def tolist(self) -> Any:
        """The data as nested lists: a symbol has none before the Program runs."""
    def numpy(self, blocking: builtins.bool = True) -> Any:
        """The data as an ndarray: a symbol has none before the Program runs."""
    def set_value(self, value: Any, scope: Any = None) -> None:
        """Give a state `value` in `scope`, or in the global one; while tracing, stand for it."""
    def __float__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __int__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __complex__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __index__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...
    def register_hook(self, *args: Any) -> None: ...
    def retain_grads(self, *args: Any) -> None: ...
    @property
    def text_form(self) -> builtins.str:
        """How it is written in a text that is made when the Program runs."""
    home: Any
    name: Any
    producer: Any
    rebound: Any
    stop_gradient: Any
class WeightNormParamAttr(twinoar.ParamAttr):
    """What a weight of a layer of `static.nn` shall be: g * v / |v|, where g and v are trained."""
    def __init__(self, dim: Any = None, name: builtins.str | None = None, initializer: collections.abc.Callable | None = None, learning_rate: Any = ..., regularizer: Any = None, trainable: builtins.bool = True, do_model_average: builtins.bool = False, need_clip: builtins.bool = True) -> None: ...
    def weight(self, spec: Any, initializer: collections.abc.Callable[[Any], Any], name: builtins.str) -> Any:
        """The weight of `spec`, of two new parameters of the Program that is built."""
    dim: builtins.int | None
from . import average as average
from . import backward as backward
from . import clip as clip
from . import compiler as compiler
from . import contrib as contrib
from . import core as core
def cpu_places(device_count: Any = None) -> builtins.list[twinoar.CPUPlace]:
    """`device_count` places; None: as many as the variable CPU_NUM says, 1 without it."""
def create_lod_tensor(data: Any, recursive_seq_lens: collections.abc.Sequence[collections.abc.Sequence[Any]], place: Any) -> twinoar.fluid.LoDTensor:
    """A LoDTensor of `data`, whose sequences have the lengths `recursive_seq_lens`."""
def create_random_int_lodtensor(recursive_seq_lens: collections.abc.Sequence[collections.abc.Sequence[Any]], base_shape: collections.abc.Sequence[Any], place: Any, low: Any, high: Any) -> twinoar.fluid.LoDTensor:
    """A LoDTensor of random integers in [low, high], int64, with rows of shape `base_shape`."""
def cuda_pinned_places(device_count: Any = None) -> builtins.list[twinoar.CUDAPinnedPlace]:
    """Memory that GPUs read: raises ArgumentError."""
def cuda_places(device_ids: Any = None) -> builtins.list[twinoar.CUDAPlace]:
    """The GPUs of these numbers; None for all"""
def data(name: builtins.str, shape: Any, dtype: Any = 'float32', lod_level: Any = 0) -> twinoar.fluid.Variable:
    """Declare the input `name` of the default main Program."""
from . import data_feeder as data_feeder
def default_main_program() -> twinoar.fluid.Program:
    """The Program that operators are appended to, or would be in static mode."""
def default_startup_program() -> twinoar.fluid.Program:
    """The Program that initializes the states of the default main Program."""
from twinoar.device import device_guard as device_guard
def disable_dygraph() -> None:
    """From now on operators build the default main Program."""
disable_imperative = disable_dygraph
from . import dygraph as dygraph
def embedding(input: Any, size: Any, is_sparse: builtins.bool = False, is_distributed: builtins.bool = False, padding_idx: Any = None, param_attr: Any = None, dtype: Any = 'float32') -> Any:
    """The rows of a table of parameters that `input` names"""
def enable_dygraph(place: Any = None) -> None:
    """From now on operators run at once"""
enable_imperative = enable_dygraph
from . import executor as executor
from . import framework as framework
from twinoar import get_flags as get_flags
def global_scope() -> twinoar.fluid.Scope:
    """The Scope that Executors use unless told otherwise."""
def gradients(targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: collections.abc.Iterable | None = None) -> builtins.list[twinoar.fluid.Variable | None]:
    """Append operators that compute the gradients of `targets` with respect to `inputs`."""
def in_dygraph_mode() -> builtins.bool:
    """True where operators run at once; asked before a mode is chosen, it begins static mode."""
from . import initializer as initializer
from . import input as input
from . import install_check as install_check
from . import io as io
from twinoar import is_compiled_with_cuda as is_compiled_with_cuda
from . import layers as layers
def load(program: twinoar.fluid.Program, model_path: builtins.str | os.PathLike[builtins.str], executor: Any = None, var_list: collections.abc.Sequence | None = None) -> None:
    """Set the states of `program` from the files that `save` or Paddle has written."""
def load_dygraph(model_path: builtins.str | os.PathLike[builtins.str], keep_name_table: builtins.bool = False) -> builtins.tuple[builtins.dict[builtins.str, Any] | None, builtins.dict[builtins.str, Any] | None]:
    """The states in `<model_path>.pdparams` and `<model_path>.pdopt`: dicts of ndarrays, or None."""
from . import lod_tensor as lod_tensor
def memory_optimize(input_program: twinoar.fluid.Program, skip_opt_set: Any = None, print_log: builtins.bool = False, level: Any = 0, skip_grads: builtins.bool = True) -> None:
    """Warn that this changes nothing: the memory of every Program is planned."""
from . import metrics as metrics
def name_scope(prefix: builtins.str | None = None) -> collections.abc.Iterator[None]:
    """Operators of the block are noted as parts of `prefix`: Programs print it beside the line."""
from . import nets as nets
def one_hot(input: Any, depth: Any, allow_out_of_range: builtins.bool = False) -> twinoar.Tensor:
    """Vectors with a one at the place that `input` names"""
from . import optimizer as optimizer
from . import param_attr as param_attr
from . import profiler as profiler
def program_guard(main_program: twinoar.fluid.Program, startup_program: twinoar.fluid.Program | None = None) -> collections.abc.Iterator[None]:
    """Build `main_program`, and in `startup_program` what initializes it, within the block."""
from . import reader as reader
from . import regularizer as regularizer
def release_memory(input_program: twinoar.fluid.Program, skip_opt_set: Any = None) -> None:
    """Warn that this changes nothing: memory is released where it is not needed any more."""
def require_version(min_version: builtins.str, max_version: builtins.str | None = None) -> None:
    """Raise UnsupportedError unless Paddle 1.8.5, whose names these are, is in the range."""
def save(program: twinoar.fluid.Program, model_path: builtins.str | os.PathLike[builtins.str], protocol: Any = 4, **configs: Any) -> None:
    """Write `program` and the values of its states: `<path>.pdmodel`, `<path>.pdparams` and `<path>.pdopt`."""
def save_dygraph(state_dict: collections.abc.Mapping[builtins.str, Any], model_path: builtins.str | os.PathLike[builtins.str]) -> None:
    """Write `<model_path>.pdparams` for a Layer's state, `<model_path>.pdopt` for an optimizer's."""
def scope_guard(scope: twinoar.fluid.Scope) -> collections.abc.Iterator[None]:
    """Within the block, `scope` is the global one"""
from twinoar import set_flags as set_flags
from . import transpiler as transpiler
from . import unique_name as unique_name
class _Executable:
    """A compiled Program: feeds and states in, outputs and next states out."""
    elsewhere: builtins.dict[Any, twinoar.fluid._Executable] | None
    def execute(self, feeds: collections.abc.Sequence[_numpy.ndarray[Any, Any]], states: collections.abc.Sequence[_numpy.ndarray[Any, Any]]) -> builtins.tuple[builtins.list[_numpy.ndarray[Any, Any]], builtins.list[_numpy.ndarray[Any, Any]]]:
        """Run once, by position: the program's outputs, and the next value of each updated state."""
    def run_here(self, feeds: collections.abc.Sequence[_numpy.ndarray[Any, Any]], states: collections.abc.Sequence[_numpy.ndarray[Any, Any]]) -> builtins.tuple[builtins.list[_numpy.ndarray[Any, Any]], builtins.list[_numpy.ndarray[Any, Any]]]:
        """`execute` where all data lie on the device of this executable."""
    def call(self, feeds: collections.abc.Sequence[_numpy.ndarray[Any, Any]], states: collections.abc.Sequence[_numpy.ndarray[Any, Any]]) -> builtins.tuple[builtins.list[_numpy.ndarray[Any, Any]], builtins.list[_numpy.ndarray[Any, Any]]]:
        """What `run_here` does, of which observers are told."""
    def call_by_operator(self, feeds: collections.abc.Sequence[_numpy.ndarray[Any, Any]], states: collections.abc.Sequence[_numpy.ndarray[Any, Any]]) -> builtins.tuple[builtins.list[_numpy.ndarray[Any, Any]], builtins.list[_numpy.ndarray[Any, Any]]]:
        """As `call`, for observers who ask for each operator: they are told of them."""
    def table(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What ran as what, a line for each part, in order or the slowest first."""
    def host_commands(self) -> builtins.list[Any] | None:
        """What Python or NumPy runs within the compiled Program; None where none is compiled."""
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """The table, and how many commands stay on the host, with reasons."""
    def run(self, feeds: collections.abc.Mapping[builtins.str, _numpy.ndarray[Any, Any]], states: collections.abc.Mapping[builtins.str, _numpy.ndarray[Any, Any]]) -> builtins.tuple[builtins.list[_numpy.ndarray[Any, Any]], builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]:
        """`execute`, by name."""
    program: Any
    feed_names: builtins.list[builtins.str]
    state_names: builtins.list[builtins.str]
    updated_names: builtins.list[builtins.str]
class _SymbolicDim:
    """An unknown size: `N`, `2*N + 1`, `max(N, M)`; immutable."""
    def __init__(self, terms: collections.abc.Mapping[builtins.tuple[builtins.str | builtins.tuple[builtins.str, Any, Any], ...], Any]) -> None: ...
    def __add__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __pow__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __rpow__(self, other: Any) -> Any: ...
    def __pos__(self, digits: Any = None) -> Any: ...
    def __abs__(self) -> Any: ...
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    def __bool__(self) -> builtins.bool: ...
    def __int__(self) -> builtins.int: ...
    def __index__(self) -> builtins.int: ...
    def __float__(self) -> builtins.int: ...
    def __complex__(self) -> builtins.int: ...
    terms: Any
class _Shown(builtins.str):
    """A text that shows its lines where it is the value of a prompt or of a notebook's cell."""
class _ScopeVariable:
    """One entry of a Scope, as `find_var` returns it."""
    def __init__(self, scope: twinoar.fluid.Scope, name: builtins.str) -> None: ...
    def get_tensor(self) -> twinoar.fluid._ScopeVariable:
        """The entry itself: it converts to an ndarray."""
    def set(self, value: Any, place: Any = None) -> None:
        """Replace the value."""
    def shape(self) -> builtins.list[builtins.int]:
        """Sizes of the dimensions."""
    def lod(self) -> builtins.list[builtins.list[builtins.int]]:
        """No levels: sequences are padded, with their lengths beside them."""
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> _numpy.ndarray[Any, Any]: ...
    scope: twinoar.fluid.Scope
    name: builtins.str

"""Dynamic code as Programs: to_static, save, load."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.fluid.dygraph
import twinoar.fluid.framework
import twinoar.jit
import twinoar.nn
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class StaticFunction:
    """A function under `to_static`; as a method it binds like one."""
    def __init__(self, function: collections.abc.Callable, input_spec: collections.abc.Sequence | None = None, instance: Any = None) -> None: ...
    @property
    def dygraph_function(self) -> collections.abc.Callable:
        """The Python function, bound where this is a method."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_concrete_program(self, *args: Any, **kwargs: Any) -> builtins.tuple[twinoar.fluid.dygraph._ConcreteProgram, twinoar.fluid.dygraph._ConcreteProgram]:
        """The Program for these arguments, Tensors or InputSpecs in their places, and what runs it."""
    @property
    def concrete_program(self) -> twinoar.fluid.dygraph._ConcreteProgram:
        """The Program of `input_spec`, or the latest"""
    @property
    def main_program(self) -> Any:
        """The Program of `concrete_program`."""
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What runs as what in the latest Program, a line for each part, with its time."""
    @property
    def program_cache(self) -> collections.abc.Mapping:
        """The Programs traced so far, by signature, and by number where it has several."""
    def why_recompiled(self) -> builtins.list[twinoar.jit._Difference]:
        """Why the function was traced again, each time: what differed from the trace before."""
    def report(self, *args: Any, **kwargs: Any) -> twinoar.jit._Report:
        """What became of each line of the source: see `jit.explain`."""
    def latest_arguments(self) -> builtins.tuple[builtins.tuple, builtins.dict]:
        """What it was last traced for: InputSpecs for tensors, and the plain values."""
    def arguments_said(self) -> builtins.list[builtins.str]:
        """What told the latest trace from others: each argument, as messages show it."""
    @property
    def inputs(self) -> builtins.list:
        """The Variables that stand for tensor arguments in `concrete_program`."""
    @property
    def outputs(self) -> builtins.list:
        """The Variables that `concrete_program` returns."""
    @property
    def code(self) -> builtins.str:
        """The converted source."""
    def rollback(self) -> collections.abc.Callable:
        """The plain Python function; a layer's `forward` becomes it again."""
class TranslatedLayer(twinoar.nn.Layer):
    """A loaded model: called like the Layer that was saved, and trainable like it."""
    def __init__(self, programs: builtins.dict[builtins.str, Any], tensors: builtins.dict[builtins.str, twinoar._TensorLike]) -> None: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any: ...
    def apply_passes(self, passes: collections.abc.Sequence[builtins.str | collections.abc.Callable[[Any], Any]] | builtins.str | collections.abc.Callable[[Any], Any]) -> None:
        """Run passes on the Program of each entry point; what they made is called and saved."""
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the model on its inputs, by position or name; returns its output, or several."""
    def program(self, method_name: builtins.str = 'forward') -> twinoar.jit._Program:
        """The Program of an entry point"""
    @property
    def tensors(self) -> builtins.list[twinoar.Tensor]:
        """The parameters and buffers that the entry points read."""
    @property
    def methods(self) -> builtins.dict[builtins.str, collections.abc.Callable[..., Any]]:
        """The entry points by name."""
    def explain(self, sort: Literal['order', 'time'] = 'order') -> builtins.str:
        """What runs as what, a line for each part with its time; sort: 'order' or 'time'."""
    def executables(self) -> builtins.dict[builtins.str, twinoar.fluid._Executable]:
        """What runs the model, in the mode that it is in, by name."""
    training: Any
def enable_to_static(enable_to_static_bool: builtins.bool) -> None:
    """Turn conversion on or off for the process; off, converted functions run as plain Python."""
def explain(function: collections.abc.Callable, *args: Any, **kwargs: Any) -> twinoar.jit._Report:
    """Trace a function for these arguments, and tell what became of each line of its source."""
def ignore_module(modules: collections.abc.Sequence) -> None:
    """Leave the functions of these modules as they are when conversion meets them."""
def load(path: builtins.str, **configs: Any) -> twinoar.jit.TranslatedLayer:
    """Load what `jit.save`, or the real Paddle 2.x, saved under the prefix `path`."""
def not_to_static(func: collections.abc.Callable | None = None) -> Any:
    """Mark a function that conversion leaves as it is: it is called, not converted."""
def save(layer: Any, path: builtins.str, input_spec: collections.abc.Sequence | None = None, *, verify: builtins.bool | Literal['auto'] = 'auto', **configs: Any) -> twinoar.jit._Proof | None:
    """Save a Layer, or a function under `to_static`, for running without its Python code."""
def set_code_level(level: Any = 100, also_to_stdout: builtins.bool = False) -> None:
    """Let conversion show on sys.stderr the code that it makes of each function."""
def set_verbosity(level: Any = 0, also_to_stdout: builtins.bool = False) -> None:
    """Let conversion and tracing tell on sys.stderr what they do."""
def to_static(function: Any = None, input_spec: collections.abc.Sequence | None = None, build_strategy: Any = None, backend: Any = None, property: builtins.bool = False, full_graph: builtins.bool = True, *, check: Any = False, **kwargs: Any) -> Any:
    """Run a function, or a Layer's `forward`, as a Program."""
class _Difference(typing.NamedTuple):
    """Why a Program does not fit a call: what it found there, what is there now, where it read it."""
    what: Any
    then: Any
    now: Any
    source: Any
    place: Any
class _Report:
    """The source of the functions that a Program was traced from, in the order of their calls."""
    facts: builtins.tuple[Any, ...]
    functions: builtins.tuple[builtins.tuple[builtins.str, builtins.int, builtins.int], ...]
    name: builtins.str
    program: twinoar.jit._Program
    def __init__(self, name: builtins.str, program: twinoar.jit._Program, functions: builtins.tuple[builtins.tuple[builtins.str, Any, Any], ...], facts: builtins.tuple[Any, ...]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
class _Program:
    """Blocks, states and updates; see the module"""
    block_type: Any
    def __init__(self, name: builtins.str = 'program') -> None: ...
    def fresh_dim(self, name: builtins.str | None = None) -> twinoar.fluid._SymbolicDim:
        """A new unknown size: N, N1, N2, .."""
    def add_state(self, spec: Any, name: builtins.str | None = None, **kwargs: Any) -> twinoar.fluid.framework.Parameter:
        """A new state, called `const_0`, `const_1`, .."""
    def add_constant(self, data: _numpy.ndarray[Any, Any], spec: Any) -> twinoar.fluid.framework.Parameter:
        """A state that never changes and carries its value."""
    def value_of(self, v: twinoar.fluid.Variable, scope: Any = None) -> Any:
        """The value that `v` has in a Scope: static Programs know one."""
    def give_value(self, v: twinoar.fluid.Variable, value: Any, scope: Any = None) -> None:
        """Give `v` a value in a Scope: static Programs know one."""
    def update(self, state: twinoar.fluid.framework.Parameter, value: twinoar.fluid.Variable) -> None:
        """`state` takes `value` after the run."""
    def variable(self, name: builtins.str) -> twinoar.fluid.Variable:
        """The Variable called `name`"""
    def to_text(self, sources: builtins.bool = True) -> twinoar.fluid._Shown:
        """The text form; `sources` adds the user's lines as comments."""
    name: builtins.str
    names: Any
    main: Any
    states: builtins.dict[builtins.str, twinoar.fluid.framework.Parameter]
    updates: builtins.dict[twinoar.fluid.framework.Parameter, twinoar.fluid.Variable]
    captured: builtins.dict[builtins.int, twinoar.fluid.framework.Parameter]
    symbols: Any
    version: Any
    lost_gradient: Any
class _Proof:
    """What was compared, by entry point, and what was not."""
    seconds: builtins.float
    def to_bytes(self) -> builtins.bytes:
        """The samples as an `.npz` file, as many of each entry point as its share of it holds."""
    def __init__(self, samples: builtins.dict[builtins.str, builtins.list[Any]] = ..., unreached: builtins.list[builtins.str] = ..., notes: builtins.list[builtins.str] = ..., seconds: Any = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    samples: builtins.dict[builtins.str, builtins.list[Any]]
    unreached: builtins.list[builtins.str]
    notes: builtins.list[builtins.str]

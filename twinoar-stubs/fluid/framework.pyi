"""Programs and what is asked of the process, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.fluid
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import CPUPlace as CPUPlace
from twinoar import CUDAPinnedPlace as CUDAPinnedPlace
from twinoar import CUDAPlace as CUDAPlace
class Parameter(twinoar.Tensor):
    """A Variable that lives on between runs: parameter, statistic, moment, random key, constant."""
    def __init__(self, name: builtins.str, spec: Any, *, data: Any = None, is_parameter: builtins.bool = False, is_constant: builtins.bool = False, stop_gradient: builtins.bool = True, home: Any = None) -> None: ...
    @property
    def trainable(self) -> builtins.bool:
        """True for a parameter that optimizers change."""
    data: Any
    is_constant: Any
    is_parameter: Any
    persistable: Any
    traits: Any
    weak: builtins.bool
    @property
    def spec(self) -> Any:
        """Shape and dtype."""
    stands_for: Any
    def latest(self) -> twinoar.fluid.Variable:
        """The Variable that this handle stands for now."""
    def rename(self, name: builtins.str) -> None:
        """Take `name`, or where it is taken a numbered form of it."""
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
from twinoar.fluid import Program as Program
from twinoar.fluid import Variable as Variable
from twinoar.fluid import cpu_places as cpu_places
from twinoar.fluid import cuda_pinned_places as cuda_pinned_places
from twinoar.fluid import cuda_places as cuda_places
from twinoar.fluid import default_main_program as default_main_program
from twinoar.fluid import default_startup_program as default_startup_program
from twinoar.device import device_guard as device_guard
from twinoar import get_flags as get_flags
from twinoar.fluid import in_dygraph_mode as in_dygraph_mode
from twinoar import is_compiled_with_cuda as is_compiled_with_cuda
from twinoar.fluid import memory_optimize as memory_optimize
from twinoar.fluid import name_scope as name_scope
from twinoar.fluid import program_guard as program_guard
from twinoar.fluid import release_memory as release_memory
from twinoar.fluid import require_version as require_version
from twinoar import set_flags as set_flags

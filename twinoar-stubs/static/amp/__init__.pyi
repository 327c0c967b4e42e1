"""`paddle.static.amp`: mixed precision in Programs."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.optimizer
import twinoar.static.amp
from typing import Any, Literal, overload

import numpy as _numpy

class AutoMixedPrecisionLists:
    """Names of operators by precision, and of Variables that stay float32 with what they meet."""
    def __init__(self, custom_white_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_varnames: collections.abc.Iterable[builtins.str] | None = None, dtype: builtins.str = 'float16') -> None: ...
    def autocast(self, level: builtins.str, use_promote: builtins.bool = True) -> twinoar.static.amp._Autocast:
        """The lists as what casts operands, at a level of `auto_cast`."""
    amp_dtype: Any
    black_varnames: Any
    white_list: Any
    black_list: Any
    gray_list: Any
CustomOpLists = AutoMixedPrecisionLists
def cast_model_to_fp16(program: twinoar.fluid.Program, amp_lists: twinoar.static.amp.AutoMixedPrecisionLists | None = None, use_fp16_guard: builtins.bool = True, dest_type: Any = ..., level: builtins.str = 'O2', use_promote: builtins.bool = False) -> builtins.set[builtins.str]:
    """Make the operators of a Program compute in lower precision, in place, before its backward."""
def cast_parameters_to_fp16(place: Any, program: twinoar.fluid.Program, scope: twinoar.fluid.Scope | None = None, to_fp16_var_names: collections.abc.Iterable[builtins.str] | None = None, dest_type: Any = ..., rewrite_master_weight: builtins.bool = False, master_weights: Any = None) -> None:
    """Convert the values of parameters in a Scope to what the Program says of them."""
from twinoar.amp import debugging as debugging
def decorate(optimizer: twinoar.optimizer.Optimizer, amp_lists: twinoar.static.amp.AutoMixedPrecisionLists | None = None, *given: Any, **named: Any) -> twinoar.static.amp._OptimizerWithMixedPrecision:
    """An optimizer whose `minimize` makes a Program train in lower precision."""
def fp16_guard() -> collections.abc.Iterator[None]:
    """Operators of the block compute in lower precision where only those of such blocks shall."""
class _Autocast:
    """Casts operands to what an operator computes in, as its `amp` rule and the lists say."""
    white: builtins.frozenset[builtins.str]
    black: builtins.frozenset[builtins.str]
    use_promote: builtins.bool
    def cast(self, op: Any, operands: builtins.tuple[Any, ...]) -> builtins.tuple[Any, ...]:
        """The operands of `op` in its precision: the `Autocast` of `core.policy`."""
    def kind_of(self, op: Any) -> builtins.str:
        """What is made of an operator at this level: one of PRECISIONS."""
    def __init__(self, level: builtins.str, dtype: twinoar.dtype, white: builtins.frozenset[builtins.str] = ..., black: builtins.frozenset[builtins.str] = ..., use_promote: builtins.bool = True, _known: builtins.dict[Any, builtins.str] = ...) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    level: builtins.str
    dtype: twinoar.dtype
class _OptimizerWithMixedPrecision:
    """An optimizer that lowers the Program of its loss, and scales that: `decorate` makes it."""
    def __init__(self, optimizer: twinoar.optimizer.Optimizer, amp_lists: twinoar.static.amp.AutoMixedPrecisionLists, level: builtins.str, dtype: builtins.str, init_loss_scaling: Any, use_dynamic_loss_scaling: builtins.bool, incr_every_n_steps: Any, decr_every_n_nan_or_inf: Any, incr_ratio: Any, decr_ratio: Any, use_amp_guard: builtins.bool | None = None, use_master_grad: builtins.bool = False, use_promote: builtins.bool = False) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def get_loss_scaling(self) -> twinoar.fluid.framework.Parameter:
        """The scale, [1], a state of the Program"""
    def get_scaled_loss(self) -> twinoar.fluid.Variable | None:
        """The loss times the scale; None before `backward`."""
    def backward(self, loss: twinoar.fluid.Variable, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: collections.abc.Sequence[collections.abc.Callable[..., Any]] | None = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """Lower the Program of the loss, scale it, append its backward: (parameter, gradient)."""
    def apply_gradients(self, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list[Any]:
        """Divide gradients by the scale, update parameters unless one overflowed, then the scale."""
    def apply_optimize(self, loss: twinoar.fluid.Variable, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list[Any]:
        """`apply_gradients`."""
    def minimize(self, loss: twinoar.fluid.Variable, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list[Any], builtins.list[builtins.tuple[Any, Any]]]:
        """`backward` and `apply_gradients`: the appended operators, and (parameter, gradient)."""
    def amp_init(self, place: Any, scope: twinoar.fluid.Scope | None = None, test_program: twinoar.fluid.Program | None = None, use_fp16_test: builtins.bool = False, rewrite_master_weight: builtins.bool = False) -> None:
        """Convert parameters that were initialized, or loaded, as float32; after `minimize`."""

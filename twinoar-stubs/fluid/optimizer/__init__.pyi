"""Optimizers, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.fluid.optimizer
import twinoar.optimizer
from typing import Any, Literal, overload

import numpy as _numpy

class Adadelta(twinoar.optimizer.Adadelta):
    """Steps in the ratio of past steps to past gradients"""
    def __init__(self, learning_rate: Any, epsilon: Any = ..., rho: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def rate_for(self, param: twinoar._TensorLike, rate: Any) -> Any:
        """1: the rule has a rate of its own."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
AdadeltaOptimizer = Adadelta
class Adagrad(twinoar.optimizer.Adagrad):
    """Rates that fall with the squares of gradients seen"""
    def __init__(self, learning_rate: Any, epsilon: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None, initial_accumulator_value: Any = ...) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
AdagradOptimizer = Adagrad
class Adam(twinoar.optimizer.Adam):
    """Steps by the running mean of gradients and of their squares"""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None, lazy_mode: builtins.bool = False) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
AdamOptimizer = Adam
class Adamax(twinoar.optimizer.Adamax):
    """Adam with the maximum norm of past gradients"""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
AdamaxOptimizer = Adamax
class DecayedAdagrad(twinoar.optimizer.Optimizer):
    """Adagrad whose sum of squared gradients is a running mean."""
    def __init__(self, learning_rate: Any, decay: Any = ..., epsilon: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The running mean of squared gradients."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
DecayedAdagradOptimizer = DecayedAdagrad
class Dpsgd(twinoar.optimizer.Optimizer):
    """Gradient descent with differential privacy: each gradient is brought to length `clip`, and one normal number of deviation sigma, over batch_size, is added to it."""
    def __init__(self, learning_rate: Any = ..., clip: Any = ..., batch_size: Any = ..., sigma: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None) -> None: ...
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
DpsgdOptimizer = Dpsgd
from twinoar.static import ExponentialMovingAverage as ExponentialMovingAverage
class Ftrl(twinoar.optimizer.Optimizer):
    """FTRL-Proximal: follows all past gradients at once; l1 makes weights zero, l2 shrinks them."""
    def __init__(self, learning_rate: Any, l1: Any = ..., l2: Any = ..., lr_power: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The sum of squared gradients, and the linear sum."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
FtrlOptimizer = Ftrl
class LambOptimizer(twinoar.optimizer.Lamb):
    """Adam's direction, as long as the parameter times the rate"""
    def __init__(self, learning_rate: Any = ..., lamb_weight_decay: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, exclude_from_weight_decay_fn: collections.abc.Callable[[Any], builtins.bool] | None = None, name: builtins.str | None = None) -> None: ...
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
class LarsMomentum(twinoar.optimizer.Optimizer):
    """Momentum at a rate in the ratio of each parameter's length to that of its gradient."""
    def __init__(self, learning_rate: Any, momentum: Any, lars_coeff: Any = ..., lars_weight_decay: Any = ..., parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The velocity."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
LarsMomentumOptimizer = LarsMomentum
class LookaheadOptimizer:
    """Every k updates of `inner_optimizer` the parameters go back to slow ones, moved by alpha."""
    def __init__(self, inner_optimizer: twinoar.optimizer.Optimizer, alpha: Any = ..., k: Any = 5) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters in each run of the loss's Program; see `FluidOptimizer.minimize`."""
    inner_optimizer: twinoar.optimizer.Optimizer
    alpha: builtins.float
    k: builtins.int
    type: Any
class ModelAverage:
    """The mean of each parameter over the last updates: `apply` puts it in the parameter's place."""
    def __init__(self, average_window_rate: Any, min_average_window: Any = 10000, max_average_window: Any = 10000, regularization: Any = None, name: builtins.str | None = None) -> None: ...
    def values(self, scope: twinoar.fluid.Scope) -> builtins.dict[twinoar.fluid.framework.Parameter, _numpy.ndarray[Any, Any]]:
        """The means."""
    def apply(self, executor: Any, need_restore: builtins.bool = True) -> collections.abc.Iterator[None]:
        """Within the block the parameters are their averages."""
    def restore(self, executor: Any) -> None:
        """Give the parameters back the values that they had before `apply`."""
class Momentum(twinoar.optimizer.Momentum):
    """Gradient descent with a velocity"""
    def __init__(self, learning_rate: Any, momentum: Any, parameter_list: collections.abc.Iterable[Any] | None = None, use_nesterov: builtins.bool = False, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
MomentumOptimizer = Momentum
class RMSPropOptimizer(twinoar.optimizer.RMSProp):
    """Gradients over the root of their running mean square"""
    def __init__(self, learning_rate: Any, rho: Any = ..., epsilon: Any = ..., momentum: Any = ..., centered: builtins.bool = False, parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
class RecomputeOptimizer:
    """Wraps an optimizer, for training that takes less memory; see `twinoar.passes.recompute`."""
    def __init__(self, optimizer: twinoar.optimizer.Optimizer) -> None: ...
    def minimize(self, loss: Any, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss` in each run of its Program."""
    def backward(self, loss: Any, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def __getattr__(self, name: builtins.str) -> Any: ...
class SGD(twinoar.optimizer.SGD):
    """Plain gradient descent: w - learning_rate * g."""
    def __init__(self, learning_rate: Any, parameter_list: collections.abc.Iterable[Any] | None = None, regularization: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`: now, or in each run of its Program."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameter_list: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs."""
    def apply_optimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`"""
    def current_step_lr(self) -> builtins.float:
        """The learning rate of the latest update, before the first one that of the first."""
    def get_opti_var_name_list(self) -> builtins.list[builtins.str]:
        """The names of what is remembered of the parameters."""
SGDOptimizer = SGD
class _Moment:
    """One thing that a rule remembers of a parameter: of its shape, or one number of shape [1]."""
    def spec_for(self, parameter: twinoar._TensorLike) -> Any:
        """Shape and dtype: the parameter's, but float32 for 16-bit floats."""
    def key_for(self, parameter: Any) -> builtins.str:
        """The name of the entry, without the number at its end."""
    dtype: twinoar.dtype | None
    is_single: builtins.bool
    name: builtins.str
    rows: builtins.int | None
    value: builtins.float
    def __init__(self, name: builtins.str, value: Any = ..., is_single: builtins.bool = False, rows: Any = None, dtype: twinoar.dtype | None = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]

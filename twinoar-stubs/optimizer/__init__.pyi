"""Optimizers: how parameters follow their gradients."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.fluid.optimizer
import twinoar.optimizer
import twinoar.optimizer.lr
from typing import Any, Literal, overload

import numpy as _numpy

class ASGD(twinoar.optimizer.Optimizer):
    """w - learning_rate * d, where d is the mean of the last gradients of `batch_num` batches."""
    def __init__(self, learning_rate: Any = ..., batch_num: Any = 1, parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, multi_precision: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The sum of the last gradients, these gradients, and how many steps were done."""
class Adadelta(twinoar.optimizer.Optimizer):
    """w - learning_rate * g * sqrt((d + epsilon) / (s + epsilon)), d and s means of squares."""
    def __init__(self, learning_rate: Any = ..., epsilon: Any = ..., rho: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Means of squared gradients and of squared steps."""
class Adagrad(twinoar.optimizer.Optimizer):
    """s = s + g * g, then w - learning_rate * g / (sqrt(s) + epsilon)."""
    def __init__(self, learning_rate: Any, epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None, initial_accumulator_value: Any = ...) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The sum of squares."""
class Adam(twinoar.optimizer.Optimizer):
    """w - learning_rate * m / (sqrt(v) + epsilon), with running means m of g and v of g * g."""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, lazy_mode: builtins.bool = False, multi_precision: builtins.bool = False, use_multi_tensor: builtins.bool = False, amsgrad: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Means of the gradient and of its square, and powers of both betas for the next step."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
class AdamW(twinoar.optimizer.Optimizer):
    """First w - learning_rate * weight_decay * w, then Adam's step."""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = ..., use_lowprecision_moment: builtins.bool = False, lr_ratio: collections.abc.Callable[[Any], builtins.float] | None = None, apply_decay_param_fun: collections.abc.Callable[[builtins.str], builtins.bool] | None = None, grad_clip: Any = None, lazy_mode: builtins.bool = False, multi_precision: builtins.bool = False, amsgrad: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Those of Adam."""
    def settings_for(self, param: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> collections.abc.Mapping[builtins.str, Any]:
        """Those of the group, without decay where `apply_decay_param_fun` says so."""
    def rate_for(self, param: Any, rate: Any) -> Any:
        """The rate times what `lr_ratio` says."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
class Adamax(twinoar.optimizer.Optimizer):
    """w - learning_rate * m' / u, with a running mean m of g and u = max(|g|, beta2 * u + epsilon)."""
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The mean of gradients, their norm, and the power of beta1 for the next step."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
class LBFGS(twinoar.optimizer.Optimizer):
    """w + learning_rate * d, with d = -H g and H made of the last changes of w and g."""
    def __init__(self, learning_rate: Any = ..., max_iter: Any = 20, max_eval: Any = None, tolerance_grad: Any = ..., tolerance_change: Any = ..., history_size: Any = 100, line_search_fn: builtins.str | None = None, parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def step(self, closure: collections.abc.Callable[[], Any]) -> Any:
        """Minimize `closure()`, which clears the gradients, computes them anew, returns the loss."""
    def minimize(self, *arguments: Any, **named: Any) -> Any:
        """Raises UnsupportedError: a loss that was computed once is not enough."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """What is remembered, as `state`: changes of w and g, the last direction, counts."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters."""
    def set_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters."""
class Lamb(twinoar.optimizer.Optimizer):
    """w - learning_rate * |w| * r / |r|, r being Adam's direction plus lamb_weight_decay * w."""
    def __init__(self, learning_rate: Any = ..., lamb_weight_decay: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, grad_clip: Any = None, exclude_from_weight_decay_fn: collections.abc.Callable[[Any], builtins.bool] | None = None, multi_precision: builtins.bool = False, always_adapt: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Those of Adam."""
    def settings_for(self, param: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> collections.abc.Mapping[builtins.str, Any]:
        """Those of the group, without decay for an excluded parameter."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
class Momentum(twinoar.optimizer.Optimizer):
    """v = momentum * v + g, then w - learning_rate * v."""
    def __init__(self, learning_rate: Any = ..., momentum: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, use_nesterov: builtins.bool = False, weight_decay: Any = None, grad_clip: Any = None, multi_precision: builtins.bool = False, rescale_grad: Any = ..., use_multi_tensor: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The velocity."""
    def decayed(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, regularizer: Any) -> twinoar.Tensor:
        """The rescaled gradient with the regularizer's term."""
class NAdam(twinoar.optimizer.Optimizer):
    """Adam whose step follows the momentum of the next step, as Nesterov's method does."""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., momentum_decay: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Powers, the product of all momenta, and means of the gradient and of its square."""
class Optimizer:
    """Base of optimizers: `moments` says what a subclass remembers, `update` what it does."""
    def __init__(self, learning_rate: Any, parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """What the rule remembers of each parameter."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter, and the new value of each moment."""
    def settings_for(self, param: twinoar._TensorLike, settings: collections.abc.Mapping[builtins.str, Any]) -> collections.abc.Mapping[builtins.str, Any]:
        """The settings for one parameter of a group that has `settings`."""
    def rate_for(self, param: twinoar._TensorLike, rate: Any) -> Any:
        """The learning rate for one parameter, where its group and ParamAttr say `rate`."""
    def decayed(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, regularizer: collections.abc.Callable | None) -> twinoar.Tensor:
        """The gradient with the regularizer's term."""
    def step(self) -> None:
        """Update each parameter that has a gradient; the others stay."""
    def clear_grad(self, set_to_zero: builtins.bool = True) -> None:
        """Fill the gradients with zeros, or forget them."""
    def clear_gradients(self, set_to_zero: builtins.bool = True) -> None:
        """Fill the gradients with zeros, or forget them."""
    def minimize(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameters: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None) -> builtins.tuple[builtins.list, builtins.list[builtins.tuple[Any, Any]]]:
        """Update parameters by the gradients of `loss`."""
    def backward(self, loss: twinoar._TensorLike, startup_program: twinoar.fluid.Program | None = None, parameters: collections.abc.Sequence[Any] | None = None, no_grad_set: collections.abc.Iterable[Any] | None = None, callbacks: Any = None) -> builtins.list[builtins.tuple[Any, Any]]:
        """The first half of `minimize`: (parameter, gradient) pairs"""
    def apply_gradients(self, params_grads: builtins.list[builtins.tuple[Any, Any]]) -> builtins.list:
        """The second half of `minimize`: clip, decay and update"""
    @property
    def has_stepped(self) -> builtins.bool:
        """True where something is remembered of a parameter."""
    def get_lr(self) -> builtins.float:
        """The learning rate now."""
    def set_lr(self, value: Any) -> None:
        """Set the learning rate"""
    def set_lr_scheduler(self, scheduler: twinoar.optimizer.lr.LRScheduler) -> None:
        """Let `scheduler` set the learning rate from now on"""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """What is remembered of the parameters by name, `master_weights`, and `LR_Scheduler`."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters."""
    def set_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters."""
    def skipping(self, found: twinoar._TensorLike | None) -> collections.abc.Iterator[None]:
        """Within the block a step changes nothing where `found`, one truth value, is true."""
    regularization: Any
class RAdam(twinoar.optimizer.Optimizer):
    """Adam whose steps are scaled by how sure the mean of squares is, and not by it at first."""
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """Powers of both betas, rho, and means of the gradient and of its square."""
    def __init__(self, learning_rate: Any = ..., beta1: Any = ..., beta2: Any = ..., epsilon: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
class RMSProp(twinoar.optimizer.Optimizer):
    """s = rho * s + (1 - rho) * g * g, then w - learning_rate * g / sqrt(s + epsilon)."""
    def __init__(self, learning_rate: Any, rho: Any = ..., epsilon: Any = ..., momentum: Any = ..., centered: builtins.bool = False, parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The last step, and means of the squared gradient and of the gradient."""
class Rprop(twinoar.optimizer.Optimizer):
    """w - sign(g) * r, where each element has a rate r of its own, by how its gradient's sign goes."""
    def __init__(self, learning_rate: Any = ..., learning_rate_range: builtins.tuple[Any, Any] = ..., parameters: collections.abc.Iterable[Any] | None = None, etas: builtins.tuple[Any, Any] = ..., grad_clip: Any = None, multi_precision: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def moments(self, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple[twinoar.fluid.optimizer._Moment, ...]:
        """The last gradient, 0 where its sign had changed, and the rates."""
    def update(self, param: twinoar._TensorLike, grad: twinoar._TensorLike, states: builtins.tuple, rate: Any, settings: collections.abc.Mapping[builtins.str, Any]) -> builtins.tuple:
        """The new parameter and moments."""
class SGD(twinoar.optimizer.Optimizer):
    """w - learning_rate * gradient."""
    def __init__(self, learning_rate: Any = ..., parameters: collections.abc.Iterable[Any] | None = None, weight_decay: Any = None, grad_clip: Any = None, multi_precision: builtins.bool = False, name: builtins.str | None = None) -> None: ...
from . import lr as lr

"""Learning rate schedules."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.optimizer.lr
from typing import Any, Literal, overload

import numpy as _numpy

class CosineAnnealingDecay(twinoar.optimizer.lr.LRScheduler):
    """Between learning_rate and eta_min, T_max epochs down and T_max up again."""
    def __init__(self, learning_rate: Any, T_max: Any, eta_min: Any = 0, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    T_max: Any
    eta_min: Any
class CosineAnnealingWarmRestarts(twinoar.optimizer.lr.LRScheduler):
    """From learning_rate down to eta_min in T_0 epochs, again and again."""
    def __init__(self, learning_rate: Any, T_0: Any, T_mult: Any = 1, eta_min: Any = 0, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate `T_cur` epochs after the last restart."""
    def step(self, epoch: Any = None) -> None:
        """Go on by one, or to `epoch`, which may be a fraction"""
    T_0: Any
    T_i: Any
    T_mult: Any
    eta_min: builtins.float
    T_cur: builtins.float
    last_epoch: Any
    last_lr: builtins.float
class CyclicLR(twinoar.optimizer.lr.LRScheduler):
    """Between base_learning_rate and max_learning_rate, again and again"""
    def __init__(self, base_learning_rate: Any, max_learning_rate: Any, step_size_up: Any, step_size_down: Any = None, mode: Literal['triangular', 'triangular2', 'exp_range'] = 'triangular', exp_gamma: Any = ..., scale_fn: collections.abc.Callable[[builtins.float], builtins.float] | None = None, scale_mode: Literal['cycle', 'iterations'] = 'cycle', last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    cycle_size: Any
    step_up_pct: Any
    max_lr: Any
    amplitude: Any
    mode: Literal['triangular', 'triangular2', 'exp_range']
    gamma: builtins.float
    scale_fn: Any
    scale_mode: Literal['cycle', 'iterations']
class ExponentialDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * gamma ** epoch, 0 < gamma < 1 or ArgumentError."""
    def __init__(self, learning_rate: Any, gamma: Any, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    gamma: Any
class InverseTimeDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate / (1 + gamma * epoch)."""
    def __init__(self, learning_rate: Any, gamma: Any, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    gamma: Any
class LRScheduler:
    """Base of schedules: a subclass says in `get_lr` what the rate is at `last_epoch`."""
    def __init__(self, learning_rate: Any = ..., last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def __call__(self) -> builtins.float: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`; `last_lr` is still that of the step before."""
    def step(self, epoch: Any = None) -> None:
        """Go on by one, or to `epoch`, and compute the rate there."""
    def state_keys(self) -> None:
        """Set `keys`, the attributes that `state_dict` holds; subclasses may add to them."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """What is needed to go on later, by name."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned"""
    base_lr: Any
    last_lr: Any
    last_epoch: builtins.int
    verbose: builtins.bool
    keys: Any
class LambdaDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * lr_lambda(epoch)"""
    def __init__(self, learning_rate: Any, lr_lambda: collections.abc.Callable[[builtins.int], builtins.float], last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    lr_lambda: Any
class LinearLR(twinoar.optimizer.lr.LRScheduler):
    """The factor on learning_rate goes from start_factor to end_factor in total_steps."""
    def __init__(self, learning_rate: Any, total_steps: Any, start_factor: Any = ..., end_factor: Any = ..., last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    start_factor: Any
    end_factor: Any
    total_steps: Any
class LinearWarmup(twinoar.optimizer.lr.LRScheduler):
    """From start_lr to end_lr in warmup_steps, then learning_rate, a number or another schedule."""
    def __init__(self, learning_rate: Any, warmup_steps: Any, start_lr: Any, end_lr: Any, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`; after the warmup this steps the inner schedule."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """What is needed to go on later; the inner schedule's as `LinearWarmup_LR`."""
    def set_state_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    def set_dict(self, state_dict: Any) -> None:
        """Go on from what `state_dict` returned"""
    learning_rate: builtins.float | twinoar.optimizer.lr.LRScheduler
    warmup_steps: Any
    start_lr: Any
    end_lr: Any
class MultiStepDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * gamma ** (number of milestones reached); milestones: increasing epochs."""
    def __init__(self, learning_rate: Any, milestones: collections.abc.Sequence[Any], gamma: Any = ..., last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    milestones: Any
    gamma: Any
class MultiplicativeDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * lr_lambda(1) * .."""
    def __init__(self, learning_rate: Any, lr_lambda: collections.abc.Callable[[builtins.int], builtins.float], last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    lr_lambda: Any
class NaturalExpDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * exp(-gamma * epoch), gamma > 0 or ArgumentError."""
    def __init__(self, learning_rate: Any, gamma: Any, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    gamma: Any
class NoamDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * d_model ** -0.5 * min(epoch ** -0.5, epoch * warmup_steps ** -1.5)."""
    def __init__(self, d_model: Any, warmup_steps: Any, learning_rate: Any = ..., last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`; at 0 the falling branch counts as 1."""
    d_model: Any
    warmup_steps: builtins.int
class OneCycleLR(twinoar.optimizer.lr.LRScheduler):
    """Up to max_learning_rate and down to end_learning_rate in total_steps."""
    def __init__(self, max_learning_rate: Any, total_steps: Any, divide_factor: Any = ..., end_learning_rate: Any = ..., phase_pct: Any = ..., anneal_strategy: Literal['cos', 'linear'] = 'cos', three_phase: builtins.bool = False, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    total_steps: Any
    anneal_func: Any
class PiecewiseDecay(twinoar.optimizer.lr.LRScheduler):
    """values[i] for epochs below boundaries[i], and the last of values from the last boundary on."""
    def __init__(self, boundaries: collections.abc.Sequence[Any], values: collections.abc.Sequence[Any], last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    boundaries: collections.abc.Sequence[builtins.int]
    values: collections.abc.Sequence[builtins.float]
class PolynomialDecay(twinoar.optimizer.lr.LRScheduler):
    """From learning_rate to end_lr in decay_steps along (1 - epoch / decay_steps) ** power."""
    def __init__(self, learning_rate: Any, decay_steps: Any, end_lr: Any = ..., power: Any = ..., cycle: builtins.bool = False, last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    decay_steps: Any
    end_lr: builtins.float
    power: Any
    cycle: builtins.bool
class ReduceOnPlateau(twinoar.optimizer.lr.LRScheduler):
    """Multiply the rate by factor when a metric has not got better for more than patience steps."""
    def __init__(self, learning_rate: Any, mode: Literal['min', 'max'] = 'min', factor: Any = ..., patience: Any = 10, threshold: Any = ..., threshold_mode: Literal['rel', 'abs'] = 'rel', cooldown: Any = 0, min_lr: Any = 0, epsilon: Any = ..., verbose: builtins.bool = False) -> None: ...
    def state_keys(self) -> None:
        """Set `keys`, the names of the attributes that `state_dict` holds."""
    def step(self, metrics: Any, epoch: Any = None) -> None:
        """Take the metric of one epoch: a number, or a tensor or array with one element."""
    mode: Any
    factor: Any
    threshold_mode: Any
    patience: builtins.int
    threshold: builtins.float
    cooldown: builtins.int
    min_lr: builtins.float
    epsilon: builtins.float
    cooldown_counter: Any
    num_bad_epochs: Any
    best: builtins.float | None
    base_lr: Any
    last_lr: Any
    last_epoch: Any
    verbose: builtins.bool
    keys: Any
class StepDecay(twinoar.optimizer.lr.LRScheduler):
    """learning_rate * gamma ** (epoch // step_size)."""
    def __init__(self, learning_rate: Any, step_size: Any, gamma: Any = ..., last_epoch: Any = -1, verbose: builtins.bool = False) -> None: ...
    def get_lr(self) -> builtins.float:
        """The rate at `last_epoch`."""
    step_size: Any
    gamma: Any

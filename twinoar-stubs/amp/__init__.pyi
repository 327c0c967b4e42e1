"""Mixed precision: operators in bfloat16 or float16, and losses scaled so that gradients stay."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar
import twinoar.amp
import twinoar.optimizer
from typing import Any, Literal, overload

import numpy as _numpy

class AmpScaler:
    """Scales losses, divides gradients again, and leaves out steps whose gradients overflowed."""
    agree: collections.abc.Callable[[Any], Any] | None
    def __init__(self, enable: builtins.bool = True, init_loss_scaling: Any = ..., incr_ratio: Any = ..., decr_ratio: Any = ..., incr_every_n_steps: Any = 1000, decr_every_n_nan_or_inf: Any = 1, use_dynamic_loss_scaling: builtins.bool = True) -> None: ...
    def is_enable(self) -> builtins.bool:
        """Whether losses are scaled."""
    def is_use_dynamic_loss_scaling(self) -> builtins.bool:
        """Whether the scale changes."""
    def scale(self, var: twinoar._TensorLike) -> twinoar.Tensor:
        """The loss times the scale, in its shape and dtype"""
    def unscale_(self, optimizer: twinoar.optimizer.Optimizer) -> None:
        """Divide the gradients of an optimizer's parameters by the scale: to clip them, say."""
    def step(self, optimizer: twinoar.optimizer.Optimizer) -> None:
        """What `optimizer.step()` does, unless a gradient overflowed."""
    def update(self) -> None:
        """Change the scale, after the steps of all optimizers."""
    def minimize(self, optimizer: twinoar.optimizer.Optimizer, *args: Any, **kwargs: Any) -> Any:
        """`step` by `optimizer.minimize` with the other arguments, and `update`."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """The scale, [1], float32, settings and counts, by Paddle's names; {} where it is off."""
    def load_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned."""
    def get_init_loss_scaling(self) -> builtins.float:
        """The scale that is started from."""
    def set_init_loss_scaling(self, new_init_loss_scaling: Any) -> None:
        """Start anew from a scale above 0."""
    def get_incr_ratio(self) -> builtins.float:
        """By what the scale grows."""
    def set_incr_ratio(self, new_incr_ratio: Any) -> None:
        """Set by what the scale grows, above 1."""
    def get_decr_ratio(self) -> builtins.float:
        """By what the scale shrinks."""
    def set_decr_ratio(self, new_decr_ratio: Any) -> None:
        """Set by what the scale shrinks, below 1."""
    def get_incr_every_n_steps(self) -> builtins.int:
        """After how many good steps the scale grows."""
    def set_incr_every_n_steps(self, new_incr_every_n_steps: Any) -> None:
        """Set after how many good steps the scale grows."""
    def get_decr_every_n_nan_or_inf(self) -> builtins.int:
        """After how many bad steps the scale shrinks."""
    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: Any) -> None:
        """Set after how many bad steps the scale shrinks."""
class GradScaler(twinoar.amp.AmpScaler):
    """`AmpScaler` with other defaults"""
    def __init__(self, enable: builtins.bool = True, init_loss_scaling: Any = ..., incr_ratio: Any = ..., decr_ratio: Any = ..., incr_every_n_steps: Any = 2000, decr_every_n_nan_or_inf: Any = 1, use_dynamic_loss_scaling: builtins.bool = True) -> None: ...
class OptimizerState(enum.Enum):
    """How far the step of an optimizer is."""
    INIT = 0
    UNSCALED = 1
    STEPPED = 2
def amp_decorate(models: Any, optimizers: Any = None, level: builtins.str = 'O1', dtype: builtins.str = 'float16', master_weight: builtins.bool | None = None, save_dtype: builtins.str | None = None, master_grad: builtins.bool = False, excluded_layers: Any = None) -> Any:
    """Models and optimizers ready for `auto_cast`, changed in place."""
def amp_guard(enable: builtins.bool = True, custom_white_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_list: collections.abc.Iterable[builtins.str] | None = None, level: builtins.str = 'O1', dtype: builtins.str = 'float16', use_promote: builtins.bool = True) -> collections.abc.Iterator[None]:
    """Within the block operators choose their precision; on a CPU too, where Paddle's stay float32."""
auto_cast = amp_guard
from twinoar import autocast as autocast
from . import debugging as debugging
decorate = amp_decorate
from twinoar import get_autocast_cpu_dtype as get_autocast_cpu_dtype
from twinoar import get_autocast_dtype as get_autocast_dtype
from twinoar import get_autocast_gpu_dtype as get_autocast_gpu_dtype
from twinoar import is_autocast_enabled as is_autocast_enabled
def is_bfloat16_supported(device: Any = None) -> builtins.bool:
    """Whether a device has units for bfloat16; without, a CPU computes it through float32."""
def is_float16_supported(device: Any = None) -> builtins.bool:
    """Whether a device has units for float16; without, a CPU computes it through float32."""

"""Mixed precision: the names of `paddle.amp`, with what is off truly off."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar.amp
from typing import Any, Literal, overload

import numpy as _numpy

class AmpScaler:
    """Scales losses so that gradients of lower precision do not vanish; off on a CPU."""
    def __init__(self, enable: builtins.bool = True, init_loss_scaling: Any = ..., incr_ratio: Any = ..., decr_ratio: Any = ..., incr_every_n_steps: Any = 1000, decr_every_n_nan_or_inf: Any = 1, use_dynamic_loss_scaling: builtins.bool = True) -> None: ...
    def is_enable(self) -> builtins.bool:
        """False."""
    def is_use_dynamic_loss_scaling(self) -> builtins.bool:
        """False: there is no scale that would change."""
    def scale(self, var: Any) -> Any:
        """The loss, times 1."""
    def unscale_(self, optimizer: Any) -> None:
        """Divide gradients by 1: they stay as they are."""
    def step(self, optimizer: Any) -> None:
        """What `optimizer.step()` does"""
    def update(self) -> None:
        """Change the scale: there is none."""
    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """What `optimizer.minimize` does with the other arguments."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """Nothing: a scaler that is off remembers nothing."""
    def load_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from a state, which a scaler that is off has no use for."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from a state, which a scaler that is off has no use for."""
    def get_init_loss_scaling(self) -> builtins.float:
        """The scale: 1.0."""
    def set_init_loss_scaling(self, new_init_loss_scaling: Any) -> None:
        """Set the scale of a scaler that is on: without effect here."""
    def get_incr_ratio(self) -> builtins.float:
        """By what the scale would grow."""
    def set_incr_ratio(self, new_incr_ratio: Any) -> None:
        """Set by what the scale would grow, above 1."""
    def get_decr_ratio(self) -> builtins.float:
        """By what the scale would shrink."""
    def set_decr_ratio(self, new_decr_ratio: Any) -> None:
        """Set by what the scale would shrink, below 1."""
    def get_incr_every_n_steps(self) -> builtins.int:
        """After how many good steps the scale would grow."""
    def set_incr_every_n_steps(self, new_incr_every_n_steps: Any) -> None:
        """Set after how many good steps the scale would grow."""
    def get_decr_every_n_nan_or_inf(self) -> builtins.int:
        """After how many bad steps the scale would shrink."""
    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: Any) -> None:
        """Set after how many bad steps the scale would shrink."""
class GradScaler(twinoar.amp.AmpScaler):
    """`AmpScaler` with other defaults"""
    def __init__(self, enable: builtins.bool = True, init_loss_scaling: Any = ..., incr_ratio: Any = ..., decr_ratio: Any = ..., incr_every_n_steps: Any = 2000, decr_every_n_nan_or_inf: Any = 1, use_dynamic_loss_scaling: builtins.bool = True) -> None: ...
class OptimizerState(enum.Enum):
    """How far the step of an optimizer is."""
    INIT = 0
    UNSCALED = 1
    STEPPED = 2
def amp_decorate(models: Any, optimizers: Any = None, level: builtins.str = 'O1', dtype: builtins.str = 'float16', master_weight: builtins.bool | None = None, save_dtype: builtins.str | None = None, master_grad: builtins.bool = False, excluded_layers: Any = None) -> Any:
    """Models and optimizers ready for `auto_cast`: as they are for the levels 'O0' and 'O1'."""
def amp_guard(enable: builtins.bool = True, custom_white_list: collections.abc.Iterable[builtins.str] | None = None, custom_black_list: collections.abc.Iterable[builtins.str] | None = None, level: builtins.str = 'O1', dtype: builtins.str = 'float16', use_promote: builtins.bool = True) -> collections.abc.Iterator[None]:
    """Within the block operators choose their precision: off with enable=False or level='O0'."""
auto_cast = amp_guard
from twinoar import autocast as autocast
from . import debugging as debugging
decorate = amp_decorate
from twinoar import get_autocast_cpu_dtype as get_autocast_cpu_dtype
from twinoar import get_autocast_dtype as get_autocast_dtype
from twinoar import get_autocast_gpu_dtype as get_autocast_gpu_dtype
from twinoar import is_autocast_enabled as is_autocast_enabled
def is_bfloat16_supported(device: Any = None) -> builtins.bool:
    """Whether a device computes in bfloat16: CPUs do."""
def is_float16_supported(device: Any = None) -> builtins.bool:
    """Whether a device computes fast in float16: no CPU does."""

"""Clipping of gradients, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class GradientClipByGlobalNorm(twinoar.nn.ClipGradByGlobalNorm):
    """Gradients whose 2-norm all together exceeds clip_norm are scaled down together."""
    def __init__(self, clip_norm: Any, group_name: builtins.str = 'default_group', need_clip: collections.abc.Callable[[Any], builtins.bool] | None = None) -> None: ...
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
class GradientClipByNorm(twinoar.nn.ClipGradByNorm):
    """A gradient whose 2-norm exceeds clip_norm is scaled down to it"""
    def __init__(self, clip_norm: Any, need_clip: collections.abc.Callable[[Any], builtins.bool] | None = None) -> None: ...
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
class GradientClipByValue(twinoar.nn.ClipGradByValue):
    """Each element of a gradient is brought into [min, max]; min None means -max."""
    def __init__(self, max: Any, min: Any = None, need_clip: collections.abc.Callable[[Any], builtins.bool] | None = None) -> None: ...
    def __call__(self, params_grads: collections.abc.Sequence[builtins.tuple[Any, Any]]) -> builtins.list[builtins.tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
def set_gradient_clip(clip: Any, param_list: collections.abc.Iterable[Any] | None = None, program: twinoar.fluid.Program | None = None) -> None:
    """Let optimizers that have no `grad_clip` of their own clip the gradients of `param_list`."""

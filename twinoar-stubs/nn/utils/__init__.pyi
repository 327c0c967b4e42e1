"""What one does to the parameters or gradients of a layer as a whole."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

def clip_grad_norm_(parameters: Any, max_norm: Any, norm_type: Any = ..., error_if_nonfinite: builtins.bool = False) -> twinoar.Tensor:
    """Scale the gradients down so that the norm of them all together is at most max_norm."""
def clip_grad_value_(parameters: Any, clip_value: Any) -> None:
    """Bring each element of the gradients into [-clip_value, clip_value]."""
@overload
def parameters_to_vector(parameters: collections.abc.Iterable[Any], name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of all parameters, one after the other: [n]"""
@overload
def parameters_to_vector(*args: Any, parameters: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def remove_weight_norm(layer: twinoar.nn.Layer, name: builtins.str = 'weight') -> twinoar.nn.Layer:
    """Make `name`, which `weight_norm` divided, one parameter again, of the value that it has."""
@overload
def remove_weight_norm(*args: Any, layer: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.nn.Layer: ...
@overload
def spectral_norm(layer: twinoar.nn.Layer, name: builtins.str = 'weight', n_power_iterations: Any = 1, eps: Any = ..., dim: Any = None) -> twinoar.nn.Layer:
    """Divide the parameter `name` of `layer` by its greatest singular value, before each call."""
@overload
def spectral_norm(*args: Any, layer: Any = ..., name: Any = ..., n_power_iterations: Any = ..., eps: Any = ..., dim: Any = ..., out: Any = ...) -> twinoar.nn.Layer: ...
@overload
def vector_to_parameters(vec: Any, parameters: collections.abc.Iterable[Any], name: builtins.str | None = None) -> None:
    """Give the parameters the elements of `vec`, [n], one after the other."""
@overload
def vector_to_parameters(*args: Any, vec: Any = ..., parameters: Any = ..., name: Any = ..., out: Any = ...) -> None: ...
@overload
def weight_norm(layer: twinoar.nn.Layer, name: builtins.str = 'weight', dim: Any = 0) -> twinoar.nn.Layer:
    """Make the parameter `name` of `layer` a direction `name_v` times lengths `name_g`; both train."""
@overload
def weight_norm(*args: Any, layer: Any = ..., name: Any = ..., dim: Any = ..., out: Any = ...) -> twinoar.nn.Layer: ...

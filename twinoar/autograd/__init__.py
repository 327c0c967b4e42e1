"""Differentiation: backward, grad, no_grad, PyLayer, recompute, jacobian."""

from twinoar.autograd.api import (
    backward,
    enable_grad,
    grad,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from twinoar.autograd.functional import hessian, jacobian
from twinoar.autograd.py_layer import PyLayer, PyLayerContext
from twinoar.autograd.recomputation import recompute

__all__ = [
    "PyLayer",
    "PyLayerContext",
    "backward",
    "enable_grad",
    "grad",
    "hessian",
    "is_grad_enabled",
    "jacobian",
    "no_grad",
    "recompute",
    "set_grad_enabled",
]

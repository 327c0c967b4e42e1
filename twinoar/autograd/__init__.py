"""Differentiation: backward, grad, no_grad, PyLayer, recompute, jacobian, hooks."""

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
from twinoar.autograd.saved_tensors import saved_tensors_hooks
from twinoar.core.public import exported

Function = PyLayer  # PyTorch's name

__all__ = exported(globals())

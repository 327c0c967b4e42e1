"""Differentiation: backward, grad, no_grad, PyLayer, recompute, jacobian, hooks."""

# Written by tools/stubs.py.

from twinoar.autograd import *

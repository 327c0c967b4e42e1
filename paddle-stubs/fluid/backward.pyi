"""Gradients in a Program: `append_backward` and `gradients`."""

# Written by tools/stubs.py.

from twinoar.fluid.backward import *

"""Optimizers: how parameters follow their gradients."""

# Written by tools/stubs.py.

from twinoar.optimizer import *

"""Minima of functions, by steps that learn the curvature: BFGS, and with little memory L-BFGS."""

# Written by tools/stubs.py.

from twinoar.incubate.optimizer.functional import *

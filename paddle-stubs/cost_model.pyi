"""Costs of operators: a table of Paddle's, measured on its GPUs, which is not served."""

# Written by tools/stubs.py.

from twinoar.cost_model import *

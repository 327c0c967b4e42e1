"""Observers, by PaddleSlim's name of their module; see `quantization.observers`."""

# Written by tools/stubs.py.

from twinoar.slim.quant.observers import *

"""Quantization of networks that run at once, by PaddleSlim's name of its module."""

# Written by tools/stubs.py.

from twinoar.slim.dygraph.quant import *

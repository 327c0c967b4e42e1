"""Quantization of networks that are trained already, by PaddleSlim's names where it has them."""

# Written by tools/stubs.py.

from twinoar.slim.quant import *

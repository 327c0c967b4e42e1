"""Quantizers: what learns thresholds from tensors, by Paddle's older names for observers."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative.ptq_quantizer import *

"""PTQConfig: how inputs and weights of layers are quantized after training."""

# Written by tools/stubs.py.

from twinoar.quantization.imperative.ptq_config import *

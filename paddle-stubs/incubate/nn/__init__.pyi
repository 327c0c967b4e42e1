"""Layers by the names of Paddle's fused kernels, which language models are written with."""

# Written by tools/stubs.py.

from twinoar.incubate.nn import *

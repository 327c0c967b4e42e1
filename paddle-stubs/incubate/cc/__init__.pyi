"""Names of Paddle's compiler of fused kernels for GPUs."""

# Written by tools/stubs.py.

from twinoar.incubate.cc import *

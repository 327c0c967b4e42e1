"""Functions by the names of Paddle's fused kernels: compositions, which the compiler fuses."""

# Written by tools/stubs.py.

from twinoar.incubate.nn.functional import *

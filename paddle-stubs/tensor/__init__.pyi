"""The functions of tensors by the place where Paddle has them too: `paddle.tensor.concat`."""

# Written by tools/stubs.py.

from twinoar.tensor import *

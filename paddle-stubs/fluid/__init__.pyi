"""Paddle 1.8's names: `import paddle.fluid as fluid`, a thin layer over the one implementation."""

# Written by tools/stubs.py.

from twinoar.fluid import *

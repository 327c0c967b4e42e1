"""A few functions by the place that PyTorch has for them, `torch.functional`."""

# Written by tools/stubs.py.

from twinoar.functional import *

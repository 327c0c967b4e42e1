"""LoDTensor: an array whose rows are sequences one after the other, with their lengths."""

# Written by tools/stubs.py.

from twinoar.fluid.lod_tensor import *

"""Automatic sparsity: weights of which n of m neighbors are 0, as some accelerators want them."""

# Written by tools/stubs.py.

from twinoar.incubate.asp import *

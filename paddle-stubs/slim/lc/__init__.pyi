"""Weights of 4 bits for language models, layer by layer. PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim.lc import *

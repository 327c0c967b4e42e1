"""PaddleSlim's `quant.advanced`: weights and activations of language models, rounded with care."""

# Written by tools/stubs.py.

from twinoar.slim.quant.advanced import *

"""GPUs by the names that PyTorch has for them, where a plug-in serves the kind 'gpu'."""

# Written by tools/stubs.py.

from twinoar.cuda import *

"""GPUs by the names that PyTorch has for them: there are none in this version."""

# Written by tools/stubs.py.

from twinoar.cuda import *

"""Settings of searches for the best kernels, which there are none of here."""

# Written by tools/stubs.py.

from twinoar.incubate.autotune import *

"""GPUs: there are none in this version."""

# Written by tools/stubs.py.

from twinoar.device.cuda import *

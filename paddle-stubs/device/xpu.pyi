"""XPUs: there are none in this version."""

# Written by tools/stubs.py.

from twinoar.device.xpu import *

"""GPUs, where a plug-in serves the kind 'gpu'; this version has none of its own."""

# Written by tools/stubs.py.

from twinoar.device.cuda import *

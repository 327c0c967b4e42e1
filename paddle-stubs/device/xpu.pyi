"""XPUs, where a plug-in serves the kind 'xpu'; this version has none of its own."""

# Written by tools/stubs.py.

from twinoar.device.xpu import *

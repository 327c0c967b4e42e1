"""Devices: this version computes on the CPU, where everything is done when a call returns."""

# Written by tools/stubs.py.

from twinoar.device import *

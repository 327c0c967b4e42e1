"""Devices: the CPU, where everything is done when a call returns, and those that plug-ins serve."""

# Written by tools/stubs.py.

from twinoar.device import *

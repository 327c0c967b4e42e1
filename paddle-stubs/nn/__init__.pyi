"""Layers, and all that networks are built from."""

# Written by tools/stubs.py.

from twinoar.nn import *

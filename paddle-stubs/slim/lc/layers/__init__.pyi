"""Fully connected layers with weights of 4 bits."""

# Written by tools/stubs.py.

from twinoar.slim.lc.layers import *

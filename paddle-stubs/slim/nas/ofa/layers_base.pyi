"""Blocks: layers of a supernet whose sizes the network around them chooses in each call."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa.layers_base import *

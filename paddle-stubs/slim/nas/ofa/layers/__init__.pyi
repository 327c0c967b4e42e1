"""Elastic layers, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa.layers import *

"""Architect: moves the weights of operations by what a network loses on other data."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts.architect import *

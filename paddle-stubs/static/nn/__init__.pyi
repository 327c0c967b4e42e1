"""Layers of static Programs as functions: each call makes parameters in the default Programs."""

# Written by tools/stubs.py.

from twinoar.static.nn import *

"""Registries, by PaddleSlim's name."""

# Written by tools/stubs.py.

from twinoar.slim.core import *

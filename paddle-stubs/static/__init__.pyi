"""Paddle's static-graph API: build a Program, run it with an Executor, save and load it."""

# Written by tools/stubs.py.

from twinoar.static import *

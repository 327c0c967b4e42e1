"""Paddle 1's data sets: each `train()` and `test()` returns a reader of samples."""

# Written by tools/stubs.py.

from twinoar.dataset import *

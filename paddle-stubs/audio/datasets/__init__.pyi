"""Data sets of sound: `paddle.audio.datasets`."""

# Written by tools/stubs.py.

from twinoar.audio.datasets import *

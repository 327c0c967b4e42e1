"""Data sets of images."""

# Written by tools/stubs.py.

from twinoar.vision.datasets import *

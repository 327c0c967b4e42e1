"""Transforms of images: as objects here, as functions in `functional` and here."""

# Written by tools/stubs.py.

from twinoar.vision.transforms import *

"""Operators and layers for objects in images, and files of images as Tensors."""

# Written by tools/stubs.py.

from twinoar.vision.ops import *

"""Handwritten digits: samples (image, label), the image 784 floats in [-1, 1], the label an int."""

# Written by tools/stubs.py.

from twinoar.dataset.mnist import *

"""Small color images: samples (image, label), the image 3072 floats in [0, 1], the label an int."""

# Written by tools/stubs.py.

from twinoar.dataset.cifar import *

"""Models of Keras as layers that train: sequential and functional ones of common layers."""

# Written by tools/stubs.py.

from twinoar.pretrained.keras import *

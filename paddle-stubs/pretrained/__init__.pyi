"""Models of others as layers that train: folders of Hugging Face here, files of Keras in `keras`."""

# Written by tools/stubs.py.

from twinoar.pretrained import *

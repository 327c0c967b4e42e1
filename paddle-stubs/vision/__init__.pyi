"""Vision: data sets, transforms, models and operators for images."""

# Written by tools/stubs.py.

from twinoar.vision import *

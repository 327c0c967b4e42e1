"""Models for images."""

# Written by tools/stubs.py.

from twinoar.vision.models import *

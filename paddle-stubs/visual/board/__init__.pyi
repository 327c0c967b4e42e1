"""A page that shows records of trainings while they are written: `twinoar board`."""

# Written by tools/stubs.py.

from twinoar.visual.board import *

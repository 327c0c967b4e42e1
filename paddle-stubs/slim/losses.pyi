"""Losses between what a student and a teacher compute."""

# Written by tools/stubs.py.

from twinoar.slim.losses import *

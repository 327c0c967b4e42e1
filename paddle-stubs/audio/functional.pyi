"""`paddle.audio.functional`: the mel scale, decibels, cosine transforms and windows."""

# Written by tools/stubs.py.

from twinoar.audio.functional import *

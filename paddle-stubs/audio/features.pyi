"""`paddle.audio.features`: spectrograms, and what is computed from them, as layers."""

# Written by tools/stubs.py.

from twinoar.audio.features import *

"""Sound: `paddle.audio`, spectrograms and their kin, files and data sets."""

# Written by tools/stubs.py.

from twinoar.audio import *

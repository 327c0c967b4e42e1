"""Files of sound: `paddle.audio.backends`, PCM16 WAV by Python itself, others by soundfile."""

# Written by tools/stubs.py.

from twinoar.audio.backends import *

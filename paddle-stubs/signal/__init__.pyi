"""Signals over short times: `paddle.signal`."""

# Written by tools/stubs.py.

from twinoar.signal import *

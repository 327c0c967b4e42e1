"""Readers, as Paddle 1 has them: functions without arguments that return an iterator of samples."""

# Written by tools/stubs.py.

from twinoar.reader import *

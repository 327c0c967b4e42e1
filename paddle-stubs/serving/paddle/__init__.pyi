"""Paddle Serving's names over this server: models converted, served and asked as it does."""

# Written by tools/stubs.py.

from twinoar.serving.paddle import *

"""`paddle_serving_client`: asks a server, and converts models for it."""

# Written by tools/stubs.py.

from twinoar.serving.paddle.client import *

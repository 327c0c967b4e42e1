"""twinoar's own version, and the version of Paddle's API that it speaks (`paddle.version`)."""

# Written by tools/stubs.py.

from twinoar.version import *

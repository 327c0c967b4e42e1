"""twinoar: eager and static-graph deep learning as one thing, with Paddle's API."""

# Written by tools/stubs.py.

from twinoar import *
from twinoar import __version__ as __version__

"""Search of networks: spaces of them, and what proposes the next."""

# Written by tools/stubs.py.

from twinoar.slim.nas import *

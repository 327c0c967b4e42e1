"""Every flag of twinoar: its name, default, legal values and meaning. It holds no other state."""

# Written by tools/stubs.py.

from twinoar.config import *

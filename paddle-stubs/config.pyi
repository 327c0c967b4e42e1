"""Every flag of twinoar: its name, default, legal values and meaning; and who heeds its changes."""

# Written by tools/stubs.py.

from twinoar.config import *

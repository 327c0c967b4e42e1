"""Looking at what twinoar makes of a Program: `write_page`, and the command `twinoar view`."""

# Written by tools/stubs.py.

from twinoar.debug import *

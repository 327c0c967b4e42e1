"""Network: cells in a row, in which every operation is computed and weighed."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts.network import *

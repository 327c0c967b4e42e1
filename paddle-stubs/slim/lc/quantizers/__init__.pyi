"""What makes weights codes of 4 bits, and codes weights."""

# Written by tools/stubs.py.

from twinoar.slim.lc.quantizers import *

"""Convert: the layers of a network become elastic ones, as large as the largest candidates."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa.convert_super import *

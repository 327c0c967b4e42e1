"""Search spaces: networks that tokens tell apart."""

# Written by tools/stubs.py.

from twinoar.slim.nas.search_space import *

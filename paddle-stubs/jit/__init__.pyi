"""Dynamic code as Programs: to_static, save, load."""

# Written by tools/stubs.py.

from twinoar.jit import *

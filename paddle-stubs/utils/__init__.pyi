"""Small things that belong to no other namespace."""

# Written by tools/stubs.py.

from twinoar.utils import *

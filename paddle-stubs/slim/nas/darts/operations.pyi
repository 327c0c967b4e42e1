"""The operations that DARTS chooses from, each of C channels."""

# Written by tools/stubs.py.

from twinoar.slim.nas.darts.operations import *

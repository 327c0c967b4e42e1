"""Parameters of an ordinary network in a supernet."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa.utils.states import *

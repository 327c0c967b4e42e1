"""Once for all: supernets, of which networks of many sizes are taken. PaddleSlim's names."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa import *

"""What Paddle's compiler of GPU kernels is told to fuse: nothing here."""

# Written by tools/stubs.py.

from twinoar.incubate.cc.fuse import *

"""Where the headers for operators in C++ are."""

# Written by tools/stubs.py.

from twinoar.sysconfig import *

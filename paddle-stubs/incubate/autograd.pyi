"""Products with Jacobian matrices, and the matrices of functions."""

# Written by tools/stubs.py.

from twinoar.incubate.autograd import *

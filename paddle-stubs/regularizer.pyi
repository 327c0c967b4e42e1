"""Weight decay as a term of the gradient: the derivative of a penalty on a parameter's size."""

# Written by tools/stubs.py.

from twinoar.regularizer import *

"""Networks from functions: the operators that layers are made of, by Paddle's names."""

# Written by tools/stubs.py.

from twinoar.nn.functional import *

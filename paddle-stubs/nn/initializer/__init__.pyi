"""How parameters start: what `ParamAttr(initializer=...)` takes."""

# Written by tools/stubs.py.

from twinoar.nn.initializer import *

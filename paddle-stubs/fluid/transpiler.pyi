"""`fluid.transpiler`: a Program that trains alone into those of trainers and parameter servers."""

# Written by tools/stubs.py.

from twinoar.fluid.transpiler import *

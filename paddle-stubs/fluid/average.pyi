"""WeightedAverage: a mean that is collected batch by batch."""

# Written by tools/stubs.py.

from twinoar.fluid.average import *

"""`paddle.fluid.contrib.mixed_precision`: see `twinoar.static.amp`."""

# Written by tools/stubs.py.

from twinoar.fluid.contrib.mixed_precision import *

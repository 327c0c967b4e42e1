"""Names nobody else has in this process: `generate`, `switch` and `guard`."""

# Written by tools/stubs.py.

from twinoar.fluid.unique_name import *

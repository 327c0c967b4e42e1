"""Mixed precision: operators in bfloat16 or float16, and losses scaled so that gradients stay."""

# Written by tools/stubs.py.

from twinoar.amp import *

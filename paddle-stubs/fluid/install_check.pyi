"""run_check, where Paddle 1.8 has it."""

# Written by tools/stubs.py.

from twinoar.fluid.install_check import *

"""Where the time goes: operators, backward passes, Programs and events of your own."""

# Written by tools/stubs.py.

from twinoar.profiler import *

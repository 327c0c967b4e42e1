"""Learning rate schedules."""

# Written by tools/stubs.py.

from twinoar.optimizer.lr import *

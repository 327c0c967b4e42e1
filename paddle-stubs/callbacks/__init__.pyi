"""What happens beside training: progress, checkpoints, schedules, early stops, logs."""

# Written by tools/stubs.py.

from twinoar.callbacks import *

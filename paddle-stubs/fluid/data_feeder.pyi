"""DataFeeder: from a batch of samples to what an Executor is fed."""

# Written by tools/stubs.py.

from twinoar.fluid.data_feeder import *

"""Metrics: what is measured over the batches of an epoch."""

# Written by tools/stubs.py.

from twinoar.metric import *

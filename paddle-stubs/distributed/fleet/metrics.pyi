"""Measures over all workers, from what each has counted: `auc`, `acc`, `mae` and others."""

# Written by tools/stubs.py.

from twinoar.distributed.fleet.metrics import *

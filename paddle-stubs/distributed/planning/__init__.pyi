"""What training would cost on ranks that are not there: `plan` prices a step of a model."""

# Written by tools/stubs.py.

from twinoar.distributed.planning import *

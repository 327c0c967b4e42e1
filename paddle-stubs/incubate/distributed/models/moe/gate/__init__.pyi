"""Gates: which experts get each token, and how much their results count."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed.models.moe.gate import *

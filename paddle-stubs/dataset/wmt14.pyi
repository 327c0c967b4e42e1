"""English and French: samples (ids of the source, of the target, of the target's next words)."""

# Written by tools/stubs.py.

from twinoar.dataset.wmt14 import *

"""Files that are downloaded once and kept: weights, and what `twinoar.hub` loads."""

# Written by tools/stubs.py.

from twinoar.utils.download import *

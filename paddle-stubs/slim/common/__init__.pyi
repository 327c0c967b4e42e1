"""What searches and compressions share: controllers, saved models, batches, settings in files."""

# Written by tools/stubs.py.

from twinoar.slim.common import *

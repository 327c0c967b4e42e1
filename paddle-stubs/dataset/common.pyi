"""Where the files of data sets are, and readers that keep their samples in files."""

# Written by tools/stubs.py.

from twinoar.dataset.common import *

"""Who did what to whom: sentences, the verb looked at, and the part that each word plays."""

# Written by tools/stubs.py.

from twinoar.dataset.conll05 import *

"""Names nobody else has in this process: what users may call."""

# Written by tools/stubs.py.

from twinoar.utils.unique_name import *

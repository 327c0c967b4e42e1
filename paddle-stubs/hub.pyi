"""Models out of repositories: a file `hubconf.py` in one has functions that make them."""

# Written by tools/stubs.py.

from twinoar.hub import *

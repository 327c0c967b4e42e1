"""`python -m twinoar.distributed.launch script.py`: a script by itself, as one process."""

# Written by tools/stubs.py.

from twinoar.distributed.launch import *

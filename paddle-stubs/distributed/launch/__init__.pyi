"""`python -m twinoar.distributed.launch script.py`: a script in as many processes as are asked for."""

# Written by tools/stubs.py.

from twinoar.distributed.launch import *

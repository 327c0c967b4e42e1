"""The exceptions that twinoar raises."""

# Written by tools/stubs.py.

from twinoar.errors import *

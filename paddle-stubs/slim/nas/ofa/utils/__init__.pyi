"""What supernets need beside: parameters of other networks, sizes by a rule."""

# Written by tools/stubs.py.

from twinoar.slim.nas.ofa.utils import *

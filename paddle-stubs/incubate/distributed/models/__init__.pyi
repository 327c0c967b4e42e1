"""`paddle.incubate.distributed.models`: mixtures of experts on several processes."""

# Written by tools/stubs.py.

from twinoar.incubate.distributed.models import *

"""A module inside Paddle: names of public modules."""

# Written by tools/stubs.py.

import typing

from twinoar.incubate.distributed.models.moe import *

def __getattr__(name: str) -> typing.Any: ...

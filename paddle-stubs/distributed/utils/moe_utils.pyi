"""A module inside Paddle: names of public modules."""

# Written by tools/stubs.py.

import typing


def __getattr__(name: str) -> typing.Any: ...

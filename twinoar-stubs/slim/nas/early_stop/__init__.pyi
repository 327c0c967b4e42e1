"""Trainings of a search that fall behind are ended."""

# Written by tools/stubs.py.

import abc
import builtins
import twinoar.slim.nas.early_stop
from typing import Any, Literal, overload

import numpy as _numpy

class EarlyStopBase:
    """Tells whether a training shall go on."""
    def get_status(self, step: Any, result: Any, epochs: Any) -> builtins.str:
        """'GOOD' to go on, 'BAD' to end."""
class MedianStop(twinoar.slim.nas.early_stop.EarlyStopBase):
    """Ends a training whose result is worse than the median of others at the same epoch."""
    def __init__(self, strategy: Any, start_epoch: Any, mode: Literal['maxmize', 'minimize'] = 'maxmize') -> None: ...
    def get_status(self, step: Any, result: Any, epochs: Any) -> builtins.str:
        """Take a result of the training `step`; 'GOOD' to go on, 'BAD' to end it."""

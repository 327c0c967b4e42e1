"""Trainings of a search that fall behind are ended."""

from twinoar.core.public import exported
from twinoar.slim.nas.early_stop.median_stop import EarlyStopBase, MedianStop

__all__ = exported(globals())

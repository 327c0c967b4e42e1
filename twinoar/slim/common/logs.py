"""Loggers, and means of what is logged."""

from __future__ import annotations

import logging


def get_logger(name: str, level: int = logging.INFO, fmt: str | None = None) -> logging.Logger:
    """The logger of that name, which lets messages of `level` and above pass.

    fmt: how a message is written, where the logger has no handler yet.

    >>> get_logger("paddleslim.example").level == logging.INFO
    True
    """
    found = logging.getLogger(name)
    found.setLevel(level)
    if fmt and not found.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(fmt))
        found.addHandler(handler)
        found.propagate = False
    return found


class AvgrageMeter:
    """The mean of what `update` is told, spelled as in PaddleSlim.

    >>> meter = AvgrageMeter()
    >>> meter.update(1.0, 3)
    >>> meter.update(3.0)
    >>> meter.avg
    1.5
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.avg, self.sum, self.cnt = 0.0, 0.0, 0.0

    def update(self, val: float, n: int = 1) -> None:
        """Add a mean of `n` values."""
        self.sum += val * n
        self.cnt += n
        self.avg = self.sum / self.cnt

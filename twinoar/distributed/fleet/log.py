"""The logger of fleet, and its level."""

from __future__ import annotations

import logging

from twinoar.errors import ArgumentError

logger = logging.getLogger("FLEET")


def set_log_level(level: int | str) -> None:
    """Log from this level on: a number, or a name such as "INFO". Raises ArgumentError."""
    wanted = level.upper() if isinstance(level, str) else level
    if isinstance(wanted, str) and wanted not in logging.getLevelNamesMapping():
        raise ArgumentError(
            f"no log level {level!r}", cure="pass DEBUG, INFO, WARNING, ERROR or CRITICAL"
        )
    logger.setLevel(wanted)


def get_log_level_code() -> int:
    """The level as a number."""
    return logger.getEffectiveLevel()


def get_log_level_name() -> str:
    """The level by its name."""
    return logging.getLevelName(get_log_level_code())


__all__ = ["get_log_level_code", "get_log_level_name", "logger", "set_log_level"]

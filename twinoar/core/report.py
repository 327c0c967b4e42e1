"""What TWINOAR_DEBUG asks for, on stderr: `twinoar.config` says what each level prints."""

from __future__ import annotations

import sys

from twinoar import config


def is_reported(level: int) -> bool:
    """True where reports of this level are wanted; ask before making a long one."""
    return config.debug >= level


def report(level: int, text: str) -> None:
    """Print a text if the level is wanted."""
    if is_reported(level):
        print(text, file=sys.stderr)

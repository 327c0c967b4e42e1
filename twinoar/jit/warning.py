"""Warnings about converted functions, which show the user's line."""

from __future__ import annotations

import warnings

from twinoar.errors import user_line


class RecompilationWarning(UserWarning):
    """A function is traced again and again."""


class LostChangeWarning(UserWarning):
    """A saved model does not change what its function reads and changes at each call."""


class ZeroGradientWarning(UserWarning):
    """A gradient may be zeros where eager mode leaves None."""


def warn_user(text: str, category: type[UserWarning]) -> None:
    """Warn of what the innermost line of the user's code leads to."""
    line = user_line()
    place = (line.file, line.line) if line else (__file__, 1)
    warnings.warn_explicit(text, category, *place)

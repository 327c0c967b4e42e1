"""Names that a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near_names(name: str, known: Iterable[str]) -> str:
    """A cure that lists the names most like `name`."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, 3) or known[:8]
    return f"use one of {', '.join(near)}" if near else "there are none"

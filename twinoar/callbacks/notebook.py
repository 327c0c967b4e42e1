"""Outputs of a notebook's cell that change: what is saved is what they were last."""

from __future__ import annotations

import io
import sys
from typing import Any


class NotebookLine(io.TextIOBase):
    """A file for a bar that is written over and over; a notebook keeps what was written last."""

    encoding = "utf-8"

    def __init__(self, display: Any):
        super().__init__()
        self._display, self._handle = display, None

    def write(self, text: str) -> int:
        """Show `text` in the place of what was written before; returns its length."""
        shown = text.strip("\r\n")
        if shown.strip():
            data = {"text/plain": shown}
            if self._handle is None:
                self._handle = self._display(data, raw=True, display_id=True)
            else:
                self._handle.update(data, raw=True)
        return len(text)


def notebook_line() -> NotebookLine | None:
    """A new line below the cell that runs; None outside of notebooks."""
    display = display_of_notebook()
    return None if display is None else NotebookLine(display)


def display_of_notebook() -> Any:
    """IPython's `display`, which shows something below the cell that runs; None elsewhere."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    if shell is None or not hasattr(shell, "kernel"):  # a terminal's shell has none
        return None
    return sys.modules["IPython.display"].display

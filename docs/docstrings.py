"""Prepares docstrings for the reference, where they are read as Markdown.

An example becomes a code block that begins with the import which docstrings leave out, and a shape
such as [N,C] stays text instead of becoming a link.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

CODE_SPAN = re.compile(r"(`[^`]*`)")


class Examples(griffe.Extension):
    """Rewrites each docstring once it has been collected."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """The docstring with its examples fenced and its brackets escaped."""
    blocks = re.split(r"\n\s*\n", docstring)
    examples = [i for i, block in enumerate(blocks) if block.lstrip().startswith(">>>")]
    for i in examples[:1]:
        if "twinoar." in blocks[i] and "import twinoar" not in blocks[i]:
            blocks[i] = f">>> import twinoar\n{blocks[i].strip()}"
    return "\n\n".join(
        f"```python\n{block.strip()}\n```" if i in examples else escaped(block)
        for i, block in enumerate(blocks)
    )


def escaped(text: str) -> str:
    parts = CODE_SPAN.split(text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\[\]])", r"\\\1", part) for part in parts
    )

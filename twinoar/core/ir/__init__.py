"""Programs: what they are made of, as text and as Python, rewritten and verified.

Python files that Programs were written to import `Program` from here.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "Program":
        from twinoar.core.ir.program import Program

        return Program
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

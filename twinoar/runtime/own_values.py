"""What each rank has for itself where ranks are threads of one process, as processes have it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

# By who keeps something there; None in a thread that plays no rank, which has what the process has.
own_values: ContextVar[dict[Any, Any] | None] = ContextVar("own_values", default=None)

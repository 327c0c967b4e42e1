"""Parameter servers: tables that processes keep, and workers pull from and push to.

`rows` and `table` are what one server keeps, `rule` how it is updated, `server` the process around
it, `client` a worker's connection; `program` makes Programs that ask servers, and `job` is what
`fleet` does with all that.
"""

from __future__ import annotations

import importlib
from typing import Any

LATE = ("Job", "refuse_modes")  # of what needs ZeroMQ, and is loaded where there are servers


def __getattr__(name: str) -> Any:
    if name in LATE:
        return getattr(importlib.import_module(f"{__name__}.job"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

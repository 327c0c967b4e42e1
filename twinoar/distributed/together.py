"""Those that train together with this process: ranks of a job, or workers of servers."""

from __future__ import annotations

from typing import Any

from twinoar.runtime.collective import current_world

FACE = "workers of servers"  # where a world keeps them


def together() -> Any:
    """What reduces, gathers and waits: see `runtime.collective.communicator`."""
    return current_world().faces.get(FACE) or current_world().all


def train_with(peers: Any) -> None:
    """Let `peers` be those that train together from now on, or with None those of the world."""
    if peers is None:
        current_world().faces.pop(FACE, None)
    else:
        current_world().faces[FACE] = peers

"""What a job's servers and workers are told by the environment beside who they are."""

from __future__ import annotations

import os
from pathlib import Path

from twinoar.distributed.ps.members import DEAD_SECONDS
from twinoar.errors import ArgumentError
from twinoar.late import dataclass

TIMEOUT = "TWINOAR_SERVER_TIMEOUT"  # seconds
DEAD = "TWINOAR_SERVER_DEAD"  # seconds
SNAPSHOTS = "TWINOAR_SERVER_SNAPSHOTS"  # a folder
EVERY = "TWINOAR_SERVER_SNAPSHOT_STEPS"
RESTARTS = "TWINOAR_SERVER_RESTARTS"  # how often the launcher has started this server again


@dataclass(frozen=True, slots=True)
class Settings:
    """timeout_seconds: how long a call waits for servers, or for other workers. dead_seconds: how
    long a process of another machine may give no sign of life. snapshots: where each server saves
    what it keeps after every so many steps. restarts: how often this one was started again.
    """

    timeout_seconds: float = 120.0
    dead_seconds: float = DEAD_SECONDS
    snapshots: Path | None = None
    snapshot_steps: int = 100
    restarts: int = 0

    @classmethod
    def of_environment(cls) -> Settings:
        """What the environment says. Raises ArgumentError for what is no number."""
        folder = os.environ.get(SNAPSHOTS, "")
        return cls(
            _number(TIMEOUT, cls().timeout_seconds),
            _number(DEAD, cls().dead_seconds),
            Path(folder) if folder else None,
            int(_number(EVERY, cls().snapshot_steps)),
            int(_number(RESTARTS, 0)),
        )


def _number(name: str, default: float) -> float:
    text = os.environ.get(name, "").strip()
    try:
        found = float(text) if text else default
    except ValueError:
        found = -1.0
    if not found >= 0:
        raise ArgumentError(
            f"the environment variable {name} is {text!r}, expected a number", cure=f"unset {name}"
        )
    return found

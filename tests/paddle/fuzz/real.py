"""The real Paddle in a process of its own, begun anew where a call has killed it."""

from __future__ import annotations

import os
import select
import subprocess
from pathlib import Path
from typing import Any

from tests.paddle.fuzz.execute import Call, read, write

START_LIMIT = 60  # seconds for Paddle's own import
LIMIT = 15  # seconds for a call


class RealPaddle:
    """Runs calls in the interpreter of that path."""

    def __init__(self, python: str | Path):
        self.python = str(python)
        self.process: subprocess.Popen | None = None

    def __enter__(self) -> RealPaddle:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.stop()

    def start(self) -> subprocess.Popen:
        outside = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.process = subprocess.Popen(
            [self.python, str(Path(__file__).with_name("execute.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=outside | {"GLOG_minloglevel": "4", "FLAGS_call_stack_level": "0"},
        )
        if self.answer(self.process, START_LIMIT) != "ready":
            raise RuntimeError(f"{self.python} cannot import paddle")
        return self.process

    def stop(self) -> None:
        """End the process; the next call begins another."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def answer(self, process: subprocess.Popen, limit: float = LIMIT) -> Any:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], limit)
        return read(process.stdout) if ready else None

    def outcome(self, call: Call, fresh: bool = False) -> dict[str, Any]:
        """What the call gives; an error where it kills the process or takes too long.

        fresh: in a new process, for other calls may have spoilt Paddle's memory.
        """
        if fresh:
            self.stop()
        process = self.process or self.start()
        try:
            assert process.stdin is not None
            write(process.stdin, call)
            found = self.answer(process)
        except OSError:
            found = None
        if found is None:
            self.stop()
            return {"error": "crash"}
        return found

"""CompiledProgram and its strategies, by the names of Paddle 1.8."""

from __future__ import annotations

from typing import Any

from twinoar.errors import UnsupportedError
from twinoar.static import strategy as modern
from twinoar.static.strategy import BuildStrategy, ExecutionStrategy


class CompiledProgram(modern.CompiledProgram):
    """A Program to run, with a BuildStrategy; see `paddle.static.CompiledProgram`."""

    def with_data_parallel(
        self,
        loss_name: str | None = None,
        build_strategy: BuildStrategy | None = None,
        exec_strategy: ExecutionStrategy | None = None,
        share_vars_from: Any = None,
        places: Any = None,
    ) -> CompiledProgram:
        """The same, on the one device. Raises UnsupportedError for several places."""
        count = len(places) if isinstance(places, (list, tuple)) else 1
        if count > 1:
            raise UnsupportedError(
                f"a Program runs on one device, received {count} places",
                cure="leave places out; a run uses all threads",
            )
        return self


__all__ = ["BuildStrategy", "CompiledProgram", "ExecutionStrategy"]

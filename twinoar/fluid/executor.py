"""Running Programs, by the arguments of Paddle 1.8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.fluid.compiler import BuildStrategy, ExecutionStrategy
from twinoar.fluid.lod_tensor import LoDTensor
from twinoar.fluid.profiler import measured
from twinoar.fluid.reader import started_loaders
from twinoar.static import executor as modern
from twinoar.static.mode import default_main_program
from twinoar.static.places import cpu_places, cuda_places
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope, scope_guard


class Executor(modern.Executor):
    """Runs Programs; see `paddle.static.Executor`.

    Where a loader of the Program is started, a run takes its next batch.
    """

    def run(  # type: ignore[override]  # return_merged stands before use_prune
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Sequence | None = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        return_merged: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run `program` (the default main Program) once; returns the values of fetch_list.

        feed: arrays by the name of the input, or a list with one such dict; None takes the next
        batch of the loaders that are started, and raises EOFException after the last one. Raises
        UnsupportedError for a LoDTensor with lengths, and what `paddle.static.Executor` raises.
        """
        chosen = default_main_program() if program is None else getattr(program, "program", program)
        if feed is None:
            feed = {k: v for one in started_loaders(chosen) for k, v in one.next_feed().items()}
        feeds = feed if isinstance(feed, (list, tuple)) else [feed]
        feeds = [_without_lengths(f) if isinstance(f, Mapping) else f for f in feeds]
        with measured(f"run {getattr(chosen, 'name', 'program')}"):
            return super().run(
                chosen, feeds, fetch_list, feed_var_name, fetch_var_name, scope, return_numpy
            )


class ParallelExecutor:
    """A Program and an Executor for it, on the one device.

    use_cuda: on a GPU; raises ArgumentError where there is none. Raises UnsupportedError for
    several trainers.
    """

    def __init__(
        self,
        use_cuda: bool,
        loss_name: str | None = None,
        main_program: Program | None = None,
        share_vars_from: ParallelExecutor | None = None,
        exec_strategy: ExecutionStrategy | None = None,
        build_strategy: BuildStrategy | None = None,
        num_trainers: int = 1,
        trainer_id: int = 0,
        scope: Scope | None = None,
    ):
        if num_trainers != 1:
            raise UnsupportedError("there is one trainer", cure="leave num_trainers out")
        self._program = default_main_program() if main_program is None else main_program
        self._scope = scope
        self._executor = Executor(cuda_places(0)[0] if use_cuda else cpu_places(1)[0])

    def run(
        self,
        fetch_list: Sequence,
        feed: Any = None,
        feed_dict: Mapping[str, Any] | None = None,
        return_numpy: bool = True,
    ) -> list[Any]:
        """Run the Program once; see `Executor.run`. feed_dict: the older name of feed."""
        if feed is not None and feed_dict is not None:
            raise ArgumentError("feed and feed_dict are one argument", cure="pass feed alone")
        given = feed if feed_dict is None else feed_dict
        return self._executor.run(
            self._program, given, fetch_list, scope=self._scope, return_numpy=return_numpy
        )

    @property
    def device_count(self) -> int:
        """The number of devices: 1."""
        return 1

    def drop_local_exe_scopes(self) -> None:
        """Nothing to drop: runs leave nothing behind."""


def _without_lengths(feed: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in feed.items():
        if isinstance(value, LoDTensor) and value.lod():
            raise UnsupportedError(
                f"{name} is a LoDTensor with lengths, operators take padded sequences",
                cure="feed rows, lengths = tensor.padded() to two inputs, "
                "and give sequence operators the lengths",
            )
    return dict(feed)


__all__ = ["Executor", "global_scope", "scope_guard"]

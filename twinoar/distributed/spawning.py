"""`spawn`: a function in a process of its own."""

from __future__ import annotations

import multiprocessing
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.process import BaseProcess
from typing import Any

from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError

OPTIONS = {
    "backend", "gpus", "ips", "master", "print_config", "start_method", "use_paddlecloud", "xpus",
}  # fmt: skip
AS_MANY_AS_DEVICES = -1  # nprocs: one process, for a machine without GPUs


class _Prepared(str):
    """The name of a process, which it reads before its script: it brings what serves imports."""

    __slots__ = ()

    def __reduce__(self) -> tuple:
        finders = [f for f in sys.meta_path if type(f).__module__.startswith("twinoar.")]
        return _prepare, (str(self), finders)


def _prepare(name: str, finders: list[Any]) -> str:
    sys.meta_path[:0] = finders
    return name


class SpawnError(TwinoarError):
    """The function has raised an exception, whose traceback is the message, or its process died."""


class MultiprocessContext:
    """The process of `spawn`. `join` waits for it."""

    def __init__(self, process: BaseProcess, errors: Any):
        self.processes, self._errors = [process], errors

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the process; False if it still runs after `timeout` seconds.

        Raises SpawnError with the function's traceback.
        """
        process = self.processes[0]
        process.join(timeout)
        if process.exitcode is None:
            return False
        if process.exitcode:
            raise SpawnError(self._why(process.exitcode))
        return True

    def _why(self, code: int) -> str:
        if not self._errors.empty():
            return f"process 0 of spawn has raised an exception:\n\n{self._errors.get()}"
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"process 0 of spawn ended with {how}"


def spawn(
    func: Callable[..., Any],
    args: Iterable[Any] = (),
    nprocs: int = AS_MANY_AS_DEVICES,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> MultiprocessContext:
    """Run `func(*args)` in a new process, and wait for it.

    func: a function of a module's top level, so that the process finds it. nprocs: -1 or 1.
    join=False: do not wait; `join()` of what is returned does. options: `start_method`, "spawn" or
    another of multiprocessing's; those that name devices, addresses and backends are without
    effect. Raises UnsupportedError for nprocs above 1, ArgumentError for another option, SpawnError
    where the function raises.
    """
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise ArgumentError(
            f"spawn has no option {unknown[0]!r}", cure=f"options: {', '.join(sorted(OPTIONS))}"
        )
    if not isinstance(nprocs, int):
        raise TypeMismatchError(f"nprocs: expected an integer, received {type(nprocs).__name__}")
    refuse_more("nprocs", nprocs, "pass nprocs=1")
    if nprocs not in (AS_MANY_AS_DEVICES, 1):
        raise ArgumentError(f"nprocs is {nprocs}, expected 1")
    processes = multiprocessing.get_context(options.get("start_method") or "spawn")
    errors = processes.SimpleQueue()
    process = processes.Process(
        target=_run,
        args=(func, tuple(args), errors),
        name=_Prepared("spawn-0"),
        daemon=daemon,
    )
    process.start()
    context = MultiprocessContext(process, errors)
    if join:
        context.join()
    return context


def _run(func: Callable[..., Any], args: tuple, errors: Any) -> None:
    try:
        func(*args)
    except KeyboardInterrupt:
        return
    except Exception:
        errors.put(traceback.format_exc())
        raise SystemExit(1) from None

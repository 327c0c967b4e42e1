"""`spawn`: a function in processes of its own, which can train together."""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from multiprocessing import spawn as starting
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from twinoar.distributed.launch.mpirun import Plan, Running
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError
from twinoar.runtime.collective.job import announce_rank, this_job

OPTIONS = {
    "backend", "gpus", "ips", "master", "print_config", "start_method", "use_paddlecloud", "xpus",
}  # fmt: skip
AS_MANY_AS_DEVICES = -1  # nprocs: one process, for a machine without GPUs
RUN = "from twinoar.distributed.spawning import run_spawned; run_spawned({file!r})"


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


class RanksContext:
    """The processes of `spawn`, which are ranks of a job. `join` waits for them."""

    def __init__(self, running: Running, folder: str):
        self.processes = [running.process]
        self._running, self._folder = running, Path(folder)

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the processes; False if they still run after `timeout` seconds.

        Raises SpawnError with the traceback of the function in the first that raised.
        """
        code = self._running.wait(timeout)
        if code is None:
            return False
        texts = {int(f.stem): f.read_text() for f in self._folder.glob("*.error")}
        shutil.rmtree(self._folder, ignore_errors=True)
        if texts:
            rank = min(texts)
            raise SpawnError(f"process {rank} of spawn has raised an exception:\n\n{texts[rank]}")
        if code:
            raise SpawnError(f"the processes of spawn ended with exit code {code}")
        return True


def spawn(
    func: Callable[..., Any],
    args: Iterable[Any] = (),
    nprocs: int = AS_MANY_AS_DEVICES,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> MultiprocessContext | RanksContext:
    """Run `func(*args)` in `nprocs` new processes, and wait for them.

    func: a function of a module's top level, so that processes find it. nprocs: -1 means one.
    Several of them can join by `init_parallel_env`. join=False: do not wait; `join()` of what is
    returned does. options: `start_method` of one process, "spawn" or another of multiprocessing's;
    those that name devices, addresses and backends are without effect. Raises ArgumentError for
    another option, SpawnError where the function raises, MissingModuleError where several processes
    are wanted and MPI is not installed.
    """
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise ArgumentError(
            f"spawn has no option {unknown[0]!r}", cure=f"options: {', '.join(sorted(OPTIONS))}"
        )
    if not isinstance(nprocs, int):
        raise TypeMismatchError(f"nprocs: expected an integer, received {type(nprocs).__name__}")
    if nprocs != AS_MANY_AS_DEVICES and nprocs < 1:
        raise ArgumentError(f"nprocs is {nprocs}, expected at least 1, or -1")
    context: MultiprocessContext | RanksContext
    if nprocs > 1:
        context = _spawn_ranks(func, tuple(args), nprocs)
    else:
        context = _spawn_one(func, tuple(args), daemon, options.get("start_method") or "spawn")
    if join:
        context.join()
    return context


def _spawn_one(
    func: Callable[..., Any], args: tuple, daemon: bool, method: str
) -> MultiprocessContext:
    processes = multiprocessing.get_context(method)
    errors = processes.SimpleQueue()
    process = processes.Process(  # type: ignore[attr-defined]  # of every context
        target=_run, args=(func, args, errors), name=_Prepared("spawn-0"), daemon=daemon
    )
    process.start()
    return MultiprocessContext(process, errors)


def _run(func: Callable[..., Any], args: tuple, errors: Any) -> None:
    try:
        func(*args)
    except KeyboardInterrupt:
        return
    except Exception:
        errors.put(traceback.format_exc())
        raise SystemExit(1) from None


def _spawn_ranks(func: Callable[..., Any], args: tuple, count: int) -> RanksContext:
    """Ranks of a job that read the function from a file, prepared as multiprocessing does it."""
    folder = tempfile.mkdtemp(prefix="twinoar-spawn-")
    file = Path(folder) / "function"
    prepared = starting.get_preparation_data(_Prepared("spawn"))
    prepared.pop("authkey", None)  # of this process and its children; files have no secrets
    file.write_bytes(pickle.dumps(prepared) + pickle.dumps((func, args)))
    command = [sys.executable, "-c", RUN.format(file=str(file))]
    return RanksContext(Running(Plan(count, command)), folder)


def run_spawned(file: str) -> None:
    """Run the function that `spawn` has written to a file, as one rank of its job."""
    announce_rank()
    with Path(file).open("rb") as stream:
        starting.prepare(pickle.load(stream))
        func, args = pickle.load(stream)
    try:
        func(*args)
    except Exception:
        with contextlib.suppress(OSError):
            target = Path(file).parent / f"{this_job().rank}.error"
            target.write_text(traceback.format_exc())
        raise


__all__ = ["MultiprocessContext", "SpawnError", "spawn"]

"""The OpenMP runtime of GCC, whose threads run our kernels and those of oneDNN.

One runtime for both: two would have twice as many threads as there are cores. Where the system has
none, kernels run on the thread that calls them.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Iterator
from contextlib import _GeneratorContextManager, contextmanager

FILE = "libgomp.so.1"
FUNCTIONS = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")

# How long a thread that waits spins before it sleeps: about as long as waking it takes, 7 us. The
# runtime's own choice is some milliseconds, in which another process that needs the core gets
# nothing: then a region of 0.1 ms was measured to take 5 ms.
SPIN_COUNT = "300"
WAITING = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
END_THREADS = 2  # omp_pause_hard


@functools.cache
def runtime() -> ctypes.CDLL | None:
    """The runtime; None where the system has none, or one older than GCC 9.

    It must be loaded here before anything loads it otherwise, for that is when it reads how long
    to wait. A variable that the user has set decides.
    """
    try:
        with _waiting_briefly():
            loaded = ctypes.CDLL(FILE)
        end_threads = loaded.omp_pause_resource_all
    except (OSError, AttributeError):
        return None
    # A child has no threads and would wait for them forever; both processes start new ones.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=functools.partial(end_threads, END_THREADS))
    return loaded


def threads() -> int:
    """How many threads a parallel region has: OMP_NUM_THREADS, or the cores that may be used."""
    loaded = runtime()
    return 1 if loaded is None else int(loaded.omp_get_max_threads())


def one_thread() -> _GeneratorContextManager[None]:
    """Regions of this thread have one thread; so has what a library makes, wherever it runs."""
    return on_threads(1)


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Regions of this thread have so many threads; there is one where there is no runtime."""
    loaded, before = runtime(), threads()
    if loaded is None:
        yield
        return
    loaded.omp_set_num_threads(count)
    try:
        yield
    finally:
        loaded.omp_set_num_threads(before)


def addresses() -> dict[str, int]:
    """Where the functions are that native code calls; empty where there is no runtime."""
    loaded = runtime()
    if loaded is None:
        return {}
    return {name: ctypes.cast(loaded[name], ctypes.c_void_p).value or 0 for name in FUNCTIONS}


@contextmanager
def _waiting_briefly() -> Iterator[None]:
    """Our choice in the environment, unless the user made one; child processes do not get it."""
    if any(variable in os.environ for variable in WAITING):
        yield
        return
    os.environ[WAITING[0]] = SPIN_COUNT
    try:
        yield
    finally:
        del os.environ[WAITING[0]]

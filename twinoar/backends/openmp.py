"""The OpenMP runtime of GCC, whose threads run our kernels and those of oneDNN.

One runtime for both: two would have twice as many threads as there are cores. Where the system has
none, kernels run on the thread that calls them.
"""

from __future__ import annotations

import ctypes
import functools

FILE = "libgomp.so.1"
FUNCTIONS = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")


@functools.cache
def runtime() -> ctypes.CDLL | None:
    """The runtime, or None where the system has none."""
    try:
        return ctypes.CDLL(FILE)
    except OSError:
        return None


def threads() -> int:
    """How many threads a parallel region has: OMP_NUM_THREADS, or the cores that may be used."""
    loaded = runtime()
    return 1 if loaded is None else int(loaded.omp_get_max_threads())


def addresses() -> dict[str, int]:
    """Where the functions are that native code calls; empty where there is no runtime."""
    loaded = runtime()
    if loaded is None:
        return {}
    return {name: ctypes.cast(loaded[name], ctypes.c_void_p).value or 0 for name in FUNCTIONS}

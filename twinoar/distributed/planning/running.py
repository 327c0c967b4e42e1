"""What a step takes in one process, with numbers that are made up."""

from __future__ import annotations

import statistics
import time

import numpy as np

from twinoar import static
from twinoar.distributed.planning.step import Step

WARM = 2  # runs that compile, and choose
RUNS = 7


def seconds_of_step(step: Step, runs: int = RUNS) -> float:
    """The seconds that a step of this Program takes in this process, the median of a few runs."""
    program = step.source
    with static.scope_guard(static.Scope()):
        for state in program.states.values():
            if not state.is_constant:
                array = np.full(_shape(state.spec.shape), 0.01, state.spec.dtype.numpy)
                static.global_scope().var(state.name).get_tensor().set(array)
        feed = {
            v.name: np.zeros(_shape(v.spec.shape), v.spec.dtype.numpy) for v in program.main.inputs
        }
        executor = static.Executor()
        times = []
        for n in range(WARM + runs):
            began = time.perf_counter()
            executor.run(program, feed=feed, fetch_list=[])
            if n >= WARM:
                times.append(time.perf_counter() - began)
    return statistics.median(times)


def _shape(shape: tuple[object, ...]) -> tuple[int, ...]:
    return tuple(int(n) for n in shape)  # type: ignore[call-overload]

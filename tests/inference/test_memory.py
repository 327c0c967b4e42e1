"""Clones and answers in many threads cost little memory, and no more with time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import inference, nn, static

WIDTH, MEBI = 1536, 1 << 20  # two layers of so many elements in a row have 18 MiB of weights
CLONES, MOST_FOR_A_CLONE = 6, 8 * MEBI
THREADS, MOST_GROWTH = 32, 4 * MEBI
STATM = Path("/proc/self/statm")

pytestmark = pytest.mark.skipif(not STATM.exists(), reason="asks the kernel for resident memory")


def resident_bytes() -> int:
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def predictor_of(folder: Path, width: int) -> inference.Predictor:
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
    paddle.jit.save(net, str(folder / "net"), [static.InputSpec([None, width], name="x")])
    config = inference.Config(str(folder / "net.pdmodel"), str(folder / "net.pdiparams"))
    config.set_cpu_math_library_num_threads(1)
    return inference.create_predictor(config)


def at_once(count: int, run: Callable[[int], Any]) -> list[Any]:
    """The results of `run` in so many threads, all of which are there before one begins."""
    all_here = threading.Barrier(count)

    def begin(n: int) -> Any:
        all_here.wait()
        return run(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def test_a_clone_in_a_thread_of_its_own_costs_little(tmp_path: Path) -> None:
    predictor = predictor_of(tmp_path, WIDTH)
    x = np.ones((4, WIDTH), np.float32)
    wanted = [predictor.run([x])[0].tobytes() for _ in range(3)][-1]
    before = resident_bytes()
    clones = [predictor.clone() for _ in range(CLONES)]
    found = at_once(CLONES, lambda n: [clones[n].run([x])[0].tobytes() for _ in range(3)][-1])
    assert (resident_bytes() - before) / CLONES < MOST_FOR_A_CLONE
    assert set(found) == {wanted}


def test_memory_does_not_grow_with_predictions(tmp_path: Path) -> None:
    predictor = predictor_of(tmp_path, 16)
    given = [np.full((1 + n % 3, 16), n / THREADS, np.float32) for n in range(THREADS)]
    wanted = [predictor.run([x])[0].tobytes() for x in given]

    def run(n: int) -> bool:
        return all(predictor.run([given[n]])[0].tobytes() == wanted[n] for _ in range(200))

    at_once(THREADS, run)
    before = resident_bytes()
    assert all(at_once(THREADS, run)) and all(at_once(THREADS, run))
    assert resident_bytes() - before < MOST_GROWTH

"""What collectives take on the cluster at hand: measured once, by the job that is to use it.

Each kind is timed for messages of several sizes, by two ranks, four, and so on to all of them, as
this engine runs it, with all that ranks compare before. Of several runs the median counts, and of
ranks the slowest.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.distributed.auto_parallel.network import KINDS, Link, Network, Speeds
from twinoar.distributed.group import new_group
from twinoar.errors import ArgumentError
from twinoar.runtime.collective import Communicator, current_world, this_job

SIZES = tuple(1 << n for n in (3, 10, 13, 16, 18, 20, 22, 23))  # bytes of the whole
ROUNDS = 15
RUNS = 5
SECONDS_A_SIZE = 0.2  # what lasts longer is measured less often
PRODUCTS_SIDE = 512  # of a product of matrices
COPIED_BYTES = 1 << 25
BYTES = 4  # of an element


def measure_network(sizes: Sequence[int] = SIZES, rounds: int = ROUNDS) -> Network:
    """The network of this job, which all its ranks call; equal on each of them.

    sizes: bytes of messages. Raises ArgumentError where there is one process.

    >>> from twinoar.runtime.collective import run_ranks
    >>> first, second = run_ranks(2, lambda: measure_network([8, 1024], 3))
    >>> first == second, sorted(first.measured)[:2]
    (True, ['all_gather', 'all_reduce'])
    """
    world = current_world().all
    if world.size == 1:
        raise ArgumentError(
            "one process has no network to measure",
            cure="start several: twinoar plan --measure FILE --ranks 2",
        )
    if sorted(sizes) != list(sizes) or len(set(sizes)) < 2 or rounds < 1:
        raise ArgumentError(f"expected sizes that grow and rounds, received {sizes}, {rounds}")
    measured: dict[str, dict[int, tuple[tuple[float, float], ...]]] = {k: {} for k in KINDS}
    for count in _counts(world.size):
        group = new_group(list(range(count)))
        there = current_world().of(group.id) if group.is_member() else None
        for kind in KINDS:
            own = None if there is None else [_timed(kind, n, there, rounds) for n in sizes]
            times = world.all_gather_object(own)
            slowest = np.max([t for t in times if t is not None], axis=0)
            measured[kind][count] = tuple(
                (float(n), float(s)) for n, s in zip(sizes, slowest, strict=True)
            )
    link = _fitted(measured["send"][min(measured["send"])])
    each = max(1, min(this_job().local_size, world.size))
    return Network(link, link, each, measured, _speeds(world))


def _counts(size: int) -> list[int]:
    """Two ranks, four, ... and all."""
    found = []
    while size > 1:
        found.append(size)
        size = 1 << (size - 1).bit_length() - 1
    return found[::-1]


def _timed(kind: str, nbytes: int, there: Communicator, rounds: int) -> float:
    """The seconds of one of several in a row, as a step calls them; ranks run it equally often."""
    call = _call(kind, nbytes, there)
    call()  # connections are made at the first
    longest = float(there.all_gather(np.array([_seconds(call, there, 1)])).max())
    often = max(1, min(rounds, int(SECONDS_A_SIZE / max(longest, 1e-9))))
    found = statistics.median(_seconds(call, there, often) for _ in range(RUNS))
    return found / 2 if kind == "send" else found


def _seconds(call: Callable[[], Any], there: Communicator, often: int) -> float:
    there.barrier()
    began = time.perf_counter()
    for _ in range(often):
        call()
    return (time.perf_counter() - began) / often


def _call(kind: str, nbytes: int, there: Communicator) -> Callable[[], Any]:
    count = max(nbytes // BYTES, 1)
    whole = np.zeros(count, np.float32)
    rows = np.zeros((there.size, -(-count // there.size)), np.float32)
    calls: dict[str, Callable[[], Any]] = {
        "all_reduce": lambda: there.all_reduce(whole, "sum"),
        "all_gather": lambda: there.all_gather(rows[0]),
        "reduce_scatter": lambda: there.reduce_scatter(rows, "sum"),
        "all_to_all": lambda: there.all_to_all(rows),
        "broadcast": lambda: there.broadcast(whole, 0),
        "send": lambda: _sent_on(whole, there),
    }
    return calls[kind]


def _sent_on(x: np.ndarray, there: Communicator) -> None:
    """From the first rank to the second, and back; the others have nothing to do."""
    if there.rank < 2:
        peer, into = 1 - there.rank, np.empty_like(x)
        for turn in (0, 1):
            if there.rank == turn:
                there.send(x, peer).wait()
            else:
                there.receive(into, peer).wait()


def _fitted(points: Sequence[tuple[float, float]]) -> Link:
    """The link that messages of these times have: by the shortest, and the two longest."""
    (low, early), (high, late) = points[-2:]
    return Link(points[0][1], (high - low) / max(late - early, 1e-9))


def _speeds(world: Communicator) -> Speeds:
    """What the slowest rank computes."""
    own = own_speeds()
    slowest = world.all_gather(np.array([own.bytes, own.operations])).min(axis=0)
    return Speeds(float(slowest[0]), float(slowest[1]))


def own_speeds() -> Speeds:
    """What this process computes: as NumPy copies and multiplies."""
    source = np.ones(COPIED_BYTES, np.uint8)
    matrix = np.ones((PRODUCTS_SIDE, PRODUCTS_SIDE), np.float32)
    copied = min(_alone(lambda: source.copy()) for _ in range(ROUNDS))
    product = min(_alone(lambda: matrix @ matrix) for _ in range(ROUNDS))
    return Speeds(2 * COPIED_BYTES / copied, 2 * PRODUCTS_SIDE**3 / product)


def _alone(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return max(time.perf_counter() - began, 1e-9)


__all__ = declared(globals())

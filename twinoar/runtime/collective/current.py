"""Which world is current: that of the process, or that of a thread that plays a rank."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from twinoar.errors import ArgumentError, DistributedError
from twinoar.runtime.collective.job import this_job
from twinoar.runtime.collective.local import Board, LocalCommunicator, alone, leave
from twinoar.runtime.collective.world import World
from twinoar.runtime.own_values import own_values

# No default here: a thread that plays no rank is part of its process, whatever that has joined.
_played: ContextVar[World | None] = ContextVar("played", default=None)
_joined: list[World] = [alone()]


def current_world() -> World:
    """The world of this thread, else of the process: a rank by itself until it joins others."""
    played = _played.get()
    return _joined[-1] if played is None else played


def has_joined() -> bool:
    """Whether the current world is one that somebody joined."""
    return _played.get() is not None or len(_joined) > 1


def rank_and_size() -> tuple[int, int]:
    """Which rank this is of how many: in the world that was joined, else by the environment."""
    if has_joined():
        return current_world().rank, current_world().size
    job = this_job()
    return job.rank, job.size


def join_world(world: World) -> None:
    """Make a world that of the process."""
    _joined.append(world)


def leave_world() -> None:
    """Be a rank by itself again; what was joined stays where it is."""
    if len(_joined) > 1:
        _joined.pop()
    else:
        _joined[0] = alone()


@contextmanager
def in_world(world: World) -> Iterator[World]:
    """Within the block this thread is a rank of `world`."""
    token, own = _played.set(world), own_values.set(world.own_values)
    try:
        yield world
    finally:
        _played.reset(token)
        own_values.reset(own)


def run_ranks(size: int, function: Callable[..., Any], *args: Any) -> list[Any]:
    """Call `function(*args)` as each of `size` ranks; what they return, in order.

    Each runs in a thread that is that rank to all that asks, and draws random numbers of its own:
    all begin where the process is, so they draw alike as long as they make the same calls. Raises
    what a rank raised: the first that did not only wait for one that had ended.

    >>> run_ranks(3, lambda: current_world().rank)
    [0, 1, 2]
    """
    if size < 1:
        raise ArgumentError(f"expected at least one rank, received {size}")
    board = Board(size, set())
    found: list[Any] = [None] * size
    errors: dict[int, BaseException] = {}

    def play(rank: int) -> None:
        try:
            with in_world(World(LocalCommunicator(board, range(size), rank))):
                found[rank] = function(*args)
        except BaseException as error:
            errors[rank] = error
        finally:
            leave(board, rank)

    threads = [threading.Thread(target=play, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        first = min(errors, key=lambda r: (_is_of_others(errors[r]), r))
        raise errors[first]
    return found


def _is_of_others(error: BaseException) -> bool:
    return isinstance(error, DistributedError) and "has ended" in str(error)

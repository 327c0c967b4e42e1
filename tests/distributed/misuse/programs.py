"""What ranks call: random programs, most of them with mistakes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

KINDS = (
    "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "scatter", "gather",
    "alltoall", "alltoall_single", "barrier", "objects", "message",
)  # fmt: skip
ROOTED = ("broadcast", "reduce", "scatter", "gather")
REDUCING = ("all_reduce", "reduce_scatter", "reduce")
REDUCTIONS = ("SUM", "MAX", "MIN", "PROD", "AVG")
DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8", "bool")
FLOATS = DTYPES[:4]
# Less than a rank's frame, more than it, none, and more than MPI sends without being asked for it.
SHAPES = ((1,), (3,), (2, 3), (40,), (17, 5), (0,), (0, 4), (70_000,))
MISTAKES = (
    "shape", "dtype", "kind", "root", "reduction", "group", "skipped", "twice", "swapped",
    "no such root", "no tensor", "another count", "left",
)  # fmt: skip
REFUSED = ("no such root", "no tensor", "another count")


@dataclass(frozen=True)
class Action:
    """One call of one rank.

    group: which of `groups_of`. root, peer: ranks in the world; a message goes from root to peer.
    mistake: what is wrong with the arguments. number: which of the rank's calls it is.
    """

    kind: str
    group: int
    root: int
    peer: int
    dtype: str
    shape: tuple[int, ...]
    reduction: str
    is_task: bool = False
    mistake: str = ""
    number: int = 0


LEFT = "left"  # the kind of an action that ends the rank


def groups_of(size: int) -> list[list[int]]:
    """The ranks of the groups that there are: all, the first two, the first and the last."""
    return [list(range(size)), [0, 1], sorted({0, size - 1})]


def program(seed: int, size: int) -> list[list[Action]]:
    """What each rank calls, in order."""
    draw = np.random.default_rng(seed)
    together = [_drawn(draw, size) for _ in range(draw.integers(2, 8))]
    ranks = [[a for a in together if rank in _members(a, size)] for rank in range(size)]
    for _ in range(draw.choice(4, p=(0.2, 0.5, 0.2, 0.1))):
        rank = int(draw.integers(size))
        if ranks[rank]:
            _spoil(draw, ranks[rank], size)
    return [[dataclasses.replace(a, number=n) for n, a in enumerate(own)] for own in ranks]


def _members(action: Action, size: int) -> list[int]:
    if action.kind == "message":
        return [action.root, action.peer]
    return groups_of(size)[action.group]


def _drawn(draw: np.random.Generator, size: int) -> Action:
    group = int(draw.integers(3))
    members = groups_of(size)[group]
    root, peer = (int(r) for r in draw.choice(members, 2, replace=False))
    kind = str(draw.choice(KINDS))
    dtype = str(draw.choice(DTYPES))
    reduction = str(draw.choice(REDUCTIONS[: 5 if dtype in FLOATS else 4]))
    shape = SHAPES[int(draw.integers(len(SHAPES)))]
    return Action(kind, group, root, peer, dtype, shape, reduction, bool(draw.integers(2)))


def _spoil(draw: np.random.Generator, own: list[Action], size: int) -> None:
    """Let a rank make one mistake."""
    at, mistake = int(draw.integers(len(own))), str(draw.choice(MISTAKES))
    now, other = own[at], _drawn(draw, size)
    if mistake == "skipped":
        del own[at]
    elif mistake == "twice":
        own.insert(at, now)
    elif mistake == "swapped" and at:
        own[at - 1], own[at] = own[at], own[at - 1]
    elif mistake == LEFT:
        own[at:] = [dataclasses.replace(now, kind=LEFT)]
    elif mistake in REFUSED:
        if is_refusable(now, mistake):
            own[at] = dataclasses.replace(now, mistake=mistake)
    elif mistake in ("shape", "dtype", "kind", "root", "reduction"):
        own[at] = dataclasses.replace(now, **{mistake: getattr(other, mistake)})
    elif mistake == "group":
        own[at] = dataclasses.replace(now, group=(now.group + 1) % 3)


def is_refusable(action: Action, mistake: str) -> bool:
    """Whether a kind of call can be made so wrongly that its rank alone can tell."""
    if mistake == "no such root":
        return action.kind in (*ROOTED, "message")
    if mistake == "another count":
        return action.kind in ("reduce_scatter", "alltoall")
    return action.kind not in ("barrier", "objects")


def is_refused(action: Action, rank: int, size: int) -> bool:
    """Whether a rank's arguments alone are wrong, so that it calls nobody."""
    members = groups_of(size)[action.group]
    if action.mistake or rank not in members:
        return True
    if action.kind in ROOTED and action.root not in members:
        return True
    if action.kind == "message":
        return other_of(action, rank) not in members
    return action.kind in REDUCING and action.reduction == "AVG" and action.dtype not in FLOATS


def other_of(action: Action, rank: int) -> int:
    """To whom, or from whom, a rank's message goes: who is not its root receives it."""
    return action.peer if rank == action.root else action.root


def compared(action: Action) -> tuple:
    """What ranks compare of a call: equal where they make the same."""
    kind = action.kind
    if kind in ("barrier", "objects"):
        return (kind,)
    detail: tuple = (action.reduction,) if kind in REDUCING else ()
    if kind in ROOTED:
        detail += (action.root,)
    shape = action.shape[1:] if kind.startswith("alltoall") else action.shape
    return ("alltoall" if kind.startswith("alltoall") else kind, *detail, action.dtype, shape)

"""What has to come of a program: worked out from what all ranks call, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.distributed.misuse.playing import Outcome, given, rows_sent, uneven
from tests.distributed.misuse.programs import (
    LEFT,
    Action,
    compared,
    groups_of,
    is_refused,
    other_of,
)
from twinoar.runtime.collective import combined

# What a wait ends with that nobody answers; a group is given up then.
ENDS = ("has ended", "has waited", "was not finished")
Calls = list[tuple[Action, Outcome]]


def faults(programs: list[list[Action]], outcomes: list[list[Outcome]]) -> list[str]:
    """What came otherwise than it has to; empty where all is right."""
    found = list(_crashes(programs, outcomes))
    size = len(programs)
    calls = [list(zip(p, o, strict=False)) for p, o in zip(programs, outcomes, strict=True)]
    lengths = [len([a for a in p if a.kind != LEFT]) for p in programs]
    for rank, (own, expected) in enumerate(zip(calls, lengths, strict=True)):
        if len(own) != expected:
            found.append(f"rank {rank}: {len(own)} of {expected} calls")
    for group, members in enumerate(groups_of(size)):
        made = {
            r: [(a, o) for a, o in calls[r] if a.group == group and not is_refused(a, r, size)]
            for r in members
        }
        found += _of_collectives(members, made)
        found += _of_messages(members, made)
    return found


def _crashes(programs: list[list[Action]], outcomes: list[list[Outcome]]) -> Iterator[str]:
    for rank, (program, own) in enumerate(zip(programs, outcomes, strict=True)):
        for action, outcome in zip(program, own, strict=False):
            if outcome.crash:
                yield f"rank {rank}: {action} crashed: {outcome.crash}"
            elif is_refused(action, rank, len(programs)) and not outcome.error:
                yield f"rank {rank}: {action} was not refused"


def _of_collectives(members: list[int], made: dict[int, Calls]) -> Iterator[str]:
    own = {r: [c for c in made[r] if c[0].kind != "message"] for r in members}
    has_ended = False  # a rank has given the group up
    for at in range(max(map(len, own.values()))):
        here = {r: own[r][at] for r in members if at < len(own[r])}
        texts = {compared(a) for a, _ in here.values()}
        errors = {r: o.error for r, (_, o) in here.items() if o.error}
        if len(here) < len(members) or len(texts) > 1:
            for r, (a, o) in here.items():
                if not o.error:
                    yield f"rank {r}: {a} brought {o.arrays}, others called something else"
        has_ended |= any(text in e for e in errors.values() for text in ENDS)
        if len(here) == len(members) and len(texts) == 1:
            yield from _of_one(members, here, errors, has_ended)


def _of_one(
    members: list[int], here: dict[int, tuple[Action, Outcome]], errors: Any, has_ended: bool
) -> Iterator[str]:
    """A collective that all make alike."""
    expected = _expected(members, {r: a for r, (a, _) in here.items()})
    for r, (a, o) in here.items():
        if o.error:
            if not has_ended and expected is not None:
                yield f"rank {r}: {a} is right, and raised {o.error}"
        elif o.crash:
            continue
        elif expected is None:
            yield f"rank {r}: {a} does not fit what others take, and brought {o.arrays}"
        elif not _is_same(o.arrays, expected[r]):
            yield f"rank {r}: {a} brought {o.arrays}, expected {expected[r]}"


def _is_same(found: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    return len(found) == len(expected) and all(
        (a.shape, a.dtype) == (b.shape, b.dtype) and a.tobytes() == b.tobytes()
        for a, b in zip(found, expected, strict=True)
    )


def _expected(members: list[int], calls: dict[int, Action]) -> dict[int, list[np.ndarray]] | None:
    """What each rank is to get; None where an error is due on all."""
    some = calls[members[0]]
    each = {r: given(calls[r], r) for r in members}
    reduction, root = some.reduction.lower(), some.root
    if some.kind == "barrier":
        return {r: [] for r in members}
    if some.kind == "objects":
        return {r: [np.array([(m, calls[m].number) for m in members])] for r in members}
    if some.kind == "all_reduce":
        total = combined(list(each.values()), reduction)
        return {r: [total] for r in members}
    if some.kind == "all_gather":
        return {r: list(each.values()) for r in members}
    if some.kind == "broadcast":
        return {r: [each[root]] for r in members}
    if some.kind == "reduce":
        total = combined(list(each.values()), reduction)
        return {r: [total if r == root else each[r]] for r in members}
    if some.kind == "gather":
        return {r: list(each.values()) if r == root else [] for r in members}
    parts = {r: [given(calls[r], r, n) for n in range(len(members))] for r in members}
    if some.kind == "scatter":
        return {r: [parts[root][n]] for n, r in enumerate(members)}
    if some.kind == "reduce_scatter":
        return {
            r: [combined([parts[m][n] for m in members], reduction)] for n, r in enumerate(members)
        }
    return _all_to_all(members, calls, parts)


def _all_to_all(
    members: list[int], calls: dict[int, Action], parts: dict[int, list[np.ndarray]]
) -> dict[int, list[np.ndarray]] | None:
    count = len(members)
    sent, taken = {}, {}
    for n, r in enumerate(members):
        if calls[r].kind == "alltoall":
            sent[r], taken[r] = parts[r], [calls[r].shape[0]] * count
        else:
            ends = np.cumsum(rows_sent(count))[:-1]
            sent[r], taken[r] = np.split(uneven(calls[r], r, count), ends), [n + 1] * count
    for n, r in enumerate(members):
        if any(len(sent[m][n]) != taken[r][k] for k, m in enumerate(members)):
            return None
    arrived = {r: [sent[m][n] for m in members] for n, r in enumerate(members)}
    return {
        r: found if calls[r].kind == "alltoall" else [np.concatenate(found)]
        for r, found in arrived.items()
    }


def _of_messages(members: list[int], made: dict[int, Calls]) -> Iterator[str]:
    """Of two ranks the messages arrive in order; one that does not fit is used up."""
    for source in members:
        for target in members:
            sent = [a for a, o in made[source] if _goes(a, source, target) and not o.error]
            received = [(a, o) for a, o in made[target] if _comes(a, source, target)]
            yield from _of_pair(source, target, sent, received)


def _goes(a: Action, source: int, target: int) -> bool:
    return a.kind == "message" and a.root == source and other_of(a, source) == target


def _comes(a: Action, source: int, target: int) -> bool:
    return a.kind == "message" and a.root == source and target != source


def _of_pair(source: int, target: int, sent: list[Action], received: Calls) -> Iterator[str]:
    for a, o in received:
        if o.error and "has sent" not in o.error:
            if not any(text in o.error for text in ENDS):
                yield f"rank {target}: {a} raised {o.error}"
            continue
        if not sent:
            if not o.crash:
                yield f"rank {target}: {a} brought {o.arrays}, which nobody has sent"
            return
        message = sent.pop(0)
        fits = (message.dtype, _bytes(message)) == (a.dtype, _bytes(a))
        if fits and not o.error and not o.crash:
            expected = given(message, source).reshape(a.shape)
            if not _is_same(o.arrays, [expected]):
                yield f"rank {target}: {a} brought {o.arrays}, expected {expected}"
        elif fits != (not o.error):
            yield f"rank {target}: {a} of {message} brought {o.error or o.arrays}"


def _bytes(a: Action) -> int:
    return given(a, 0).nbytes

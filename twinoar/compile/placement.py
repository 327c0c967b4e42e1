"""Which memory each value of a Plan has, which parts run as one, and how long memory is needed.

What setup leaves for the runs, and packed weights, follow from states that no run changes. They lie
in a memory of their own, which all who bind the same states have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from twinoar.compile import memory
from twinoar.compile.overwriting import overwritten
from twinoar.compile.part import Part
from twinoar.compile.pipeline import Plan
from twinoar.compile.storage import Storage
from twinoar.core.ir.program import State

BATCHED = 256  # parts that a kernel may be moved past to join others of its code
Batches = list[list[Part]]


def placed(planned: Plan) -> tuple[dict[Storage, int], dict[int, Any]]:
    """A number for the memory of each value, and what those are that each run binds.

    These are inputs, states, and the positions of results.
    """
    places: dict[Storage, int] = {}
    program = planned.program
    given = [*program.states.values(), *program.main.inputs]
    outside: dict[int, Any] = dict(enumerate(given))
    by_variable = {v: n for n, v in outside.items()}
    touched = [*(s for s in planned.outputs if isinstance(s, Storage)), *planned.updates.values()]
    for step in planned.steps:
        touched += [*step.reads, *(w for w in step.writes if w is not None)]
    number = len(given)
    reused = overwritten(planned)
    for s in dict.fromkeys(touched):
        if s in planned.in_place:
            places[s] = by_variable[planned.in_place[s]]
        elif s.variable in by_variable:
            places[s] = by_variable[s.variable]
        elif s in reused:
            places[s] = places[reused[s]]
        else:
            places[s] = number
            number += 1
    for position, output in enumerate(planned.outputs):
        if isinstance(output, Storage) and places[output] not in outside:
            outside[places[output]] = position
    return places, outside


def settled(
    parts: Sequence[Part], places: dict[Storage, int], outside: dict[int, Any], planned: Plan
) -> tuple[list[Part], list[Part]]:
    """The parts that follow from states which no run changes alone, and the others."""
    fixed = {n for n, v in outside.items() if isinstance(v, State) and v not in planned.updates}
    setup: list[Part] = []
    live: list[Part] = []

    def is_fixed(s: Storage) -> bool:
        return places[s] in fixed

    for whole in parts:
        packing, part = whole.split(is_fixed)
        setup += packing
        reads = {places[s] for s in part.step.reads}
        writes = {places[s] for s in part.step.writes if s is not None}
        if part.may_settle and reads <= fixed and not writes & outside.keys():
            setup.append(part)
            fixed |= writes
        else:
            live.append(part)
    return setup, live


def batched(parts: list[Part], places: dict[Storage, int], written: set[int]) -> Batches:
    """The parts in batches: kernels of the same code that do not wait for each other are one.

    written: the states that are changed in place, which waits for all that may fail.
    """
    batches: Batches = []
    touched: list[tuple[set[int], set[int]]] = []  # what each batch reads and writes
    by_name: dict[str, int] = {}
    for part in parts:
        reads = {places[s] for s in part.step.reads}
        if part.can_fail:
            reads |= written
        writes = {places[s] for s in part.step.writes if s is not None}
        name = part.joins
        at = by_name.get(name, -1) if name else -1
        if at >= max(0, len(batches) - BATCHED) and not any(
            written & (reads | writes) or read & writes for read, written in touched[at:]
        ):
            batches[at].append(part)
            touched[at] = touched[at][0] | reads, touched[at][1] | writes
            continue
        if name:
            by_name[name] = len(batches)
        batches.append([part])
        touched.append((reads, writes))
    return batches


def first_writer(batches: Batches, planned: Plan) -> int | None:
    """The first batch that changes a state in place; all that may fail stands before it."""
    in_place = planned.in_place.keys()
    for number, batch in enumerate(batches):
        if any(s in in_place for part in batch for s in part.step.writes):
            return number
    return None


def checked_before(batches: Batches, planned: Plan) -> list[int]:
    """The batches before which no flag may be up: the first writer, and those that say so.

    What Python did with an index of 0 in place of a wrong one, such as printing, would stay done;
    and a loop that a wrong value keeps going might never end.
    """
    found = []
    is_checked = True
    writer = first_writer(batches, planned)
    for number, batch in enumerate(batches):
        if not is_checked and (number == writer or any(p.follows_checks for p in batch)):
            found.append(number)
            is_checked = True
        is_checked = is_checked and not any(map(checks_of, batch))
    return found


def checks_of(part: Part) -> Sequence[object]:
    """The indices that a part checks itself."""
    found: Sequence[object] = getattr(part, "checks", ())
    return found


@dataclass(frozen=True)
class Lives:
    """Pieces of memory: those of setup, of a run, and those that setup leaves for all runs."""

    before: list[memory.Life]
    during: list[memory.Life]
    derived: list[memory.Life]


def arenas(
    setup: Batches,
    batches: Batches,
    places: dict[Storage, int],
    outside: dict[int, Any],
    planned: Plan,
) -> tuple[memory.Arena, memory.Arena]:
    """Where each piece of the arena lies; and each of those that are derived from states."""
    lives = lives_of(setup, batches, places, outside, planned)
    bundles = _bundles(batches, places)
    lives.during[:], inside = memory.bundled(lives.during, bundles)
    # Planned each for itself, so that setup is the same for runs of other sizes.
    arena = memory.in_turn(memory.plan(lives.before), memory.plan(lives.during))
    arena = memory.unbundled(arena, inside)
    return arena, memory.plan(lives.derived)


def _bundles(batches: Batches, places: dict[Storage, int]) -> list[list[int]]:
    """The places of values that are to lie side by side, as parts say by `bundles`."""
    parts = (part for batch in batches for part in batch)
    return [[places[s] for s in b] for part in parts for b in getattr(part, "bundles", ())]


def lives_of(
    setup: Batches,
    batches: Batches,
    places: dict[Storage, int],
    outside: dict[int, Any],
    planned: Plan,
) -> Lives:
    """From which batch to which each piece of memory is needed; those of setup have numbers < 0.

    Keys are numbers of `places`, and what parts need for themselves.
    """
    first: dict[Any, int] = {}
    last: dict[Any, int] = {}
    size: dict[Any, int] = {}

    def touch(key: Any, bytes_: int, at: int) -> None:
        first.setdefault(key, at)
        last[key] = at
        size[key] = max(size.get(key, 0), bytes_)

    def touch_all(part: Part, at: int) -> None:
        step = part.step
        for s in [*step.reads, *(w for w in step.writes if w is not None)]:
            if places[s] not in outside:
                touch(places[s], s.bytes, at)
        for own in part.temporaries():
            touch(own, own.bytes, at)

    parts = [(n - len(setup), p) for n, batch in enumerate((*setup, *batches)) for p in batch]
    for at, part in parts:  # what is set up is so before the first batch of a run
        touch_all(part, at)
    for s in planned.updates.values():
        if s in places and places[s] not in outside:
            last[places[s]] = len(batches)
    packed = {own for _, part in parts for own in part.packed()}
    lives = Lives([], [], [])
    for key in first:
        life = memory.Life(key, size[key], first[key], last[key])
        if key in packed or first[key] < 0 <= last[key]:
            lives.derived.append(replace(life, first=0, last=0))
        else:
            (lives.before if last[key] < 0 else lives.during).append(life)
    return lives

"""What a rank's Program costs: seconds, bytes that travel, and memory.

Computing is priced by the roofline of one rank: each operator takes what its bytes or its
operations take at least, where a compiler would not have joined it to its neighbours. What was
measured of the same step in one process says how much longer that really is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twinoar.core.ir.program import Operator, Variable
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.network import Speeds
from twinoar.distributed.planning.division import GROUPS, Local
from twinoar.distributed.planning.step import Phase, Step

KINDS: Mapping[str, str] = {
    "all_gather_rows": "all_gather",
    "reduce_scatter_rows": "reduce_scatter",
    "all_to_all_rows": "all_to_all",
}


@dataclass(frozen=True)
class Travel:
    """A collective of a step. axis: the dimension of the mesh. nbytes: of the whole."""

    kind: str
    axis: int
    nbytes: int

    def sent(self, local: Local) -> float:
        """How many bytes leave a rank."""
        count = local.grid.shape[self.axis]
        share = self.nbytes * (count - 1) / count
        return 2 * share if self.kind == "all_reduce" else share


@dataclass
class Cost:
    """One operator of a rank. roofline: seconds that it takes at least; travel: if it moves."""

    operator: Operator
    origin: Operator | None
    phase: Phase
    roofline: float
    travel: Travel | None

    def of_bytes(self, nbytes: int) -> Cost:
        """The same, moving so many bytes."""
        assert self.travel is not None
        return replace(self, travel=replace(self.travel, nbytes=nbytes))


@dataclass(frozen=True)
class Memory:
    """What a rank keeps, in bytes. activations: what lives at most while a step runs."""

    parameters: int = 0
    gradients: int = 0
    optimizer: int = 0
    activations: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.parameters + self.gradients + self.optimizer + self.activations


def costs_of(local: Local, speeds: Speeds) -> list[Cost]:
    """What each operator of a rank costs."""
    kept = _Kept(local)
    return [
        Cost(o, origin, phase, _roofline(o, kept, speeds), travel_of(o))
        for o, origin, phase in local.calls
    ]


def travel_of(o: Operator) -> Travel | None:
    """What an operator moves between ranks; None of those that compute."""
    kind = "all_reduce" if o.op.name.startswith("all_reduce") else KINDS.get(o.op.name)
    if kind is None:
        return None
    side = o.results[0] if kind == "all_gather" else o.operands[0]
    return Travel(kind, GROUPS.index(o.attrs["group"]), nbytes_of(side.spec))


def nbytes_of(spec: Spec) -> int:
    """The bytes of a value; a size that only data decides counts as 1."""
    sizes = [n if isinstance(n, int) else 1 for n in spec.shape]
    return math.prod(sizes) * spec.dtype.numpy.itemsize


class _Kept:
    """Which values a compiled rank would have in memory.

    A chain of operators without reductions is one loop there: what only the next of them reads is
    never written, and a view is no value of its own.
    """

    def __init__(self, local: Local):
        self.joined: set[Variable] = set()
        readers: dict[Variable, list[Operator]] = {}
        for o, _, _ in local.calls:
            for x in {x for x in o.operands if isinstance(x, Variable)}:
                readers.setdefault(x, []).append(o)
        for o, _, _ in local.calls:
            for v in (v for v in o.results if v is not None):
                by = readers.get(v, [])
                if _is_joinable(o) and len(by) <= FEW_READERS and all(map(_is_joining, by)):
                    self.joined.add(v)

    def __contains__(self, v: Variable) -> bool:
        return v not in self.joined

    def bytes_of(self, values: Iterable[Any]) -> int:
        """Of the values among these that are in memory."""
        found = {v for v in values if isinstance(v, Variable) and v in self}
        return sum(nbytes_of(v.spec) for v in found)


FEW_READERS = 4  # what more of them read is computed once


def _is_joinable(o: Operator) -> bool:
    """Whether what an operator gives can be computed where it is read."""
    return "scalar" in o.op.rules or o.op.shows_memory or o.op.name in ("fill", "broadcast_to")


def _is_joining(o: Operator) -> bool:
    """Whether an operator computes what it reads of others in its own loop."""
    return _is_joinable(o) or ("lower" in o.op.rules and "flops" not in o.op.rules)


def _roofline(o: Operator, kept: _Kept, speeds: Speeds) -> float:
    if o.op.rules.get("effect"):
        return 0.0
    moved = kept.bytes_of((*o.operands, *o.results))
    rule = o.op.rules.get("flops")
    specs = [x.spec if isinstance(x, Variable) else x for x in o.operands]
    operations = rule(*specs, **o.attrs) if rule is not None else 0
    return max(moved / speeds.bytes, operations / speeds.operations)


def memory_of(step: Step, local: Local, costs: Sequence[Cost]) -> Memory:
    """What one rank keeps."""
    gradients = {local.values[v].value for v in step.gradients.values() if v in local.values}
    return Memory(
        sum(state_bytes(local, p) for p in step.parameters),
        gradient_bytes(step, local),
        sum(state_bytes(local, s) for s in step.moments),
        _most_alive(local, costs, gradients),
    )


def state_bytes(local: Local, state: Any) -> int:
    """What a rank has of a state; nothing where the step does not read it."""
    found = local.states.get(state)
    return 0 if found is None else nbytes_of(found.spec)


def gradient_bytes(step: Step, local: Local, names: Iterable[str] | None = None) -> int:
    """What a rank has of gradients when parameters are updated: as their update lies."""
    wanted = None if names is None else set(names)
    found = 0
    for parameter in step.parameters:
        gradient = step.gradients.get(parameter.name)
        if gradient is None or (wanted is not None and parameter.name not in wanted):
            continue
        divided = local.values[gradient]
        found += nbytes_of(local.grid.local(divided.spec, divided.lies))
    return found


def _most_alive(local: Local, costs: Sequence[Cost], gradients: set[Any]) -> int:
    """The bytes of values that are in memory at once at most, without states and gradients."""
    kept = _Kept(local)
    last: dict[Variable, int] = {}
    for n, cost in enumerate(costs):
        for x in cost.operator.operands:
            if isinstance(x, Variable):
                last[x] = n
    sources = _sources(costs, kept)
    for v, others in sources.items():  # what is computed again keeps what it is computed from
        for x in others:
            last[x] = max(last.get(x, 0), last.get(v, 0))
    leaving: dict[int, list[Variable]] = {}
    for v, n in last.items():
        leaving.setdefault(n, []).append(v)
    states = {id(v) for v in local.states.values()}
    alive, most, living = 0, 0, set[int]()
    for v in local.program.main.inputs:
        if id(v) not in states:
            alive += nbytes_of(v.spec)
            living.add(id(v))
    for n, cost in enumerate(costs):
        for v in cost.operator.results:
            is_value = v is not None and v in kept and v not in gradients
            if is_value and v in last and cost.phase != "update":
                alive += nbytes_of(v.spec)
                living.add(id(v))
        most = max(most, alive)
        for v in leaving.get(n, ()):
            if id(v) in living:
                living.discard(id(v))
                alive -= nbytes_of(v.spec)
    return most


def _sources(costs: Sequence[Cost], kept: _Kept) -> dict[Variable, list[Variable]]:
    """For each value that is not in memory, those in memory that it is computed from."""
    found: dict[Variable, list[Variable]] = {}
    for cost in costs:
        read = [x for x in cost.operator.operands if isinstance(x, Variable)]
        base = [y for x in read for y in (found.get(x, [x]) if x not in kept else [x])]
        for v in cost.operator.results:
            if v is not None and v not in kept:
                found[v] = list(dict.fromkeys(base))
    return found


def kept_for_backward(local: Local, costs: Sequence[Cost], which: set[int]) -> int:
    """The bytes that some operators of the forward pass leave to the backward pass."""
    kept = _Kept(local)
    sources = _sources(costs, kept)
    read: set[Variable] = set()
    for cost in costs:
        if cost.phase == "backward":
            for x in cost.operator.operands:
                if isinstance(x, Variable):
                    read.update([x] if x in kept else sources.get(x, []))
    made = [v for n in which if costs[n].phase == "forward" for v in costs[n].operator.results]
    return sum(nbytes_of(v.spec) for v in made if v is not None and v in read)

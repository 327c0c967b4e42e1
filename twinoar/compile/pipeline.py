"""From a Program with numbers for its sizes to steps: kernels and calls, in order. One page.

lower       composite operators expanded, constants folded, equal work shared
Graph       each value's element, its readers, the order in which it lies in memory
Grouping    which values are computed together
build       each kernel's expressions
schedule    its loops
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from twinoar.compile.element import asked_of_library, has_element
from twinoar.compile.graph import Graph, IsCall, Order, sources
from twinoar.compile.group import Grouping
from twinoar.compile.kernel import Kernel, build
from twinoar.compile.schedule import Nest, schedule
from twinoar.compile.specialise import states_read
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage, View
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.op.definition import Op
from twinoar.late import dataclass
from twinoar.passes.contract import contract, contract_rounded
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.passes.fold import fold_constants
from twinoar.passes.fuse import tile_attention
from twinoar.passes.manager import run_passes
from twinoar.passes.overlap import overlap
from twinoar.passes.registry import Pass, added
from twinoar.passes.simplify import simplify
from twinoar.passes.write_out import write_out


def is_kept(op: Op) -> bool:
    """True for operators that are compiled as they are; the others' bodies are."""
    if op.body is None or op.takes_blocks or has_element(op):
        return True
    return "library" in op.rules or "procedure" in op.rules


def is_served(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """False for a call that a library alone would run, and does not."""
    others = has_element(op) or "procedure" in op.rules or op.kernel_rule is not None
    if others or "library" not in op.rules:
        return True
    return asked_of_library(op, operands, attrs) is not None


def expand_composites(program: Program) -> Program:
    """Expand, in place, the operators that no rule compiles. Returns the program."""
    return decompose(program, is_kept, is_served)


PIPELINE: list[Pass] = [
    eliminate_dead,
    tile_attention,
    expand_composites,
    fold_constants,
    simplify,
    contract,
    write_out,
    share_common,
    eliminate_dead,
    overlap,
]


def lower(program: Program, rounds: bool = False) -> Program:
    """Run the pipeline in place: afterwards each operator is one that a step can be made of.

    rounds: products may round their operands, see `Target`. The passes that TWINOAR_PASSES=+name
    adds come first.
    """
    passes = [contract_rounded if one is contract and rounds else one for one in PIPELINE]
    return run_passes(run_passes(program, added(), users=True), passes)


@dataclass(frozen=True)
class Post:
    """Something done to each element of a call's result before it is written.

    kind: add, sub or mul with `operand`; without one an activation, max or min with `number`, a nan
    staying, or "old plus" and "old minus": what lay in the result's memory, plus or minus the
    element. operand: an element for each of the result, for each of its last dimension in memory,
    or one for all.
    """

    kind: str
    operand: Storage | None = None
    number: float = 0.0


@dataclass
class KernelStep:
    """Loops that compute `kernel.values`."""

    kernel: Kernel
    nest: Nest
    reads: list[Storage]
    writes: list[Storage]


@dataclass
class CallStep:
    """A call of `operator`: `operands` are Views of memory or plain values.

    result: how the first result lies in memory. posts: what is done to each element of it, see
    `twinoar.compile.epilogue`.
    """

    operator: Operator
    operands: list[View | object]
    reads: list[Storage]
    writes: list[Storage | None]
    result: View | None
    posts: list[Post] = field(default_factory=list)


Step = KernelStep | CallStep


@dataclass
class Plan:
    """What a back end compiles. updates: the state that each value becomes after the run."""

    program: Program
    steps: list[Step]
    outputs: Sequence[Storage | object]
    updates: dict[State, Storage]
    in_place: dict[Storage, State] = field(default_factory=dict)


def plan(
    program: Program,
    calls: IsCall,
    parts: int,
    stages: Stages,
    orders: Mapping[Variable, Order] | None = None,
) -> Plan:
    """The steps of a lowered Program.

    calls, orders: which operators a kernel library runs, and how inputs lie, see Graph. parts: the
    threads that accumulate.
    """
    with stages.stage("grouping"):
        graph = Graph(program, calls, orders)
        grouping = Grouping(graph, parts)
    with stages.stage("scheduling"):
        return scheduled(graph, grouping)


def scheduled(graph: Graph, grouping: Grouping) -> Plan:
    """The steps of a grouping: expressions and loops."""
    program = graph.program
    place = graph.storages
    wanted = {place[v] for v in [*graph.returned, *graph.updates.values()]}
    steps: list[Step] = []
    for step in reversed(grouping.in_order()):
        if step.call is not None:
            made: Step = _call(step.call, graph)
        else:
            kernel = build(step, graph, grouping.inlined, wanted)
            if not kernel.roots:
                continue
            reads = list(sources(*kernel.expressions))
            made = KernelStep(kernel, schedule(kernel), reads, [r.storage for r in kernel.roots])
        wanted.update(made.reads)
        steps.append(made)
    steps.reverse()
    outputs = [place[v] if isinstance(v, Variable) else v for v in program.main.outputs]
    found = Plan(program, steps, outputs, {s: place[v] for s, v in graph.updates.items()})
    found.in_place = updated_in_place(found)
    return found


def _call(o: Operator, graph: Graph) -> Step:
    operands = [graph.views[x] if isinstance(x, Variable) else x for x in o.operands]
    reads = list(dict.fromkeys(x.base for x in operands if isinstance(x, View)))
    writes = [None if v is None else graph.storages[v] for v in o.results]
    first = writes[0] if writes else None
    result = None if first is None else first.view()
    return CallStep(o, operands, reads, writes, result)


def updated_in_place(plan: Plan) -> dict[Storage, State]:
    """The values that may be written straight into the memory of the state that they update.

    Nothing may read the state's old value afterwards, nor return it or give it to another state;
    the kernel that writes may read it, at the very place that it writes.
    """
    found: dict[Storage, State] = {}
    returned = {s.variable for s in plan.outputs if isinstance(s, Storage)}
    given = {s.variable for s in plan.updates.values()}
    read = set(states_read(plan.program))
    written: dict[Storage | None, int] = {}
    last_read: dict[Variable, int] = {}
    for n, s in enumerate(plan.steps):
        written.update({w: n for w in s.writes if w not in written})
        last_read.update({r.variable: n for r in s.reads})
    for state, storage in plan.updates.items():
        if state not in read or storage not in written or storage in found:
            continue
        if state in returned or state in given or storage.variable in returned:
            continue
        at = written[storage]
        if last_read.get(state, at) > at:
            continue
        if storage.dtype is not state.spec.dtype or not storage.is_row_major:
            continue
        if reads_elsewhere(plan.steps[at], state, storage):
            continue
        found[storage] = state
    return found


def reads_elsewhere(step: Step, value: Variable, written: Storage) -> bool:
    """True where a step reads a value at other places than those that it writes at that moment."""
    if isinstance(step, CallStep):
        changed = changed_operand(step, written)
        return any(
            isinstance(x, View) and x.base.variable is value and n != changed
            for n, x in enumerate(step.operands)
        )
    roots = step.kernel.roots
    offset = next(r.offset for r in roots if r.storage is written)
    loads = sources(*step.kernel.expressions)
    return any(
        position is not offset for s, ps in loads.items() if s.variable is value for position in ps
    )


def changed_operand(step: CallStep, written: Storage) -> int | None:
    """The operand, whole and in order, of which a call writes a value by changing some elements."""
    op = step.operator.op
    begins_as = op.rules.get("begins_as")
    if begins_as is None:
        return None
    name = begins_as[step.writes.index(written)]
    position = [x.name for x in op.operands].index(name)
    view = step.operands[position]
    is_whole = isinstance(view, View) and view.base.is_row_major and view == view.base.view()
    return position if is_whole else None

"""A Program that trains alone becomes one that trains with servers.

What an optimizer has appended goes: servers do that. Lookups of their tables become operators that
ask them, gradients are sent, and parameters that servers keep whole are received after each step.
Parameters begin as those of the first worker, which the startup Program sees to.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from twinoar.core.interpreter import derived, using
from twinoar.core.ir.program import Operator, State, Variable
from twinoar.core.spec import Spec
from twinoar.distributed.ps.entry import SHOW_CLICK, Entry
from twinoar.distributed.ps.rounds import Mode
from twinoar.distributed.ps.rows import Beginning
from twinoar.distributed.ps.rule import Rule
from twinoar.distributed.ps.table import Table
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.ops.collective.table import (
    begin_parameter,
    distributed_lookup_table,
    distributed_push_sparse,
    receive_parameter,
    send_barrier,
    send_gradient,
)
from twinoar.ops.index.selected_rows import SelectedRows
from twinoar.ops.sequence.embedding import embedding_op
from twinoar.optimizer import Optimizer
from twinoar.static.mode import building
from twinoar.static.program import Program

LOOKUP = "lookup_table_v2"  # the type of operators that look rows up
# How startup Programs begin tables: by the type of the operator, what of its attributes.
BEGINNINGS = {
    "fill_constant": ("constant", "value", ""),
    "uniform_random": ("uniform", "min", "max"),
    "gaussian_random": ("normal", "mean", "std"),
    "truncated_gaussian_random": ("truncated", "mean", "std"),
}


def tables_of(program: Program, startup: Program, servers: int, mode: Mode) -> list[Table]:
    """What servers keep of a Program that an optimizer trains.

    Raises ProgramError where none does, UnsupportedError for what servers do not do.
    """
    optimizer, pairs = _training(program)
    gradients = dict((p.name, g) for p, g in pairs)
    kept = [s for s in program.states.values() if s.is_parameter]
    sparse = [s for s in kept if is_table(s)]
    dense = [s for s in kept if not is_table(s)]
    places = _spread(dense, servers)
    found = []
    for state in sparse:
        rule = None if mode == "geo" else Rule(optimizer, state, by_rows=True)
        found.append(
            Table(
                state.name,
                "sparse",
                (int(state.spec.shape[1]),),
                state.dtype.name,
                rule,
                beginning=_beginning(program, startup, state),
                entry=Entry.parse(getattr(state, "entry", "")),
                height=int(state.spec.shape[0]),
            )
        )
    for state in dense:
        trains = gradients.get(state.name) is not None and mode != "geo"
        rule = Rule(optimizer, state, by_rows=False) if trains else None
        shape = tuple(int(d) for d in state.spec.shape)
        found.append(Table(state.name, "dense", shape, state.dtype.name, rule, places[state.name]))
    return found


def _training(program: Program) -> tuple[Optimizer, list[tuple[Any, Any]]]:
    if len(program.trainings) != 1:
        raise ProgramError(
            f"a Program that {len(program.trainings)} optimizers train, expected one",
            cure="call minimize once for the Program, then let servers keep its parameters",
        )
    return program.trainings[0]


def is_table(state: State) -> bool:
    """Whether a parameter is a table whose rows servers keep."""
    return bool(getattr(state, "on_servers", False))


def _spread(states: Iterable[State], servers: int) -> dict[str, int]:
    """The server of each whole parameter: the largest first, to the one with the least."""
    load, found = [0] * servers, {}
    sizes = {s.name: int(s.spec.size) for s in states}
    for name in sorted(sizes, key=lambda n: (-sizes[n], n)):
        found[name] = load.index(min(load))
        load[found[name]] += sizes[name]
    return found


def _beginning(program: Program, startup: Program, state: State) -> Beginning:
    """What the startup Program begins a table with, as something of each row."""
    target = startup.states.get(state.name)
    value = None if target is None else startup.updates.get(target)
    maker = None if value is None else value.producer
    if maker is None or maker.type not in BEGINNINGS:
        raise UnsupportedError(
            f"the table {state.name} begins by {'nothing' if maker is None else maker.type}: "
            "servers make rows one by one",
            cure="initialize it by Constant, Uniform, Normal, TruncatedNormal, or Xavier",
        )
    kind, *names = BEGINNINGS[maker.type]
    a, b = (float(maker.attr(n)) if n else 0.0 for n in names)
    return Beginning(kind, a, b, zlib.crc32(state.name.encode()) ^ program.random_seed)


def ask_servers(program: Program, startup: Program, tables: Sequence[Table]) -> None:
    """Rewrite both Programs, in place: for workers that pull before a step and push after it."""
    optimizer, pairs = _training(program)
    _drop_updates(program)
    _look_up(program, tables)
    _send(program, startup, optimizer, pairs)
    _begin_together(startup, tables)
    _drop_unused(program, startup)
    program.trainings = []
    program.version += 1
    startup.version += 1


def begin_with_servers(startup: Program, tables: Sequence[Table]) -> None:
    """Rewrite a startup Program: for workers that train alone between meetings (geo)."""
    _begin_together(startup, tables)
    startup.version += 1


def _drop_updates(program: Program) -> None:
    """Remove what optimizers have appended."""
    program.main.ops = [o for o in program.main.ops if o.role != "optimize"]
    there = {v for v in program.main.variables()} | set(program.states.values())
    program.updates = {s: v for s, v in program.updates.items() if v in there}


def _look_up(program: Program, tables: Sequence[Table]) -> None:
    """Let lookups of tables ask servers."""
    by_name = {t.name: t for t in tables if t.is_sparse}
    for o in list(program.main.ops):
        named = [x.name for x in o.operands if isinstance(x, State) and x.name in by_name]
        if not named:
            continue
        if o.type != LOOKUP:
            raise UnsupportedError(
                f"{o.type} reads the table {named[0]}, whose rows are on servers",
                cure="look its rows up by embedding alone",
            )
        _replace_lookup(program, o, by_name[named[0]])


def _replace_lookup(program: Program, o: Operator, table: Table) -> None:
    ids, weight = o.operands
    at = next(n for n, other in enumerate(program.main.ops) if other is o)
    show, click = (_input(program, name) for name in table.entry.names or (None, None))
    with building(program, None, "forward") as builder, using(builder.twin(role="forward")) as b:
        b.place = [at]
        b.source = o.source
        rows = distributed_lookup_table(
            ids, show, click, table.name, table.shape[0], weight.dtype, o.attrs["padding_idx"],
            bool(getattr(weight, "adds_rows", True)),
        )  # fmt: skip
    old = o.results[0]
    new = program.main.ops[at]
    program.main.ops.remove(o)
    # Its result keeps the name and the identity that the user's handle has.
    new.results, old.producer, rows.producer = (old,), new, None


def look_up_here(program: Program, tables: Sequence[Table]) -> tuple[Program, dict[str, State]]:
    """A copy for inference that asks no servers, and its parameters that are whole tables."""
    copied = program.clone(for_test=True)
    by_name = {t.name: t for t in tables if t.is_sparse}
    found: dict[str, State] = {}
    for o in [o for o in copied.main.ops if o.op is distributed_lookup_table]:
        table = by_name[o.attrs["table"]]
        if table.name not in found:
            spec = Spec((table.height, *table.shape), o.attrs["dtype"])
            found[table.name] = copied.add_state(spec, table.name, is_parameter=True)
        at = next(n for n, other in enumerate(copied.main.ops) if other is o)
        with building(copied, None, "forward") as builder, using(builder.twin(role="forward")) as b:
            b.place, b.source = [at], o.source
            padding = o.attrs["padding_idx"]
            rows = embedding_op(o.operands[0], found[table.name], padding, False)
        new = copied.main.ops[at]
        copied.main.ops.remove(o)
        new.results, o.results[0].producer, rows.producer = o.results, new, None
    copied.version += 1
    return copied, found


def _input(program: Program, name: str | None) -> Variable | None:
    if name is None:
        return None
    found = next((v for v in program.main.inputs if v.name == name), None)
    if found is None:
        raise ProgramError(
            f"{SHOW_CLICK} names {name}, which is no input of the Program",
            cure="declare it: static.data(name, [None, 1])",
        )
    return found


def _send(
    program: Program, startup: Program, optimizer: Optimizer, pairs: Sequence[tuple[Any, Any]]
) -> None:
    """Send gradients, clipped by each worker as its own, and receive what comes of them."""
    whole = []
    with building(program, startup, "optimize"), using(derived(False)):
        rate = optimizer._live_rate()
        for group, given in optimizer._by_group(list(pairs)):
            clipped = given if group.grad_clip is None else group.grad_clip(given)
            for parameter, gradient in clipped:
                if isinstance(gradient, SelectedRows):
                    parts = gradient.positions, gradient.vectors
                    distributed_push_sparse(*parts, rate, parameter.name)
                elif is_table(parameter):
                    raise UnsupportedError(
                        f"the gradient of the table {parameter.name} is not of its rows alone",
                        cure="make the embedding with is_sparse=True",
                    )
                else:
                    send_gradient(gradient, rate, parameter.name)
                    whole.append(parameter)
        send_barrier()
        for parameter in whole:
            value = receive_parameter(parameter.spec.shape, parameter.dtype, parameter.name)
            program.update(parameter, value)


def _begin_together(startup: Program, tables: Sequence[Table]) -> None:
    """Let whole parameters begin as those of the first worker, and tables not at all."""
    with building(startup, None, "forward"), using(derived(False)):
        for table in tables:
            state = startup.states.get(table.name)
            if table.is_sparse or state is None or state not in startup.updates:
                continue
            startup.update(state, begin_parameter(startup.updates[state], table.name))


def _drop_unused(program: Program, startup: Program) -> None:
    """Remove states that nothing reads or writes any more: tables, and what was remembered."""
    used = {x for o in program.main.walk() for x in o.operands if isinstance(x, Variable)}
    gone = [n for n, s in program.states.items() if s not in used and s not in program.updates]
    for name in gone:
        del program.states[name]
        target = startup.states.pop(name, None)
        if target is not None:
            startup.updates.pop(target, None)
    kept = set(startup.updates.values())
    for o in reversed(list(startup.main.ops)):
        if not o.has_effect and not any(v in kept for v in o.results):
            startup.main.ops.remove(o)
        else:
            kept |= {x for x in o.operands if isinstance(x, Variable)}

"""A Program compiled for a list of fetches, and what goes in and out of a run of it."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar import config
from twinoar.backends.choice import make_executable
from twinoar.core.ir.program import Program, State, Variable, copy_program
from twinoar.core.ir.size_names import names_asked, names_told
from twinoar.core.near import near_names
from twinoar.core.op.explain import describe
from twinoar.core.recent import make_room, now
from twinoar.eager.feed import feed_array
from twinoar.errors import ProgramError, TypeMismatchError, UnknownNameError
from twinoar.ops.index.selected_rows import elements
from twinoar.ops.random.uniform import Draw, generator
from twinoar.passes.dead import eliminate_dead
from twinoar.static.interrupt import delayed_interrupt
from twinoar.static.scope import Scope

_planning = threading.RLock()
LATER = 1 << 32  # where the keys of nested blocks begin, behind those of the operators outside


class Plan:
    """A Program compiled for one list of fetches; pruned, without updates they do not need."""

    def __init__(self, program: Program, fetches: list[Variable], prune: bool):
        check_sound(program)
        self.fetches, self.used = fetches, now()
        lowered, mapping = copy_program(program)
        lowered.main.outputs = [mapping[v] for v in fetches]
        if prune:
            _prune(lowered)
        eliminate_dead(lowered)
        needed = {x for o in lowered.main.walk() for x in o.operands if isinstance(x, Variable)}
        needed |= {v for v in lowered.main.outputs if isinstance(v, Variable)} | set(
            lowered.updates.values()
        )
        needed |= _telling(lowered, needed)
        self.inputs = [v for v in program.main.inputs if mapping[v] in needed]
        self.known = {v.name for v in program.main.inputs}
        lowered.main.inputs = [mapping[v] for v in self.inputs]
        self.executable = make_executable(lowered)
        self.read = [program.states[n] for n in self.executable.state_names]
        self.updated = [program.states[n] for n in self.executable.updated_names]
        self.draws = any(isinstance(s.traits.get("read"), Draw) for s in self.read)

    def run(self, feeds: list[Any], scope: Scope, seed: int) -> list[np.ndarray]:
        """The outputs; new values of states are written to `scope`."""
        if not self.updated:
            with scope.lock:
                states = self._states(scope, seed)
            return self.executable.execute(feeds, states)[0]
        with scope.lock, delayed_interrupt():
            states = self._states(scope, seed)
            outputs, following = self.executable.execute(feeds, states)
            for state, value in zip(self.updated, following, strict=True):
                if not (seed and _is_random_state(state)):
                    scope.write(state, value)
        return outputs

    def _states(self, scope: Scope, seed: int) -> list[np.ndarray]:
        """The values of states; keys are drawn before what they are drawn from is read."""
        if not (seed or self.draws):
            return [scope.read(s) for s in self.read]
        found = {s: _read(scope, s, seed) for s in sorted(self.read, key=_is_random_state)}
        return [found[s] for s in self.read]

    def feeds(self, given: Mapping[str, Any]) -> list[np.ndarray]:
        """The arrays to run on, checked by name and dtype."""
        missing = [v for v in self.inputs if v.name not in given]
        if unknown := given.keys() - self.known:
            what = f"the program has no input {sorted(unknown)}"
            if missing:
                raise UnknownNameError(what, cure=near_names(min(unknown), self.known))
            warnings.warn(f"{what}, it is not used", stacklevel=3)
        if missing:
            raise ProgramError(
                f"the feed lacks {', '.join(f'{v.name} ({v.spec})' for v in missing)}",
                cure=f"pass feed={{{', '.join(f'{v.name!r}: ...' for v in self.inputs)}}}",
            )
        return [feed_array(v, given[v.name]) for v in self.inputs]


def _read(scope: Scope, state: State, seed: int) -> np.ndarray:
    reader = state.traits.get("read")
    if seed and isinstance(reader, Draw):
        return np.array([seed, reader.index])
    return np.array([seed, LATER]) if seed and _is_random_state(state) else scope.read(state)


def _is_random_state(state: State) -> bool:
    return state.data is not None and state.data is generator.state


def _telling(program: Program, needed: set[Variable]) -> set[Variable]:
    """Inputs that nobody reads, but whose shapes tell sizes that operators ask for."""
    inputs = program.main.inputs
    asked = names_asked(program.main.ops) - names_told(v for v in inputs if v in needed)
    return {v for v in inputs if not asked.isdisjoint(names_told([v]))}


def _prune(program: Program) -> None:
    """Drop updates by operators that the outputs do not depend on."""
    needed, kept = {v for v in program.main.outputs if isinstance(v, Variable)}, set()
    for o in reversed(program.main.ops):
        if o.has_effect or any(v in needed for v in o.results):
            kept.add(o)
            needed.update(x for x in o.operands if isinstance(x, Variable))
    program.updates = {s: v for s, v in program.updates.items() if v.producer in kept}


def check_sound(program: Program) -> None:
    """Raise ProgramError where an operator lacks operands, or reads what nothing before it defines.

    Those that a Builder has appended are sound: this is for Programs that were edited.
    """
    defined = {*program.states.values(), *program.main.inputs}
    for o in program.main.ops:
        needed = [x.name for x in o.op.operands if not (x.optional or x.variadic)]
        if len(o.operands) < len(needed):
            raise ProgramError(
                f"{o.type} takes {', '.join(needed)}, received {len(o.operands)} operands",
                cure="give it all of them: block.append_op(type, inputs={...})",
            ).attach(o.op.name, (), o.source)
        for x in o.operands:
            if isinstance(x, Variable) and x not in defined:
                raise ProgramError(
                    f"{o.type} reads {x.name} ({x.spec}), which nothing before it defines",
                    cure="append the operator that defines it first, or feed it: static.data",
                ).attach(o.op.name, describe(o.op, o.operands), o.source)
        defined.update(v for v in o.results if v is not None)


def plan_of(program: Program, fetches: list[Variable], prune: bool = False) -> Plan:
    """The compiled form of `program` for `fetches`, made once for each version of the program."""
    plans = program.__dict__.setdefault("plans", {})
    switches = tuple(o.attrs["training"] for o in program.main.ops if "training" in o.attrs)
    key = (
        program.version,
        len(program.main.ops),
        tuple(program.updates),
        switches,
        tuple(id(v) for v in fetches),
        prune,
    )
    with _planning:
        if key not in plans:
            stale = [k for k in plans if k[0] != program.version]
            for k in stale:
                del plans[k]
            made = Plan(program, fetches, prune)
            make_room(plans, config.programs_kept)
            plans[key] = made
        found: Plan = plans[key]
        found.used = now()
        return found


def resolve_fetch(program: Program, wanted: Any) -> Variable:
    """The Variable of `program` that a fetch names; of SelectedRows the vectors.

    Raises UnknownNameError.
    """
    wanted = elements(wanted)
    if isinstance(wanted, Variable) and wanted.home is program.main:
        found = wanted
    elif isinstance(wanted, (str, Variable)):
        name = wanted if isinstance(wanted, str) else wanted.name
        known = (
            program.main.vars
            if hasattr(program.main, "vars")
            else {v.name: v for v in program.main.variables()}
        )
        known = {**known, **program.states}
        if name not in known:
            raise UnknownNameError(
                f"the program has no variable {name!r} to fetch", cure=near_names(name, known)
            )
        found = known[name]
    else:
        raise TypeMismatchError(
            f"fetch_list takes Variables and names, received {type(wanted).__name__}",
            cure="pass what the network returned, or its name",
        )
    latest = found.latest()
    if (
        latest.producer is None
        and not isinstance(latest, State)
        and all(latest is not v for v in program.main.inputs)
    ):
        raise ProgramError(
            f"the variable {latest.name} is declared and nothing defines it",
            cure="let an operator write it: assign(x, output=variable)",
        )
    return latest

"""Running Programs: feeds by name in, fetches out, states in a Scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.backends.choice import make_executable
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.ir import Program as IRProgram
from twinoar.core.ir import State, Variable, copy_program, near_names
from twinoar.eager.place import place_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import DTypeError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.passes.dead import eliminate_dead
from twinoar.static.mode import default_main_program
from twinoar.static.scope import Scope, global_scope
from twinoar.tracebacks import show_users_frames


class Executor:
    """Runs Programs: the startup Program once, then others as often as wanted.

    That is `exe.run(startup)`, then `exe.run(main, feed=..., fetch_list=...)`.
    place: the device, "cpu".

    >>> import numpy as np
    >>> from twinoar import static
    >>> main = static.Program()
    >>> with static.program_guard(main):
    ...     y = static.data("x", [None]) * 2.0
    >>> static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[y])
    [array([2., 2.], dtype=float32)]
    """

    def __init__(self, place: Any = None):
        self.place = place_of(place)

    def run(
        self,
        program: Any = None,
        feed: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        fetch_list: Sequence | None = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run `program` (the default main Program) once.

        feed: arrays by the name of the input. fetch_list: Variables or names. Returns their values,
        ndarrays or with return_numpy=False Tensors. Raises UnknownNameError for names that the
        program does not have, ProgramError for a feed that is missing or a state that is not
        initialized, DTypeError and ShapeError for feeds that do not fit.
        """
        chosen = program if program is not None else default_main_program()
        chosen = getattr(chosen, "program", chosen)
        if not isinstance(chosen, IRProgram):
            raise TypeMismatchError(
                f"expected a Program to run, received {type(chosen).__name__}",
                cure="pass a static.Program, or leave it out to run the default main Program",
            )
        fetches = [resolve_fetch(chosen, f) for f in _as_list(fetch_list)]
        plan = plan_of(chosen, fetches)
        feeds = plan.feeds(_one_feed(feed))
        scope = scope or global_scope()
        states = [scope.read(s) for s in plan.read]
        try:
            outputs, following = plan.executable.execute(feeds, states)
        except Exception as error:
            show_users_frames(error)
            raise
        for state, value in zip(plan.updated, following, strict=True):
            scope.write(state, value)
        return [np.array(a) for a in outputs] if return_numpy else [Tensor(a) for a in outputs]

    def close(self) -> None:
        """Nothing to release: kept for Paddle's code."""


class _Plan:
    """A Program compiled for one list of fetches."""

    def __init__(self, program: IRProgram, fetches: list[Variable]):
        self.fetches = fetches
        lowered, mapping = copy_program(program)
        lowered.main.outputs = [mapping[v] for v in fetches]
        eliminate_dead(lowered)
        needed = {x for o in lowered.main.walk() for x in o.operands if isinstance(x, Variable)}
        needed |= {v for v in lowered.main.outputs if isinstance(v, Variable)} | set(
            lowered.updates.values()
        )
        self.inputs = [v for v in program.main.inputs if mapping[v] in needed]
        self.known = {v.name for v in program.main.inputs}
        lowered.main.inputs = [mapping[v] for v in self.inputs]
        self.executable = make_executable(lowered)
        self.read = [program.states[n] for n in self.executable.state_names]
        self.updated = [program.states[n] for n in self.executable.updated_names]

    def feeds(self, given: Mapping[str, Any]) -> list[np.ndarray]:
        """The arrays to run on, checked by name and dtype."""
        if unknown := given.keys() - self.known:
            raise UnknownNameError(
                f"the program has no input {sorted(unknown)}",
                cure=near_names(min(unknown), self.known),
            )
        if missing := [v for v in self.inputs if v.name not in given]:
            raise ProgramError(
                f"the feed lacks {', '.join(f'{v.name} ({v.spec})' for v in missing)}",
                cure=f"pass feed={{{', '.join(f'{v.name!r}: ...' for v in self.inputs)}}}",
            )
        return [feed_array(v, given[v.name]) for v in self.inputs]


def feed_array(v: Variable, value: Any) -> np.ndarray:
    """`value` as the array that input `v` takes.

    Python numbers and lists take its dtype, arrays must have it.
    """
    if isinstance(value, Tensor):
        value = value._data
    if not isinstance(value, (np.ndarray, np.generic)):
        try:
            return np.asarray(value, v.spec.dtype.numpy)
        except (TypeError, ValueError):
            raise TypeMismatchError(
                f"input {v.name} must be an array of {v.spec}, received {type(value).__name__}",
                cure="feed an ndarray, or nested lists of equal lengths",
            ) from None
    array = np.asarray(value)
    if array.dtype != v.spec.dtype.numpy:
        named = BY_NUMPY.get(array.dtype, array.dtype)
        raise DTypeError(
            f"input {v.name} must be {v.spec.dtype.name}, received {named}",
            cure=f"convert it with .astype('{v.spec.dtype.name}')",
        )
    return array


def plan_of(program: IRProgram, fetches: list[Variable]) -> _Plan:
    """The compiled form of `program` for `fetches`, made once for each version of the program."""
    plans = program.__dict__.setdefault("plans", {})
    switches = tuple(o.attrs["training"] for o in program.main.ops if "training" in o.attrs)
    key = (
        program.version,
        len(program.main.ops),
        tuple(program.updates),
        switches,
        tuple(id(v) for v in fetches),
    )
    if key not in plans:
        stale = [k for k in plans if k[0] != program.version]
        for k in stale:
            del plans[k]
        plans[key] = _Plan(program, fetches)
    return plans[key]


def resolve_fetch(program: IRProgram, wanted: Any) -> Variable:
    """The Variable of `program` that a fetch names. Raises UnknownNameError."""
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


def _one_feed(feed: Any) -> Mapping[str, Any]:
    if isinstance(feed, (list, tuple)):
        if len(feed) != 1:
            raise ProgramError(
                f"expected one feed, received {len(feed)}", cure="this version has one device"
            )
        return feed[0]
    if feed is not None and not isinstance(feed, Mapping):
        raise TypeMismatchError(
            f"feed must be a dict of arrays by name, received {type(feed).__name__}",
            cure="pass feed={'x': array}",
        )
    return feed or {}


def _as_list(x: Any) -> list:
    return [] if x is None else list(x) if isinstance(x, (list, tuple)) else [x]

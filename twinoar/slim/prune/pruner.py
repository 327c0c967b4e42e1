"""Filters of a Program that matter least are removed, with what depends on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError, ProgramError, UnknownNameError
from twinoar.slim.importance import Importance, distances, least_of, lengths, mean_of_magnitudes
from twinoar.slim.network import ProgramChannels, primitives_of
from twinoar.slim.prune.fit import fit
from twinoar.slim.sizes import with_numbers
from twinoar.static import Executor, Program
from twinoar.static.scope import Scope

CRITERIA: dict[str, Importance] = {
    "l1_norm": mean_of_magnitudes,
    "l2_norm": lengths,
    "geometry_median": distances,
}
FILTERS, COLUMNS = 0, 1
MATRIX = 2  # dimensions
CLOSE = 1e-3  # of the largest result: sums over fewer channels round otherwise
EXAMPLES = 2  # rows that the smaller Program is compared on


class Pruner:
    """Prunes filters of Programs.

    criterion: "l1_norm", "l2_norm", "geometry_median", or a function of a weight, [filters, ...],
    to a score of each filter. Raises UnknownNameError.

    >>> from twinoar import static
    >>> twinoar.enable_static()
    >>> main, startup, scope = static.Program(), static.Program(), static.Scope()
    >>> with static.program_guard(main, startup):
    ...     x = static.data("x", [None, 1, 8, 8])
    ...     y = static.nn.conv2d(static.nn.conv2d(x, 8, 3), 2, 3)
    >>> _ = static.Executor().run(startup, scope=scope)
    >>> weight = main.all_parameters()[0].name
    >>> pruned, _, _ = Pruner().prune(main, scope, [weight], [0.5])
    >>> [p.shape for p in pruned.all_parameters()][::2], scope.find_var(weight).shape()
    ([[4, 1, 3, 3], [2, 4, 3, 3]], [4, 1, 3, 3])
    >>> twinoar.disable_static()
    """

    axis = FILTERS  # of parameters, along which what is pruned lies

    def __init__(
        self,
        criterion: str | Importance = "l1_norm",
        idx_selector: str = "default_idx_selector",
    ):
        if idx_selector != "default_idx_selector":
            raise UnknownNameError(
                f"filters that matter least are chosen, received idx_selector={idx_selector!r}",
                cure="leave idx_selector out, or give a criterion of your own",
            )
        if not callable(criterion) and criterion not in CRITERIA:
            raise UnknownNameError(
                f"criterion must be one of {', '.join(CRITERIA)}, received {criterion!r}"
            )
        self.importance = criterion if callable(criterion) else CRITERIA[criterion]

    def prune(
        self,
        program: Program,
        scope: Scope,
        params: Sequence[str],
        ratios: Sequence[float],
        place: Any = None,
        lazy: bool = False,
        only_graph: bool = False,
        param_backup: bool = False,
        param_shape_backup: bool = False,
    ) -> tuple[Program, dict[str, np.ndarray] | None, dict[str, list[int]] | None]:
        """Remove shares of the filters of parameters, by name, in the scope; a smaller Program.

        Returns (Program, values before by name or None, shapes before by name or None): the latter
        where param_backup and param_shape_backup ask for them. lazy: write zeros in the places of
        filters instead. only_graph: leave the scope as it is. The smaller Program is run on random
        inputs, and compared with the one that has zeros. Raises ArgumentError, UnknownNameError;
        ProgramError for a Program with gradients, or one that computes something else then, with
        the scope as it was.
        """
        _check(program, params, ratios)
        pruned = program.clone()
        states = _parameters(pruned, scope)
        channels = _channels(program, states)
        ratio_of = dict(zip(params, ratios, strict=True))
        removed = least_of(channels, ratio_of, self.axis, self.importance)
        kept = {name: channels.kept(name, removed) for name in states}
        cut = [n for n, x in kept.items() if [len(i) for i in x] != list(states[n].shape)]
        before = {name: states[name].numpy() for name in cut}
        if not lazy:
            fit(pruned, channels, removed)
        if not only_graph:
            _apply(program, pruned, scope, {n: (before[n], kept[n]) for n in cut}, lazy)
        values = before if param_backup else None
        shapes = {n: list(x.shape) for n, x in before.items()} if param_shape_backup else None
        return pruned, values, shapes


class ColumnPruner(Pruner):
    """Prunes what products with matrices give, as the inner layers of transformers: their columns.

    Otherwise as Pruner.
    """

    axis = COLUMNS

    def inner(self, program: Program, scope: Scope) -> list[str]:
        """The matrices whose columns can be removed, by name."""
        states = _parameters(program.clone(), scope)
        channels = _channels(program, states)
        matrices = [name for name, x in states.items() if len(x.shape) == MATRIX]
        return [name for name in matrices if channels.is_free(name, self.axis)]


def _channels(program: Program, states: Mapping[str, Any]) -> ProgramChannels:
    """The channels of a Program in inference, with its parameters by name."""
    in_inference = with_numbers(program.clone(for_test=True))
    in_inference.main.outputs = [in_inference.variable(name) for name in _outputs(program)]
    return ProgramChannels(primitives_of(in_inference), dict(states))


class _Kept:
    """A parameter of a Program, by its value in a scope."""

    def __init__(self, state: State, scope: Scope):
        self.name, self.shape, self.scope = state.name, tuple(state.spec.shape), scope

    def numpy(self) -> np.ndarray:
        """A copy of its value."""
        found = self.scope.find_var(self.name)
        if found is None:
            raise ProgramError(
                f"{self.name} has no value in the scope", cure="run the startup Program first"
            )
        return np.array(found)


def _check(program: Program, params: Sequence[str], ratios: Sequence[float]) -> None:
    if len(params) != len(ratios):
        raise ArgumentError(f"{len(params)} parameters have {len(ratios)} ratios")
    if unknown := sorted(set(params) - set(program.states)):
        raise UnknownNameError(f"the Program has no parameter {', '.join(unknown)}")
    if any(o.role != "forward" for o in program.main.ops):
        raise ProgramError(
            "the Program has gradients, and states of an optimizer, that belong to all filters",
            cure="prune before minimize, or prune program.clone(for_test=True)",
        )


def _parameters(program: Program, scope: Scope) -> dict[str, _Kept]:
    return {s.name: _Kept(s, scope) for s in program.states.values() if not s.is_constant}


def _outputs(program: Program) -> list[str]:
    """The names of what a Program computes that neither an operator reads nor a state takes."""
    read = {x for o in program.main.ops for x in o.operands if isinstance(x, Variable)}
    read |= set(program.updates.values())
    found = [v for o in program.main.ops for v in o.results if v is not None and v not in read]
    return [v.name for v in found]


def _apply(
    whole: Program,
    pruned: Program,
    scope: Scope,
    cut: dict[str, tuple[np.ndarray, tuple[np.ndarray, ...]]],
    lazy: bool,
) -> None:
    """Give the scope smaller values, or masked ones; it is as before where that fails."""

    def put(value_of: Callable[[np.ndarray, tuple[np.ndarray, ...]], np.ndarray]) -> None:
        for name, (value, kept) in cut.items():
            scope.var(name).set(value_of(value, kept))

    try:
        put(_masked)
        if not lazy:
            wanted = _results(whole, scope)
            put(lambda value, kept: np.ascontiguousarray(value[np.ix_(*kept)]))
            _compare(wanted, _results(pruned, scope))
    except BaseException:
        put(lambda value, kept: value)
        raise


def _masked(value: np.ndarray, kept: tuple[np.ndarray, ...]) -> np.ndarray:
    masked = np.zeros_like(value)
    masked[np.ix_(*kept)] = value[np.ix_(*kept)]
    return masked


def _results(program: Program, scope: Scope) -> dict[str, np.ndarray]:
    """What a Program computes in inference, on random inputs."""
    names = [n for n in _outputs(program) if program.variable(n).spec.dtype.is_floating]
    program = program.clone(for_test=True)
    generator = np.random.default_rng(0)
    feed = {}
    for v in program.main.inputs:
        shape = [n if isinstance(n, int) else EXAMPLES for n in v.spec.shape]
        is_floating = v.spec.dtype.is_floating
        values = generator.normal(size=shape) if is_floating else np.zeros(shape)
        feed[v.name] = values.astype(v.spec.dtype.numpy)
    found = Executor().run(program, feed=feed, fetch_list=names, scope=scope)
    return dict(zip(names, found, strict=True))


def _compare(wanted: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> None:
    for name, value in wanted.items():
        scale = np.abs(value).max(initial=1e-6)
        if found[name].shape != value.shape or np.abs(found[name] - value).max() > CLOSE * scale:
            raise ProgramError(
                f"without the filters {name} is another result than with zeros in their places",
                cure="leave parameters out whose channels are counted by numbers in the Program",
            )

"""How much a Program loses when one of its weights is pruned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.slim.importance import Importance
from twinoar.slim.prune.pruner import Pruner
from twinoar.slim.sensitivity import RATIOS, Sensitivities, Status, ratios_by_loss
from twinoar.static import Program, global_scope


def sensitivity(
    program: Program,
    place: Any,
    param_names: Sequence[str],
    eval_func: Callable[..., float],
    sensitivities_file: str | None = None,
    pruned_ratios: Sequence[float] | None = None,
    eval_args: Sequence[Any] | None = None,
    criterion: str | Importance = "l1_norm",
) -> Sensitivities:
    """The share of its score that a Program loses, for each weight and ratio alone.

    eval_func: takes a pruned Program, then eval_args, and returns a score, of which more is better;
    values are in the global scope, and are as before in the end. sensitivities_file: JSON, which
    what is known is read from and each new loss written to. pruned_ratios: from 0.1 to 0.9 by
    default. Returns {name: {ratio: loss}}. Raises as `Pruner.prune`, and ArgumentError for a score
    of 0 before.
    """
    status, scope, args = Status(sensitivities_file), global_scope(), tuple(eval_args or ())
    known, ratios = status.sensitivies, [float(r) for r in pruned_ratios or RATIOS]
    before: float | None = None
    for name in param_names:
        losses = known.setdefault(name, {})
        for ratio in ratios:
            if ratio in losses:
                continue
            before = _score(eval_func, program, args) if before is None else before
            pruned, values, _ = Pruner(criterion).prune(
                program, scope, [name], [ratio], place, param_backup=True
            )
            try:
                losses[ratio] = (before - float(eval_func(pruned, *args))) / before
            finally:
                for other, value in (values or {}).items():
                    scope.var(other).set(value)
            if sensitivities_file is not None:
                status.save(sensitivities_file)
    return known


def load_sensitivities(sensitivities_file: str | None) -> Sensitivities:
    """What `sensitivity` has written, {name: {ratio: loss}}; of no such file {}.

    Raises FileError.

    >>> load_sensitivities(None)
    {}
    """
    return Status(sensitivities_file).sensitivies


def get_ratios_by_loss(sensitivities: Sensitivities, loss: float) -> dict[str, float]:
    """For each name the greatest ratio that loses at most `loss`; 0 where each loses more.

    >>> get_ratios_by_loss({"a": {0.1: 0.0, 0.2: 0.4}, "b": {0.1: 0.5}}, 0.1)
    {'a': 0.125, 'b': 0.0}
    """
    found = ratios_by_loss(sensitivities, loss)
    return {name: found.get(name, 0.0) for name, losses in sensitivities.items() if losses}


def _score(eval_func: Callable[..., float], program: Program, args: tuple[Any, ...]) -> float:
    found = float(eval_func(program, *args))
    if not found:
        raise ArgumentError(
            "the score before pruning is 0, of which no share can be lost",
            cure="return a score of which more is better, such as an accuracy",
        )
    return found

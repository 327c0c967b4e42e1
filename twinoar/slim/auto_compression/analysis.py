"""Which ratios a saved model's filters can be pruned by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.slim.common.models import load_inference_model, weights_of
from twinoar.slim.prune import get_ratios_by_loss, sensitivity
from twinoar.static.executor import Executor
from twinoar.static.scope import Scope, scope_guard

FILTERS = 4  # dimensions of a convolution's weight


def analysis_prune(
    eval_function: Callable[..., float],
    model_dir: str,
    model_filename: str | None,
    params_filename: str | None,
    analysis_file: str,
    pruned_ratios: Sequence[float],
    target_loss: float | None = None,
    criterion: str = "l1_norm",
) -> dict[str, float]:
    """The ratio for each convolution that loses at most target_loss; {} without it.

    eval_function: takes a Program, an executor, the names of inputs and the results, and returns a
    score of which more is better. analysis_file: JSON, which sensitivities are kept in. Raises as
    `slim.prune.sensitivity`.
    """
    executor = Executor()
    with scope_guard(Scope()):
        program, feeds, fetches = load_inference_model(
            model_dir, executor, model_filename, params_filename
        )
        names = weights_of(program, FILTERS)
        args: list[Any] = [executor, feeds, fetches]
        found = sensitivity(
            program, None, names, eval_function, analysis_file, pruned_ratios, args, criterion
        )
    return {} if target_loss is None else get_ratios_by_loss(found, target_loss)

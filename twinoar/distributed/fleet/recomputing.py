"""Recomputation by the names of fleet: see `twinoar.autograd.recompute`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinoar.autograd.recomputation import recompute
from twinoar.errors import ArgumentError
from twinoar.nn.container import Sequential


def recompute_sequential(
    ctx: Mapping[str, Any],
    functions: Sequential | Sequence[Callable[..., Any]],
    *args: Any,
    **kwargs: Any,
) -> Any:
    """What functions in turn return; all but the last segment of them are computed twice.

    ctx: "segments", how many, and "preserve_rng_state".

    >>> layers = [twinoar.nn.ReLU(), twinoar.nn.Tanh()]
    >>> recompute_sequential({"segments": 2}, layers, twinoar.to_tensor([-1.0])).tolist()
    [0.0]
    """
    segments = ctx.get("segments", 1)
    chosen = list(functions.children()) if isinstance(functions, Sequential) else list(functions)
    if not 1 <= segments <= max(len(chosen), 1):
        raise ArgumentError(f"{segments} segments of {len(chosen)} functions")
    size = len(chosen) // segments
    preserve = ctx.get("preserve_rng_state", True)
    found: tuple = args
    for number in range(segments - 1):
        part = in_turn(chosen[number * size : (number + 1) * size])
        found = (recompute(part, *found, preserve_rng_state=preserve, **kwargs),)
    return in_turn(chosen[(segments - 1) * size :])(*found)


def recompute_hybrid(
    ctx: Mapping[str, Any], function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """`recompute` in hybrid parallelism. ctx: "mp_group" is needed, the rest has no effect."""
    if ctx.get("mp_group") is None:
        raise ArgumentError(
            "recompute_hybrid: ctx has no mp_group",
            cure="pass {'mp_group': hcg.get_model_parallel_group()}",
        )
    return recompute(function, *args, **kwargs)


def in_turn(functions: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """The functions as one: each takes what the one before it returns."""

    def run(*inputs: Any) -> Any:
        found = inputs[0] if len(inputs) == 1 else inputs
        for function in functions:
            found = function(found)
        return found

    return run


__all__ = ["recompute", "recompute_hybrid", "recompute_sequential"]

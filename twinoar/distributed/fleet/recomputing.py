"""Recomputation by the names of fleet: `twinoar.autograd.recompute`, with random states by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twinoar.autograd.recomputation import recompute as recompute_once_more
from twinoar.distributed.fleet.tensor_parallel import get_rng_state_tracker
from twinoar.errors import ArgumentError
from twinoar.nn.container import Sequential


def recompute(
    function: Callable[..., Any],
    *args: Any,
    preserve_rng_state: bool = True,
    use_reentrant: bool = True,
    **kwargs: Any,
) -> Any:
    """What `function(*args, **kwargs)` returns, computed once more for its gradient.

    See `twinoar.autograd.recompute`. preserve_rng_state: then also draw the same random numbers
    from the states of `get_rng_state_tracker()`, such as those of divided dropout.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> recompute(lambda x: (x * x).sum(), x).backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    if callable(function) and preserve_rng_state:
        function = _Drawing(function)
    options = {"preserve_rng_state": preserve_rng_state, "use_reentrant": use_reentrant}
    return recompute_once_more(function, *args, **options, **kwargs)


class _Drawing:
    """A function that draws the same numbers from all states when it runs the second time."""

    def __init__(self, function: Callable[..., Any]):
        self._function = function
        self._states: dict[str, Any] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tracker = get_rng_state_tracker()
        now = tracker.get_states_tracker()
        if self._states is None:
            self._states = now
            return self._function(*args, **kwargs)
        tracker.set_states_tracker(self._states)
        try:
            return self._function(*args, **kwargs)
        finally:
            tracker.set_states_tracker(now)


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

"""`explain`: what became of each line of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.layer_like import LayerLike
from twinoar.inspection.conversion import Report
from twinoar.jit.to_static import StaticFunction, to_static


def explain(function: Callable, *args: Any, **kwargs: Any) -> Report:
    """Trace a function for these arguments, and tell what became of each line of its source.

    function: under to_static or not, or a Layer. args: Tensors, InputSpecs in their places, and
    plain values; none: those of its input_spec, or of its latest trace. Neither the function nor
    its Programs are changed. Returns a Report, which prints the source; its `facts` are the same
    as data.

    >>> def scaled(x, factor):
    ...     return x * factor
    >>> report = explain(scaled, twinoar.ones([2]), 3)
    >>> [(fact.kind, fact.detail) for fact in report.facts]
    [('guarded', 'x: a tensor of shape [2], factor: 3'), ('program', '1 operator: multiply')]
    """
    if isinstance(function, LayerLike):
        function = function.forward
    static: StaticFunction = to_static(function)
    return static.report(*args, **kwargs)

"""What a function computes in inference: it is traced with its Layers in eval mode."""

from __future__ import annotations

from typing import Any

from twinoar.core.layer_like import LayerLike
from twinoar.export.entry_point import EntryPoint
from twinoar.jit.kept import in_eval_mode, layers_met
from twinoar.jit.tracing import Trace


def traced_for_inference(entry: EntryPoint) -> Trace:
    """The Program of an entry point with all Layers that it meets in eval mode."""
    layers = layers_of(entry)
    while True:
        with in_eval_mode(layers):
            trace = entry.trace()
        training = [x for x in layers_met(trace) if x.training and x not in layers]
        if not training:
            return trace
        layers += training


def layers_of(entry: EntryPoint) -> list[LayerLike]:
    """The owner of an entry point, and the Layers in it."""
    owner: Any = entry.owner
    return [] if owner is None else list(owner.sublayers(include_self=True))

"""A network in inference for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from twinoar.autograd import no_grad
from twinoar.nn import Layer


@contextmanager
def in_inference(model: Layer) -> Iterator[None]:
    """Run a network in eval mode and without gradients; then each layer is as it was."""
    before = [(layer, layer.training) for layer in model.sublayers(include_self=True)]
    model.eval()
    try:
        with no_grad():
            yield
    finally:
        for layer, training in before:
            layer.training = training

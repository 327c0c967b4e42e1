"""What passes through the layers of a network on some data, without a change to the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.nn import Layer
from twinoar.slim.modes import in_inference

Seen = Callable[[str, np.ndarray, np.ndarray], Any]


def watch(model: Layer, batches: Iterable[Any], layers: Mapping[str, Layer], seen: Seen) -> None:
    """Run a network in inference, and call `seen(name, input, output)` at each run of some layers.

    batches: what the network is called with, a tensor or a tuple of arguments each. layers: by the
    names that `seen` gets.
    """
    with in_inference(model), hooked(layers, seen):
        for batch in batches:
            model(*batch) if isinstance(batch, (tuple, list)) else model(batch)


@contextmanager
def hooked(layers: Mapping[str, Layer], seen: Seen) -> Iterator[None]:
    """Call `seen` after each run of some layers."""

    def hook_of(name: str) -> Callable[..., None]:
        return lambda layer, inputs, out: seen(name, inputs[0].numpy(), out.numpy())

    handles = [x.register_forward_post_hook(hook_of(name)) for name, x in layers.items()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()

"""All parameters of a layer as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.interpreter import recording, using
from twinoar.core.op.explain import told
from twinoar.eager.tensor import Tensor
from twinoar.errors import ShapeError
from twinoar.ops.shape.concat import concat, split
from twinoar.ops.shape.reshape import reshape


@told
def parameters_to_vector(parameters: Iterable[Any], name: str | None = None) -> Tensor:
    """The elements of all parameters, one after the other: [n]. Gradients flow through it.

    >>> twinoar.nn.utils.parameters_to_vector(twinoar.nn.Linear(2, 3).parameters()).shape
    [9]
    """
    joined: Any = concat([reshape(p, [-1]) for p in parameters])
    return joined


@told
def vector_to_parameters(vec: Any, parameters: Iterable[Any], name: str | None = None) -> None:
    """Give the parameters the elements of `vec`, [n], one after the other.

    Raises ShapeError where n is not the number of their elements, and changes nothing.

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> twinoar.nn.utils.vector_to_parameters(twinoar.to_tensor([2.0, 3.0]), layer.parameters())
    >>> layer.weight.item(), layer.bias.item()
    (2.0, 3.0)
    """
    parameters = list(parameters)
    needed = sum(p.size for p in parameters)
    if list(vec.shape) != [needed]:
        raise ShapeError(f"the parameters have {needed} elements, the vector has shape {vec.shape}")
    interpreter = recording(False)
    with using(interpreter):
        parts = split(vec, [p.size for p in parameters])
        for p, part in zip(parameters, parts, strict=True):
            interpreter.rebind(p, reshape(part, p.shape))

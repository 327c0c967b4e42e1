"""Multiplications and sizes of networks, as PaddleSlim counts them."""

from __future__ import annotations

from math import prod
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import Layer
from twinoar.slim.network import Network, ProgramChannels, primitives_of
from twinoar.slim.sizes import with_numbers
from twinoar.static import Program


def flops(
    model: Layer | Program,
    inputs: Any = None,
    dtypes: Any = None,
    only_conv: bool = True,
    detail: bool = False,
) -> Any:
    """Multiplications of a network's convolutions and linear layers, each with its addition.

    model: a network, or a Program, whose open sizes are 1. inputs: of a network: shapes, InputSpecs
    or tensors, as of the pruners. dtypes: of shapes, float32 by default.
    detail: return a dict too, of what belongs to each weight by name. Raises ArgumentError for
    only_conv=False: activations and norms are no multiplications of weights.

    >>> flops(twinoar.nn.Linear(4, 2), [1, 4])
    8
    """
    if not only_conv:
        raise ArgumentError(
            "convolutions and linear layers alone are counted, received only_conv=False",
            cure="use paddle.flops, which counts norms and pooling too",
        )
    dtype = dtypes[0] if isinstance(dtypes, (list, tuple)) else dtypes
    network: ProgramChannels
    if isinstance(model, Program):
        network = channels_of(model)
    else:
        network = Network(model, inputs, dtype or "float32")
    if not detail:
        return network.flops()
    by_name: dict[str, int] = {}
    for name, positions in network.products:
        by_name[name] = by_name.get(name, 0) + positions * network.tensors[name].size
    return network.flops(), by_name


def channels_of(program: Program) -> ProgramChannels:
    """The channels and products of a Program in inference."""
    states = {s.name: s.spec for s in program.states.values() if not s.is_constant}
    return ProgramChannels(primitives_of(with_numbers(program.clone(for_test=True))), states)


def model_size(model: Layer | Program) -> int:
    """How many elements all parameters have together.

    >>> model_size(twinoar.nn.Linear(4, 2))
    10
    """
    if isinstance(model, Layer):
        return sum(p.size for p in model.parameters())
    return sum(prod(int(n) for n in p.shape) for p in model.all_parameters())


dygraph_flops = flops

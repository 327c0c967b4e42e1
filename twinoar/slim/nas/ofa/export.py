"""Ordinary networks out of supernets: what was called last, with its share of the parameters."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.errors import ArgumentError
from twinoar.nn import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.create.fill import zeros
from twinoar.ops.random.uniform import rand
from twinoar.slim.nas.ofa.elastic import Elastic
from twinoar.slim.nas.ofa.layers_base import BaseBlock


def random_inputs(shapes: Any, dtypes: Any) -> list[Any]:
    """Inputs of these shapes and dtypes: numbers in [0,1), or zeros of integers.

    shapes: [N, ...] of the only input, or a list of shapes. dtypes: a list of them, or one for all.
    """
    if not isinstance(shapes, Sequence) or not shapes:
        raise ArgumentError(f"expected the shapes of the inputs, received {shapes!r}")
    many = [shapes] if isinstance(shapes[0], int) else list(shapes)
    kinds = list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes] * len(many)
    if len(kinds) != len(many):
        raise ArgumentError(f"there are {len(many)} shapes and {len(kinds)} dtypes")
    return [
        rand(list(shape)).astype(kind) if dtype_of(kind).is_floating else zeros(list(shape), kind)
        for shape, kind in zip(many, kinds, strict=True)
    ]


def made_ordinary(model: Layer) -> Layer:
    """A network with ordinary layers in the places of elastic ones; what is shared stays shared.

    Layers that the last call left out have the sizes of the call before, or stay as large as they
    are.
    """
    network = copy.deepcopy(model)
    made: dict[int, Layer] = {}
    for parent, name, elastic in list(_elastic_of(network)):
        if id(elastic) not in made:
            made[id(elastic)] = _ordinary(elastic)
        parent.add_sublayer(name, made[id(elastic)])
    return network


def fitted(origin: Layer, model: Layer, takes_others: bool) -> Layer:
    """The network that a supernet was made of, with the sizes and parameters of its last call.

    Raises ArgumentError for a network without one of the elastic layers.
    """
    layers = dict(origin.named_sublayers())
    found = {name: elastic for name, elastic in _named_elastic(model)}
    for name, elastic in found.items():
        if name not in layers:
            raise ArgumentError(
                f"origin_model has no layer {name!r}",
                cure="give the network that became the supernet, as it was",
            )
        _take(layers[name], elastic)
    if takes_others:
        own = tuple(f"{name}." for name in found)
        known = origin.state_dict()
        for name, value in model.state_dict().items():
            if name in known and not name.startswith(own):
                known[name].set_value(value)
    return origin


def _ordinary(elastic: Elastic) -> Layer:
    """An ordinary layer in the mode of an elastic one; one that was never called stays."""
    if elastic.cur_config is None:
        return elastic
    made = elastic.ordinary()
    for part in made.sublayers(include_self=True):
        part.training = elastic.training
    return made


def _take(layer: Any, elastic: Elastic) -> None:
    made: Any = _ordinary(elastic)
    for name in (*made._parameters, *made._buffers):
        value, old = getattr(made, name), getattr(layer, name)
        if value is None or old is None:
            continue
        attr = ParamAttr(name=old.name, trainable=old.trainable)
        new = layer.create_parameter(value.shape, attr, value.dtype)
        new.set_value(value)
        setattr(layer, name, new)
    for name in elastic.sizes:
        if hasattr(made, name):
            setattr(layer, name, getattr(made, name))


def _elastic_of(model: Layer) -> Iterator[tuple[Any, str, Elastic]]:
    """Where the elastic layers of a network are, in blocks or by themselves."""
    for name, layer in model.named_children():
        inside = layer.fn if isinstance(layer, BaseBlock) else layer
        if isinstance(inside, Elastic):
            yield model, name, inside
        else:
            yield from _elastic_of(layer)


def _named_elastic(model: Layer) -> Iterator[tuple[str, Elastic]]:
    """The elastic layers of a network by the names that they had before."""
    inside: tuple[str, ...] = ()
    for name, layer in model.named_sublayers():
        if name.startswith(inside) and inside:
            continue
        elastic = layer.fn if isinstance(layer, BaseBlock) else layer
        if isinstance(elastic, Elastic):
            inside = (*inside, f"{name}.")
            yield name, elastic

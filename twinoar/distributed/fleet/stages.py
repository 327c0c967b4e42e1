"""Where a list of layers is cut into stages: uniformly, by a name, by parameters, by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.eager.lazy import LazyGuard
from twinoar.errors import ArgumentError
from twinoar.nn.layer import Layer

BY_NAME = "layer:"
METHODS = '"uniform", "parameters", "layer:Name" or a list of positions'


def cuts_of(layers: Sequence[Any], parts: int, method: Any) -> list[int]:
    """Positions [parts + 1]: part i has the layers from the i-th on, before the next.

    method: see `PipelineLayer`. Raises ArgumentError where the layers cannot be divided so.

    >>> cuts_of([twinoar.tanh] * 5, 2, "uniform"), cuts_of([twinoar.tanh] * 5, 2, [0, 1])
    ([0, 2, 5], [0, 1, 5])
    """
    if len(layers) < parts:
        raise ArgumentError(
            f"{len(layers)} layers for {parts} stages", cure="make fewer stages, or smaller layers"
        )
    if isinstance(method, list | tuple):
        return _by_hand(list(method), len(layers), parts)
    if method == "uniform":
        return _uniform(len(layers), parts)
    if method == "parameters":
        return _balanced([_elements(given) for given in layers], parts)
    if isinstance(method, str) and method.startswith(BY_NAME):
        return _by_name(layers, method.removeprefix(BY_NAME), parts)
    raise ArgumentError(f"seg_method is {method!r}", cure=f"expected {METHODS}")


def _by_hand(positions: list[int], count: int, parts: int) -> list[int]:
    if len(positions) == parts:
        positions.append(count)
    is_rising = positions == sorted(positions) and all(isinstance(p, int) for p in positions)
    if len(positions) != parts + 1 or not is_rising or positions[0] != 0 or positions[-1] > count:
        raise ArgumentError(
            f"seg_method {positions} for {count} layers in {parts} stages",
            cure="give where each stage begins: 0 first, rising",
        )
    return positions


def _uniform(count: int, parts: int) -> list[int]:
    """As many in each; the last have one more."""
    size, more = divmod(count, parts)
    sizes = [size + (i >= parts - more) for i in range(parts)]
    return [0, *(int(n) for n in np.cumsum(sizes))]


def _by_name(layers: Sequence[Any], name: str, parts: int) -> list[int]:
    """As many layers of one name in each; what stands before one goes with what came before."""
    pattern = re.compile(name, re.IGNORECASE)
    places = [i for i, given in enumerate(layers) if pattern.search(_name_of(given))]
    if not places or len(places) % parts:
        raise ArgumentError(
            f"seg_method: {len(places)} layers named {name!r} for {parts} stages",
            cure="let their number be a multiple of the stages (times the chunks of each)",
        )
    each = len(places) // parts
    inner = [places[i * each - 1] + 1 for i in range(1, parts)]
    return [0, *inner, len(layers)]


def _name_of(given: Any) -> str:
    if isinstance(given, Layer):
        return type(given).__name__
    return str(getattr(getattr(given, "layer_func", given), "__name__", ""))


def _elements(given: Any) -> int:
    """How many elements the parameters of a layer have, which is not made for it."""
    build: Callable[[], Any] | None = getattr(given, "build_layer", None)
    if build is not None:
        with LazyGuard():
            given = build()
    parameters = given.parameters() if isinstance(given, Layer) else []
    return sum(int(np.prod(p.shape)) for p in parameters)


def _balanced(weights: Sequence[int], parts: int) -> list[int]:
    """The cuts whose heaviest part is lightest, by halving between its least and most weight.

    No part is empty.
    """
    least, most = max(weights), sum(weights)
    while least < most:
        limit = (least + most) // 2
        least, most = (least, limit) if len(_filled(weights, limit)) <= parts else (limit + 1, most)
    begins = _filled(weights, least)
    while len(begins) < parts:  # what fits in fewer is cut where layers are left to cut
        ends = [*begins[1:], len(weights)]
        long = next(i for i in range(len(begins)) if ends[i] - begins[i] > 1)
        begins.insert(long + 1, begins[long] + 1)
    return [*begins, len(weights)]


def _filled(weights: Sequence[int], limit: int) -> list[int]:
    """Where parts begin that are filled one after the other, up to a limit each."""
    begins, held = [0], 0
    for i, weight in enumerate(weights):
        if held + weight > limit and i > begins[-1]:
            begins.append(i)
            held = 0
        held += weight
    return begins

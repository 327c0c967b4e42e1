"""Scales from data: a Program runs on some batches while observers look at what it rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from twinoar.core.interpreter import eager, using
from twinoar.core.ir.program import Variable
from twinoar.core.policy import UNRECORDED
from twinoar.errors import ArgumentError
from twinoar.passes.graph import Graph
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.program.fixed import keep_integers, largest, pair
from twinoar.quantization.program.places import ALL, Place
from twinoar.quantization.program.rounding import Rounding
from twinoar.quantization.program.watched import Watched
from twinoar.static.executor import Executor
from twinoar.static.program import Program
from twinoar.static.scope import Scope

Batch = Mapping[str, Any]
Scales = dict[tuple[Variable, int], np.ndarray]  # by value and axis


def calibrate(
    program: Program,
    batches: Iterable[Batch],
    observer: QuanterFactory,
    how: Rounding,
    executor: Executor,
    scope: Scope,
) -> Program:
    """A Program that quantizes values by what observers saw, and keeps weights as integers.

    batches: arrays by the names of inputs. observer: makes one for each value that is rounded. The
    Program that is given stays as it is, and so do its states. Raises what `places` raises, and
    ArgumentError without batches, for values and for weights that are not finite.
    """
    graph = Graph(program)
    found = how.places(graph)
    scales = _scales_of_weights(found, how, scope)
    watched = Watched(program, how, observer)
    with using(eager(UNRECORDED)):  # programs are quantized while others are built
        known = watched.scales(batches, executor, scope)
    values = [place for place in found if not place.is_weight]
    scales |= {(place.origin, ALL): s for place, s in zip(values, known, strict=True)}
    return _with_pairs(graph, found, scales, how, scope)


def quantize_weights(program: Program, how: Rounding, scope: Scope) -> Program:
    """A Program that keeps the weights of products as integers, and computes in floats.

    Raises what `places` raises, and ArgumentError for weights that are not finite, or if there are
    none.
    """
    graph = Graph(program)
    found = [place for place in how.places(graph) if place.is_weight]
    if not found:
        raise ArgumentError("the program has no weights of these types")
    return _with_pairs(graph, found, _scales_of_weights(found, how, scope), how, scope)


def _scales_of_weights(found: list[Place], how: Rounding, scope: Scope) -> Scales:
    return {
        (place.origin, how.axis(place)): largest(
            scope.read(place.origin), how.axis(place), place.origin.name
        )
        for place in found
        if place.is_weight
    }


def _with_pairs(
    graph: Graph, found: list[Place], scales: Scales, how: Rounding, scope: Scope
) -> Program:
    """The Program that quantizes at these places, with weights that are integers."""
    made: dict[tuple[Variable, int], Variable] = {}
    for place in found:
        key = place.operand, how.axis(place)
        if key not in made:
            bits = how.weight_bits if place.is_weight else how.activation_bits
            scale = scales[place.origin, key[1]]
            with place.before():
                made[key] = pair(graph, scope, place.operand, scale, key[1], bits, place.origin)
        place.node.connect(place.operand, made[key])
    if any(place.is_weight for place in found):
        keep_integers(graph, scope)
    new = graph.to_program()
    assert isinstance(new, Program)
    return new

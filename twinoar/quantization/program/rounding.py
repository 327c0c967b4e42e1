"""Rounding in training: operands of a Program pass through what integers of few bits stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.dtype import float32
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError
from twinoar.nn.quant.fake_quant import FIRST_SCALE, check_rate
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.quant._integers import limit_of
from twinoar.ops.quant.moving_average import fake_quantize_dequantize_moving_average_abs_max
from twinoar.ops.quant.quantize_dequantize import (
    fake_channel_wise_quantize_dequantize_abs_max,
    fake_quantize_dequantize_abs_max,
)
from twinoar.passes.graph import Graph
from twinoar.quantization.program.places import ALL, DEFAULT, Place, places
from twinoar.static.scope import Scope

OF_WEIGHTS = ("abs_max", "channel_wise_abs_max")
OF_VALUES = ("abs_max", "moving_average_abs_max", "range_abs_max")
SKIPPED = ("skip_quant",)
FIRST_BOUND = 20.0  # beyond which values are clipped, before it is learnt; PaddleSlim's


@dataclass(frozen=True, slots=True)
class Rounding:
    """How operands are rounded.

    weights: "abs_max" for one scale, "channel_wise_abs_max" for one for each channel. values:
    "moving_average_abs_max"; "range_abs_max" is the same, as in Paddle's `quant_aware`; "abs_max"
    for the scale of each batch by itself. weight_bits, activation_bits: of the integers.
    moving_rate: how much of the past stays. types, skip, skip_tensors: see `places`. bound: what
    optimizers want to know of bounds beyond which values are clipped, that are learnt; None for
    none. Raises ArgumentError.
    """

    weights: str = "channel_wise_abs_max"
    values: str = "moving_average_abs_max"
    weight_bits: int = 8
    activation_bits: int = 8
    moving_rate: float = 0.9
    types: tuple[str, ...] = DEFAULT
    skip: tuple[str, ...] = SKIPPED
    skip_tensors: tuple[str, ...] = ()
    bound: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for what, given, known in (
            ("weights", self.weights, OF_WEIGHTS),
            ("values", self.values, OF_VALUES),
        ):
            if given not in known:
                raise ArgumentError(
                    f"{what} are quantized by one of {', '.join(known)}, received {given!r}"
                )
        for bits in (self.weight_bits, self.activation_bits):
            limit_of(bits)  # refuses what are no bits
        check_rate(self.moving_rate)

    def axis(self, place: Place) -> int:
        """The axis of a place whose indices have scales of their own."""
        return place.axis if self.weights == "channel_wise_abs_max" else ALL

    def places(self, graph: Graph) -> list[Place]:
        """The places of a Program that are rounded."""
        return places(graph, self.types, self.skip, self.skip_tensors)


def put_rounding(graph: Graph, how: Rounding, scope: Scope, *, in_training: bool) -> Graph:
    """Round operands, in place; gradients are those of rounded values. Returns the graph.

    in_training: let scales follow the data, and begin anew in the scope; else take them as they
    are. The gradients that the Program has already are rewired. Raises what `places` raises, and
    ProgramError for gradients that cannot be.
    """
    found = how.places(graph)
    if how.bound is not None:
        _check_bounds(graph, found)
    made: dict[tuple[Variable, int], Variable] = {}
    for place in found:
        key = place.operand, how.axis(place)
        if key not in made:
            made[key] = _rounded(graph, place, how, scope, in_training)
    _rewire(graph, found, how, made)
    for place in found:
        place.node.connect(place.operand, made[place.operand, how.axis(place)])
    return graph


def _rounded(
    graph: Graph, place: Place, how: Rounding, scope: Scope, in_training: bool
) -> Variable:
    x, axis = place.operand, how.axis(place)
    with place.before():
        if how.bound is not None and not place.is_weight:
            x = _clipped(graph, x, how.bound, scope, in_training)
        if place.is_weight and axis != ALL:
            out: Any = fake_channel_wise_quantize_dequantize_abs_max(x, how.weight_bits, axis)[0]
        elif place.is_weight or how.values == "abs_max":
            bits = how.weight_bits if place.is_weight else how.activation_bits
            out = fake_quantize_dequantize_abs_max(x, bits)[0]
        else:
            out = _by_average(graph, place, x, how, scope, in_training)
    out.rename(f"{place.operand.name}.quantized.dequantized")
    assert isinstance(out, Variable)
    return out


def _check_bounds(graph: Graph, found: list[Place]) -> None:
    """Raise ProgramError where bounds could not be learnt."""
    inside = next((place for place in found if place.is_inside), None)
    if inside is not None:
        raise ProgramError(
            f"{inside.node.type} reads %{inside.operand.name} in a branch or a loop, where no "
            "bounds are learnt",
            cure="leave activation_preprocess_type out",
        )
    if any(n.operator.role == "backward" for n in graph):
        raise ProgramError(
            "bounds have no gradients in a program whose gradients are there already",
            cure="quantize the program before optimizer.minimize",
        )


def _clipped(
    graph: Graph, x: Variable, traits: Mapping[str, Any], scope: Scope, in_training: bool
) -> Any:
    """x between -bound and bound, which is learnt: PACT, arXiv 1805.06085, equation 1."""
    bound = _state(graph, scope, f"{x.name}_pact", FIRST_BOUND, in_training)
    bound.is_parameter, bound.stop_gradient = True, False
    bound.__dict__.update(traits)  # what optimizers look for
    return x - relu(x - bound) + relu(-bound - x)


def _by_average(
    graph: Graph, place: Place, x: Any, how: Rounding, scope: Scope, in_training: bool
) -> Any:
    """By a scale that follows the data; where a block runs again and again, in each run of it.

    x: the operand of the place, or what stands for it.
    """
    name = place.operand.name
    given = {"moving_rate": how.moving_rate, "bit_length": how.activation_bits}
    operator = fake_quantize_dequantize_moving_average_abs_max
    scale = _state(graph, scope, f"{name}@scale", FIRST_SCALE, in_training)
    if not in_training:
        return operator(x, scale, is_test=True, **given)
    state, accum = (_state(graph, scope, f"{name}@{n}", 1.0, True) for n in ("state", "accum"))
    ways = [place.site.carry(s) for s in (scale, accum, state)]
    out, *new = operator(x, *(way.value for way in ways), **given)
    # Results are the scale, the state and the accumulator, in Paddle's order.
    for way, value in zip((ways[0], ways[2], ways[1]), new, strict=True):
        graph.program.update(way.state, way.leave(value))
    return out


def _state(graph: Graph, scope: Scope, name: str, first: float, begins: bool) -> State:
    """A state of one element, which has a value in the scope."""
    if begins or scope.find_var(name) is None:
        scope.var(name).set(np.full(1, first, np.float32))
    return graph.program.add_state(Spec((1,), float32), name)


def _rewire(
    graph: Graph, found: list[Place], how: Rounding, made: dict[tuple[Variable, int], Variable]
) -> None:
    """Let gradients of what reads rounded values read them too."""
    backward = [n for n in graph if n.operator.role == "backward"]
    inside = [place for place in found if place.is_inside]
    if backward and inside:
        raise ProgramError(
            f"{inside[0].node.type} reads %{inside[0].operand.name} in a branch or a loop, whose "
            "gradients are there already",
            cure="quantize the program before optimizer.minimize",
        )
    for node in dict.fromkeys(place.node for place in found) if backward else ():
        if all(v.stop_gradient for v in node.outputs):
            continue
        read = set(node.inputs)
        own = [n for n in backward if n.type == f"{node.type}.grad" and read <= set(n.inputs)]
        if not own:
            raise ProgramError(
                f"the gradient of {node.operator} is not found",
                cure="quantize the program before optimizer.minimize",
            )
        for place in found:
            if place.node is node:
                new = made[place.operand, how.axis(place)]
                for gradient in own:
                    if place.operand in set(gradient.inputs):
                        gradient.connect(place.operand, new)

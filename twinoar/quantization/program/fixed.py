"""Fixed scales: rounding becomes quantizing and dequantizing, and weights become integers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError
from twinoar.nn.quant.fake_quant import FIRST_SCALE
from twinoar.nn.quant.format import INT8_BITS
from twinoar.ops.quant._integers import limit_of
from twinoar.ops.quant.linear import dequantize_linear, quantize_linear
from twinoar.passes.graph import Graph, Node
from twinoar.passes.sites import Site, drop_unread_operands
from twinoar.quantization.program.places import ALL, Place, nodes_of
from twinoar.static.scope import Scope

AVERAGE = "fake_quantize_dequantize_moving_average_abs_max"
OF_ALL, OF_CHANNELS = (
    "fake_quantize_dequantize_abs_max",
    "fake_channel_wise_quantize_dequantize_abs_max",
)
CONVERT = "convert what quant_aware returned, or quantize by calibration"


def fix_scales(graph: Graph, scope: Scope) -> Graph:
    """Let all rounding of a Program for inference be by scales that stand still, in place.

    Values are rounded by the scales in the scope, weights by their largest magnitudes. What is
    rounded by the scale of each batch stays. Where anything is missing, nothing changes. Raises
    ArgumentError for scales that no data has moved or that are not finite, for weights that are not
    finite, and for a Program that trains or rounds nothing.
    """
    nodes = nodes_of(graph, AVERAGE, OF_ALL, OF_CHANNELS)
    every = [_rounded(site, node) for site, node in nodes]
    found = [place for place in every if place.node.type == AVERAGE or place.is_weight]
    if not found:
        raise ArgumentError("the program rounds nothing by scales that stay", cure=CONVERT)
    scales = [_scale_of(place, scope) for place in found]
    for place, (values, axis) in zip(found, scales, strict=True):
        x, bits = place.operand, place.node.attrs["bit_length"]
        with place.before():
            out = pair(graph, scope, x, values, axis, bits, place.origin)
        _replace(graph, place, out)
    return _without_unread(graph)


def keep_integers(graph: Graph, scope: Scope) -> Graph:
    """Let weights that are quantized in each run be states of integers, in place.

    Weights of up to 8 bits become int8, others whole numbers in floats; the floats stay in the
    scope. Raises ArgumentError for weights that are not finite, or where there are none.
    """
    found = weights_of(graph)
    if not found:
        raise ArgumentError("the program quantizes no weights", cure=CONVERT)
    integers = [_whole(place, scope) for place in found]
    for place, values in zip(found, integers, strict=True):
        kept = place.site.bring(stored(graph, scope, f"{place.origin.name}.integers", values))
        old = place.node.outputs[0]
        for o in place.site.block.ops:
            o.operands = tuple(kept if x is old else x for x in o.operands)
        _delete(graph, place)
    return _without_unread(graph)


def weights_of(graph: Graph) -> list[Place]:
    """What quantizes weights in each run."""
    found = [_rounded(site, node) for site, node in nodes_of(graph, "quantize_linear")]
    return [place for place in found if place.is_weight]


def _rounded(site: Site, node: Node) -> Place:
    """The place that a node rounds."""
    return Place(node, node.operator.operands[0], site)


def _replace(graph: Graph, place: Place, out: Variable) -> None:
    """Let `out` stand for what the node of a place gives, and remove that."""
    if place.is_inside:
        place.site.block.substitute({place.node.outputs[0]: out})
    else:
        graph.replace(place.node.outputs[0], out)
    _delete(graph, place)


def _delete(graph: Graph, place: Place) -> None:
    if place.is_inside:
        place.site.block.remove(place.node.operator)
    else:
        graph.delete(place.node)


def pair(
    graph: Graph,
    scope: Scope,
    x: Variable,
    scale: Any,
    axis: int,
    bits: int,
    origin: Variable | None = None,
) -> Variable:
    """x quantized and dequantized again, by operators that are called now.

    scale: the largest magnitude, one or for each index along axis. origin: what the states are
    called after, x by default.
    """
    known = np.atleast_1d(np.asarray(scale, np.float32))
    name = (x if origin is None else origin).name
    state = stored(graph, scope, f"{name}@scale", known)
    zero = stored(graph, scope, f"{name}@zero_point", np.zeros_like(known))
    whole = quantize_linear(x, state, zero, axis, bits)
    whole.rename(f"{x.name}.quantized")
    return dequantize_linear(whole, state, zero, axis, bits)


def stored(graph: Graph, scope: Scope, name: str, values: np.ndarray) -> State:
    """A state of a Program with these values in the scope, where no other value is lost."""
    spec, wanted = Spec(values.shape, dtype_of(values.dtype)), name
    for count in itertools.count(1):
        known, entry = graph.program.states.get(wanted), scope.find_var(wanted)
        is_equal = entry is not None and _same(np.array(entry), values)
        if known is not None and known.spec == spec and is_equal:
            return known
        if known is None and (entry is None or is_equal):
            break
        wanted = f"{name}_{count}"
    state = graph.program.add_state(spec, wanted)
    scope.var(state.name).set(values)
    return state


def _same(x: np.ndarray, y: np.ndarray) -> bool:
    return x.dtype == y.dtype and np.array_equal(x, y)


def largest(weight: np.ndarray, axis: int, name: str) -> np.ndarray:
    """The largest magnitude of each channel. Raises ArgumentError for what is not finite."""
    if not np.isfinite(weight).all():
        raise ArgumentError(
            f"the weight {name} is not finite",
            cure="look for nan and inf in training, and quantize weights that are finite",
        )
    others = None if axis == ALL else tuple(n for n in range(weight.ndim) if n != axis)
    return np.atleast_1d(np.abs(weight).max(axis=others))


def _scale_of(place: Place, scope: Scope) -> tuple[np.ndarray, int]:
    """The scales by which a node rounds, and their axis."""
    node, x = place.node, place.origin
    if node.type != AVERAGE:
        axis = node.attrs["quant_axis"] if node.type == OF_CHANNELS else ALL
        return largest(scope.read(x), axis, x.name), axis
    if not node.attrs["is_test"]:
        raise ArgumentError(
            "the program still trains: its scales follow the data",
            cure="convert what quant_aware(..., for_test=True) returned",
        )
    state: Any = place.site.origin(node.operator.operands[1])
    scale = np.array(scope.read(state), np.float32)
    if not np.isfinite(scale).all() or (scale < 0).any():
        raise ArgumentError(
            f"the scale {state.name} is {scale.tolist()}, and must be finite and not negative",
            cure="look for nan and inf in the weights and in the data",
        )
    if abs(scale.item() - FIRST_SCALE) < FIRST_SCALE * 1e-3:
        raise ArgumentError(
            f"no data has moved the scale {state.name}",
            cure="run the program that quant_aware(..., for_test=False) returned before",
        )
    return scale, ALL


def _whole(place: Place, scope: Scope) -> np.ndarray:
    """The integers of a weight, as they are kept."""
    node = place.node
    weight, scale = map(place.site.origin, node.operator.operands[:2])
    bits, axis = node.attrs["bit_length"], node.attrs["quant_axis"]
    values, scales = scope.read(weight), scope.read(scale)
    largest(values, ALL, weight.name)  # refuses what is not finite
    if axis != ALL:
        scales = scales.reshape([-1 if n == axis else 1 for n in range(values.ndim)])
    limit = limit_of(bits)
    found = np.round(values / np.where(scales == 0, 1.0, scales) * limit)
    kept = np.clip(found, -limit - 1, limit)
    return kept.astype(np.int8 if bits <= INT8_BITS else np.float32)


def _without_unread(graph: Graph) -> Graph:
    """The graph without states that nothing reads any more."""
    program = drop_unread_operands(graph.program)
    read = {x for o in program.main.walk() for x in o.operands if isinstance(x, Variable)}
    read |= {*program.main.outputs, *program.updates}
    program.states = {name: s for name, s in program.states.items() if s in read}
    return graph

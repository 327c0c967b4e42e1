"""Which operands of a Program are rounded, and which axis of them has a scale for each index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError, DTypeError
from twinoar.passes.graph import Graph, Node
from twinoar.passes.sites import Site, sites

ALL = -1  # the axis that stands for one scale for all elements
WEIGHT = 1  # which operand of a product is its weight
CONVOLUTIONS = {
    "conv2d": {"conv2d", "depthwise_conv2d"},
    "conv2d_transpose": {"conv2d_transpose", "depthwise_conv2d_transpose"},
}
PRODUCTS = ("linear", "mul", "matmul")
NAMES_OF_PRODUCTS = {"mul", "matmul", "matmul_v2"}
OF_TWO_VALUES = {"matmul", "matmul_v2"}  # names that ask for products without a weight too
WITH_WEIGHT = (*sorted(set().union(*CONVOLUTIONS.values())), *sorted(NAMES_OF_PRODUCTS))
DEFAULT = ("conv2d", "depthwise_conv2d", "mul")
ROUNDING = {  # operators that only a quantized Program has
    "dequantize_linear",
    "fake_channel_wise_quantize_dequantize_abs_max",
    "fake_quantize_dequantize_abs_max",
    "fake_quantize_dequantize_moving_average_abs_max",
    "quantize_linear",
    "quantize_linear_in_training",
}


@dataclass(frozen=True, slots=True)
class Place:
    """An operand that is rounded: the node that reads it, and for a weight the axis of channels.

    site: the block of the node.
    """

    node: Node
    operand: Variable
    site: Site
    axis: int = ALL

    @property
    def origin(self) -> Any:
        """What the operand is outside of all blocks that it comes into as it is."""
        return self.site.origin(self.operand)

    @property
    def is_weight(self) -> bool:
        """True for a state, which is rounded once and kept as integers."""
        return isinstance(self.origin, State)

    @property
    def is_inside(self) -> bool:
        """True in a branch or a loop."""
        return self.site.outer is not None

    def before(self) -> using:
        """Operators called in this `with` block stand before the node."""
        return self.site.before(self.node.operator)


def places(
    graph: Graph,
    types: Collection[str],
    skip: Collection[str] = (),
    skip_tensors: Collection[str] = (),
) -> list[Place]:
    """What operators of these types read, in order, those of branches and loops too.

    types: Paddle's names. "mul" asks for products with a weight, "matmul" and "matmul_v2" for all
    products; "depthwise_conv2d" is "conv2d". Other operators are rounded where they read no state.
    skip: parts of names of `static.name_scope`, whose operators are left alone. skip_tensors: names
    of values whose readers are. Raises ArgumentError for operators that are quantized already, or
    where there is none of these types, and DTypeError for values that are not float32.
    """
    left = set(skip_tensors)
    found = [
        place
        for site, node in nodes_of(graph)
        if node.operator.role == "forward" and not _is_left(node, skip)
        if left.isdisjoint(_names(site, node))
        for place in _of(site, node, types)
    ]
    if not found:
        raise ArgumentError(
            f"the program has no operator of the types {', '.join(types)} to quantize",
            cure="name types that the program has",
        )
    for place in found:
        maker = place.origin.producer
        if maker is not None and maker.op.name in ROUNDING:
            raise ArgumentError(
                f"the program is quantized already: {place.node.type} reads %{place.operand.name}",
                cure="quantize the program of floats",
            )
        if place.operand.dtype is not float32:
            raise DTypeError(
                f"{place.node.type} reads %{place.operand.name}: {place.operand.spec}, and only "
                "float32 becomes integers",
                cure="quantize the program of float32, or leave its type out",
            )
    return found


def nodes_of(graph: Graph, *types: str) -> Iterator[tuple[Site, Node]]:
    """All nodes, or those of some types, with their blocks; nodes in gradients are left out."""
    backward: set[Site | None] = set()
    for site in sites(graph.program, graph):
        if site.outer in backward or (site.operator and site.operator.role != "forward"):
            backward.add(site)
            continue
        inside = (Node(graph, o) for o in list(site.block.ops))
        for node in list(graph) if site.outer is None else inside:
            if not types or node.type in types:
                yield site, node


def _names(site: Site, node: Node) -> list[str]:
    """What a node reads, by the names here and by those outside."""
    return [v.name for x in node.inputs for v in (x, site.origin(x))]


def _is_left(node: Node, skip: Collection[str]) -> bool:
    scope = node.operator.marks.get("op_namescope", "")
    return any(part in scope for part in skip)


def _of(site: Site, node: Node, types: Collection[str]) -> list[Place]:
    kind, operands = node.type, [site.origin(x) for x in node.operator.operands]
    if kind in CONVOLUTIONS:
        axis = 0 if kind == "conv2d" else 1
        return _of_product(site, node, axis) if CONVOLUTIONS[kind].intersection(types) else []
    if kind in PRODUCTS:
        has_weight = isinstance(operands[WEIGHT], State)
        wanted = NAMES_OF_PRODUCTS if has_weight else OF_TWO_VALUES
        axis = _columns(operands[WEIGHT], node)
        return _of_product(site, node, axis) if wanted.intersection(types) else []
    if node.operator.type not in types or any(isinstance(x, State) for x in operands):
        return []
    return [Place(node, x, site) for x in dict.fromkeys(node.inputs) if x.dtype.is_floating]


def _columns(weight: Any, node: Node) -> int:
    """The axis of a matrix along which the columns of its product lie."""
    if not isinstance(weight, State) or weight.ndim < 2:
        return ALL
    return weight.ndim - (2 if node.attrs.get("transpose_y") else 1)


def _of_product(site: Site, node: Node, axis: int) -> list[Place]:
    value, weight = node.operator.operands[:2]
    found = [] if isinstance(site.origin(value), State) else [Place(node, value, site)]
    if isinstance(site.origin(weight), State):
        return [*found, Place(node, weight, site, axis)]
    return found if weight is value else [*found, Place(node, weight, site)]

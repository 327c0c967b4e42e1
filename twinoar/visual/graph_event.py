"""A model's graph as TensorBoard's event: a GraphDef, whose nodes are named by their scopes.

Source: https://github.com/tensorflow/tensorboard, compat/proto/graph.proto and node_def.proto
"""

from __future__ import annotations

from typing import Any

from twinoar.formats.protobuf import Schema, serialize
from twinoar.visual.graph import INPUT, OUTPUT, PARAMETER, Graph, Node
from twinoar.visual.graph_file import shape_of

PRODUCER = 22  # of versions: what TensorBoard's own exporters write
OPERATIONS = {INPUT: "Placeholder", OUTPUT: "IO Node", PARAMETER: "Parameter"}
DTYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "complex64": 8,
    "int64": 9, "bool": 10, "bfloat16": 14, "complex128": 18, "float16": 19,
}  # fmt: skip
MESSAGES = {
    "GraphDef": ("1 repeated Node node", "4 optional Versions versions"),
    "Versions": ("1 optional int32 producer",),
    "Node": (
        "1 optional string name",
        "2 optional string op",
        "3 repeated string input",
        "4 optional string device",
        "5 repeated Entry attr",
    ),
    "Entry": ("1 optional string key", "2 optional Value value"),
    "Value": (
        "1 optional List list",
        "2 optional bytes s",
        "3 optional int64 i",
        "4 optional float f",
        "5 optional bool b",
        "6 optional int32 type",
    ),
    "List": (
        "2 repeated bytes s",
        "3 repeated|packed int64 i",
        "4 repeated|packed float f",
        "5 repeated|packed bool b",
        "7 repeated Shape shape",
    ),
    "Shape": ("2 repeated Size dim",),
    "Size": ("1 optional int64 size",),
}
GraphDef: Any = Schema("twinoar.visual.graph_event", MESSAGES, {}).classes()["GraphDef"]
FIELDS = {bool: "b", int: "i", float: "f", str: "s"}


def as_tensorboard(graph: Graph) -> bytes:
    """The GraphDef, as an event holds it."""
    made = GraphDef()
    made.versions.producer = PRODUCER
    makers = {}  # the names by which results are read: `node`, `node:1`
    for n in graph.nodes:
        for k, value in enumerate(n.makes):
            makers[value] = f"{_name(n)}:{k}" if k else _name(n)
    for n in graph.nodes:
        node = made.node.add(name=_name(n), op=OPERATIONS.get(n.kind, n.kind))
        node.input.extend(makers[value] for value in n.reads if value in makers)
        for name, value in n.attrs:
            _set(node.attr.add(key=name).value, value)
        _say_what_it_makes(node, n, graph)
    return serialize(made)


def _name(n: Node) -> str:
    return n.path.removeprefix("/")


def _say_what_it_makes(node: Any, n: Node, graph: Graph) -> None:
    if not n.makes:
        return
    specs = [graph.values[name] for name in n.makes]
    shapes = node.attr.add(key="_output_shapes").value.list.shape
    for spec in specs:
        sizes = shapes.add().dim
        for size in shape_of(spec):
            sizes.add(size=size)
    if specs[0].dtype.name in DTYPES:
        node.attr.add(key="dtype").value.type = DTYPES[specs[0].dtype.name]


def _set(into: Any, value: Any) -> None:
    if isinstance(value, list):
        getattr(into.list, FIELDS[type(value[0])]).extend(map(_wire, value))
    else:
        setattr(into, FIELDS[type(value)], _wire(value))


def _wire(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value

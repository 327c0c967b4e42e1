"""A model's graph as the board shows it, from the files of VisualDL and the events of TensorBoard.

Both become nodes `[path, kind, shape, reads, attributes]`, of which `path` has the layers that a
node is in and `reads` are the numbers of those that it reads. What stands for a parameter is left
out: it is part of the operator that reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from twinoar.errors import FileError
from twinoar.formats.protobuf import parse
from twinoar.visual.graph_event import OPERATIONS, GraphDef
from twinoar.visual.graph_file import ROOT

KIND = TAG = "graph"
INNER = ("_output_shapes", "dtype")  # attributes that say what a node makes
PARAMETERS = {OPERATIONS["parameter"], "Parameter", "prim::Param"}
Node = list[Any]


def of_file(data: bytes, what: str) -> Iterator[tuple[int, tuple[str, str, list[Any]]]]:
    """The graph of a `vdlgraph` file, with the place at which it ends. Raises FileError."""
    if not data:
        return
    try:
        told = json.loads(data)
        made = {v["name"]: v for v in told["vars"]}
        leaves = [n for n in told["nodes"] if n["is_leaf_node"]]
        nodes = [
            _node(n["name"], n["type"], _shape_in_file(n, made), n["input_nodes"], n["attrs"])
            for n in leaves
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileError(
            f"{what}: expected a graph of VisualDL ({type(error).__name__}: {str(error)[:80]})",
            cure="delete the file, or copy it again from where it was",
        ) from error
    yield len(data), (KIND, TAG, [0, 0.0, _numbered(nodes)])


def of_event(data: bytes, what: str) -> list[Node]:
    """The nodes of a GraphDef. Raises FileError."""
    nodes = []
    for told in parse(GraphDef, data, what).node:
        if told.op in PARAMETERS:
            continue
        reads = [name.partition(":")[0].lstrip("^") for name in told.input]
        attrs = {e.key: _value(e.value) for e in told.attr if e.key not in INNER}
        nodes.append(_node(told.name, told.op, _shape_in_event(told), reads, attrs))
    return _numbered(nodes)


def _node(path: str, kind: str, shape: str, reads: Iterable[str], attrs: dict[str, Any]) -> Node:
    shown = {str(name): value if isinstance(value, str) else json.dumps(value, default=str)
             for name, value in attrs.items()}  # fmt: skip
    return [path.strip(ROOT), str(kind), shape, [name.strip(ROOT) for name in reads], shown]


def _numbered(nodes: list[Node]) -> list[Node]:
    """With the numbers of those that each reads, in place of their names."""
    numbers = {path: number for number, (path, *_) in enumerate(nodes)}
    for node in nodes:
        node[3] = list(dict.fromkeys(numbers[name] for name in node[3] if name in numbers))
    return nodes


def _shape_in_file(node: dict[str, Any], made: dict[str, Any]) -> str:
    named = [name for names in node["output_vars"].values() for name in names if name in made]
    if not named:
        return ""
    told = made[named[0]]
    return f"{str(told['dtype']).removeprefix('paddle.')} {told['shape']}"


def _shape_in_event(node: Any) -> str:
    for entry in node.attr:
        if entry.key == INNER[0] and entry.value.list.shape:
            return str([size.size for size in entry.value.list.shape[0].dim])
    return ""


def _value(told: Any) -> Any:
    """What an attribute holds, as JSON has it."""
    for field, held in told.ListFields():
        if field.name == "list":
            return [x for _, found in held.ListFields() for x in map(_plain, found)]
        return _plain(held)
    return None


def _plain(held: Any) -> Any:
    return held.decode(errors="replace") if isinstance(held, bytes) else held

"""A model's graph as VisualDL's `vdlgraph` file: JSON with nodes, values and edges.

Layers are nodes around others. An edge between operators of different layers is one edge for each
border that it crosses, so that a layer may be shown closed.

Source: https://github.com/PaddlePaddle/VisualDL, component/graph
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.spec import Spec
from twinoar.visual.graph import Graph, Node

VERSION = "1.0.0"
ROOT = "/"
KINDS = {bool: "BOOL", int: "INT", float: "FLOAT", str: "STRING"}


def file_name(second: int, suffix: str) -> str:
    """What a file is called that is written in a second."""
    return f"vdlgraph.{second:010d}.log{suffix}"


def as_visualdl(graph: Graph) -> dict[str, Any]:
    """What the file holds."""
    shown = [n for n in graph.nodes if n.makes != n.reads and not _is_kept(n, graph)]
    makers = {name: n.path for n in shown for name in n.makes}
    readers: dict[str, list[str]] = {}
    for n in shown:
        for name in n.reads:
            readers.setdefault(name, []).append(n.path)
    nodes = {n.path: _leaf(n, makers, readers) for n in shown}
    for path in list(nodes):
        _hang(path, nodes)
    edges = _edges(makers, readers, nodes, graph)
    for layer in [n for n in nodes.values() if not n["is_leaf_node"]]:
        _summarize(layer, nodes, makers, readers)
    values = [_value(name, spec, graph, makers, readers) for name, spec in graph.values.items()]
    listed = [dict(n, attr_types=n.get("attr_types", {})) for n in nodes.values()]
    return {"version": VERSION, "nodes": listed, "vars": values, "edges": edges}


def shape_of(spec: Spec) -> list[int]:
    """The sizes, -1 for those that are open."""
    return [-1 if isinstance(n, SymbolicDim) else int(n) for n in spec.shape]


def _is_kept(n: Node, graph: Graph) -> bool:
    """Parameters are values without a node."""
    return not n.reads and any(name in graph.kept for name in n.makes)


def _leaf(n: Node, makers: dict[str, str], readers: dict[str, list[str]]) -> dict[str, Any]:
    return _node(
        n.path,
        n.kind,
        attrs=dict(n.attrs),
        attr_types={name: _kind_of(value) for name, value in n.attrs},
        input_vars={f"X{k}": [name] for k, name in enumerate(n.reads)},
        output_vars={f"Out{k}": [name] for k, name in enumerate(n.makes)},
        input_nodes=[makers[name] for name in n.reads if name in makers],
        output_nodes=[p for name in n.makes for p in readers.get(name, ())],
    )


def _node(path: str, kind: str, **told: Any) -> dict[str, Any]:
    is_leaf = bool(told)
    empty: dict[str, Any] = {"attrs": {}, "input_vars": {}, "output_vars": {}}
    return {
        "name": path,
        "show_name": re.sub(r"\[[\w.]*\]", "", path),
        "type": kind,
        "is_leaf_node": is_leaf,
        "parent_node": "",
        "children_node": [],
        "input_nodes": [],
        "output_nodes": [],
        "edge_input_nodes": [],
        "edge_output_nodes": [],
        **empty,
        **told,
    }


def _hang(path: str, nodes: dict[str, dict[str, Any]]) -> None:
    """Put a node into its layer, and that into its own, up to the root."""
    while path != ROOT:
        above = path.rpartition("/")[0] or ROOT
        is_new = above not in nodes
        if is_new:
            nodes[above] = _node(above, re.sub(r"\[[\w.]*\]", "", above.rpartition("/")[2]))
        nodes[path]["parent_node"] = above
        nodes[above]["children_node"].append(path)
        if not is_new:
            return
        path = above


def _edges(
    makers: dict[str, str],
    readers: dict[str, list[str]],
    nodes: dict[str, dict[str, Any]],
    graph: Graph,
) -> list[dict[str, Any]]:
    through: dict[tuple[str, str], list[str]] = {}
    for name, maker in makers.items():
        for reader in readers.get(name, ()):
            for pair in _borders(maker, reader, nodes):
                names = through.setdefault(pair, [])
                if name not in names:
                    names.append(name)
    edges = []
    for (a, b), names in through.items():
        nodes[a]["edge_output_nodes"].append(b)
        nodes[b]["edge_input_nodes"].append(a)
        one = str(shape_of(graph.values[names[0]]))
        label = one if len(names) == 1 else f"{len(names)} tensors"
        edges.append({"from_node": a, "to_node": b, "vars": names, "label": label})
    return edges


def _borders(
    maker: str, reader: str, nodes: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """The edges from one operator to another: out of layers, across, into layers."""
    out, into = _layers(maker, nodes), _layers(reader, nodes)
    common = len([None for a, b in zip(out, into, strict=False) if a == b])
    leaving, entering = out[common:], into[common:]  # each begins with what lies side by side
    if not leaving or not entering:
        return
    for above, below in pairwise(leaving):
        yield below, above
    yield leaving[0], entering[0]
    yield from pairwise(entering)


def _layers(path: str, nodes: dict[str, dict[str, Any]]) -> list[str]:
    """The layers that a node is in, from the root on, and itself."""
    found = [path]
    while found[-1] != ROOT:
        found.append(nodes[found[-1]]["parent_node"])
    return found[::-1]


def _summarize(
    layer: dict[str, Any],
    nodes: dict[str, dict[str, Any]],
    makers: dict[str, str],
    readers: dict[str, list[str]],
) -> None:
    """What goes into a layer and comes out of it."""
    inside = {p for p in nodes if p.startswith(layer["name"].rstrip("/") + "/")}
    leaves = [nodes[p] for p in inside if nodes[p]["is_leaf_node"]]
    read = {v for n in leaves for names in n["input_vars"].values() for v in names}
    made = {v for n in leaves for names in n["output_vars"].values() for v in names}
    coming = sorted(v for v in read if makers.get(v, "") not in inside)
    going = sorted(v for v in made if any(p not in inside for p in readers.get(v, ())))
    layer["input_vars"], layer["output_vars"] = {"X": coming}, {"Y": going}
    layer["input_nodes"] = sorted({makers[v] for v in coming if v in makers})
    layer["output_nodes"] = sorted({p for v in going for p in readers[v] if p not in inside})


def _value(
    name: str,
    spec: Spec,
    graph: Graph,
    makers: dict[str, str],
    readers: dict[str, list[str]],
) -> dict[str, Any]:
    return {
        "name": name,
        "shape": shape_of(spec),
        "type": "VarType.LOD_TENSOR",
        "dtype": f"paddle.{spec.dtype.name}",
        "value": [],
        "persistable": name in graph.kept,
        "attrs": {},
        "from_node": makers.get(name, ""),
        "to_nodes": list(readers.get(name, ())),
    }


def _kind_of(value: Any) -> str:
    if isinstance(value, list):
        return f"{KINDS[type(value[0])]}S"
    return KINDS[type(value)]

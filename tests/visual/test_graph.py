"""Graphs of models: VisualDL's file, TensorBoard's event, what they say of layers and values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.static import InputSpec
from twinoar.visual import LogWriter
from twinoar.visual.board import Runs
from twinoar.visual.events import events_of
from twinoar.visual.graph import graph_of
from twinoar.visual.graph_file import as_visualdl

SPEC = [InputSpec([None, 4], "float32")]


class Block(nn.Layer):
    """A layer with a branch, and a number of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        if x.sum() > 0:
            x = x * 2.0
        return self.inner(x) + x


def model() -> nn.Layer:
    return nn.Sequential(nn.Linear(4, 4), Block(), nn.Sequential(nn.ReLU(), nn.Linear(4, 2)))


def test_operators_stand_in_the_layers_that_call_them() -> None:
    graph = graph_of(model(), SPEC)
    paths = {n.path: n.kind for n in graph.nodes}
    assert paths["/Sequential[model]/Linear[0]/linear_0"] == "linear"
    assert paths["/Sequential[model]/Block[1]/Linear[inner]/linear_1"] == "linear"
    assert paths["/Sequential[model]/Sequential[2]/ReLU[0]/relu_0"] == "relu"
    assert "if" in paths["/Sequential[model]/Block[1]/if_0"]
    assert [n.kind for n in graph.nodes].count("parameter") == 6
    assert [n.path for n in graph.nodes][-1] == "/output_0"


def test_what_is_read_was_made_before() -> None:
    graph = graph_of(model(), SPEC)
    made: set[str] = set()
    for n in graph.nodes:
        assert made.issuperset(n.reads), n
        made |= set(n.makes)
    assert made == graph.values.keys()


def test_the_layer_computes_what_it_did_and_has_no_hooks_left() -> None:
    net = model()
    x = paddle.to_tensor([[1.0, -2.0, 3.0, 0.5]])
    before = net(x).numpy()
    graph_of(net, SPEC)
    assert (net(x).numpy() == before).all()
    assert not any(
        layer._forward_pre_hooks or layer._forward_post_hooks
        for layer in net.sublayers(include_self=True)
    )


def test_an_error_in_the_model_leaves_no_hooks_and_no_scope() -> None:
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(5, 2))
    with pytest.raises(ArgumentError):
        graph_of(net, SPEC)
    assert not any(layer._forward_pre_hooks for layer in net.sublayers())
    assert graph_of(nn.Linear(4, 2), SPEC).nodes[-2].path == "/Linear[model]/linear_0"


def test_what_is_no_layer_is_refused() -> None:
    with pytest.raises(TypeMismatchError, match="expected a Layer, received function"):
        graph_of(lambda x: x, SPEC)  # type: ignore[arg-type]


@pytest.fixture
def told() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(as_visualdl(graph_of(model(), SPEC))))
    return found


def test_nodes_values_and_edges_refer_to_what_is_there(told: dict[str, Any]) -> None:
    nodes = {n["name"]: n for n in told["nodes"]}
    values = {v["name"]: v for v in told["vars"]}
    for n in nodes.values():
        assert n["name"] == "/" or n["name"] in nodes[n["parent_node"]]["children_node"]
        assert set(n["children_node"]) <= nodes.keys()
        for ends in ("input_nodes", "output_nodes", "edge_input_nodes", "edge_output_nodes"):
            assert set(n[ends]) <= nodes.keys()
        for named in (*n["input_vars"].values(), *n["output_vars"].values()):
            assert set(named) <= values.keys()
        assert n["attrs"].keys() == n["attr_types"].keys()
        assert n["is_leaf_node"] == (not n["children_node"])
    for edge in told["edges"]:
        assert {edge["from_node"], edge["to_node"]} <= nodes.keys()
        assert set(edge["vars"]) <= values.keys() and edge["label"]
    assert {v["name"] for v in told["vars"] if v["persistable"]} == {
        name for name in values if name.endswith((".w_0", ".b_0"))
    }


def test_an_edge_crosses_each_border_of_layers_once(told: dict[str, Any]) -> None:
    edges = {(e["from_node"], e["to_node"]) for e in told["edges"]}
    top = "/Sequential[model]"
    last = f"{top}/Sequential[2]"
    assert ("/x0", top) in edges and (top, "/output_0") in edges
    assert (f"{last}/ReLU[0]", f"{last}/Linear[1]") in edges
    assert (f"{top}/Block[1]", last) in edges
    assert (f"{last}/ReLU[0]/relu_0", f"{last}/ReLU[0]") in edges


def test_visualdl_has_the_same_fields_and_edges_of_layers() -> None:
    """What VisualDL 2.5.3 and Paddle 2.6.2 write of this model, but for operators' names."""
    net = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.ReLU(), nn.Linear(4, 2)))
    told = as_visualdl(graph_of(net, SPEC))
    top, inner = "/Sequential[model]", "/Sequential[model]/Sequential[1]"
    layers = {"/", top, inner, f"{top}/Linear[0]", f"{inner}/ReLU[0]", f"{inner}/Linear[1]"}
    assert {n["name"] for n in told["nodes"] if not n["is_leaf_node"]} == layers
    pairs = {(e["from_node"], e["to_node"]) for e in told["edges"]}
    assert {pair for pair in pairs if set(pair) <= layers} == {
        (top, f"{top}/Linear[0]"),
        (f"{top}/Linear[0]", inner),
        (inner, f"{inner}/ReLU[0]"),
        (f"{inner}/ReLU[0]", f"{inner}/Linear[1]"),
        (f"{inner}/Linear[1]", inner),
        (inner, top),
    }
    assert told["nodes"][0].keys() == {
        "name", "show_name", "type", "input_vars", "is_leaf_node", "output_vars", "attrs",
        "attr_types", "children_node", "input_nodes", "output_nodes", "edge_input_nodes",
        "edge_output_nodes", "parent_node",
    }  # fmt: skip
    value = next(v for v in told["vars"] if v["name"].endswith("w_0"))
    assert (value["shape"], value["dtype"], value["type"]) == (
        [4, 4], "paddle.float32", "VarType.LOD_TENSOR",
    )  # fmt: skip
    assert value.keys() == {
        "name", "shape", "type", "dtype", "value", "persistable", "attrs", "from_node", "to_nodes",
    }  # fmt: skip


def test_the_layer_that_holds_all_has_the_models_inputs(told: dict[str, Any]) -> None:
    (top,) = [n for n in told["nodes"] if n["name"] == "/Sequential[model]"]
    assert "x0" in top["input_vars"]["X"] and top["output_nodes"] == ["/output_0"]


def test_visualdls_file_stands_beside_the_records(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_graph(model(), SPEC)
        writer.add_graph(nn.Linear(4, 2), SPEC)
    files = sorted(file.name for file in tmp_path.iterdir())
    assert [name.split(".")[0] for name in files] == ["vdlgraph", "vdlgraph", "vdlrecords"]
    assert json.loads((tmp_path / files[0]).read_text())["version"] == "1.0.0"
    runs = Runs(tmp_path)
    runs.read()
    shown = {"scalar": {"loss": {".": 1}}, "graph": {"graph": {".": 2}}}
    assert runs.tags() == shown and not runs.problems


def test_tensorboards_messages_read_the_event(tmp_path: Path) -> None:
    from tensorboardX.proto.graph_pb2 import GraphDef

    with LogWriter(str(tmp_path), form="tensorboard") as writer:
        writer.add_graph(model(), SPEC)
    data = Path(writer.file_name).read_bytes()
    (event,) = [e for e in events_of(data, "") if e.graph_def]
    nodes = {n.name: n for n in GraphDef.FromString(event.graph_def).node}
    linear = nodes["Sequential[model]/Linear[0]/linear_0"]
    assert linear.op == "linear" and linear.input[0] == "x0"
    assert [n.split(":")[0] in nodes for each in nodes.values() for n in each.input].count(
        False
    ) == 0
    (shape,) = linear.attr["_output_shapes"].list.shape
    assert [d.size for d in shape.dim] == [-1, 4]
    assert linear.attr["dtype"].type == 1 and nodes["x0"].op == "Placeholder"
    weight = nodes["Sequential[model]/Linear[0]/" + linear.input[1].rpartition("/")[2]]
    assert weight.op == "Parameter"


def test_a_tensor_may_stand_for_its_spec(tmp_path: Path, capsys: Any) -> None:
    with LogWriter(str(tmp_path)) as writer:
        writer.add_graph(nn.Linear(4, 2), [paddle.ones([3, 4])], verbose=True)
    assert capsys.readouterr().out == "1 operators in 1 layers: 1 linear\n"


def test_nothing_is_written_where_nothing_shall_be(tmp_path: Path) -> None:
    writer = LogWriter(str(tmp_path / "a"), write_to_disk=False)
    writer.add_graph(nn.Linear(4, 2), SPEC)
    assert not (tmp_path / "a").exists()
    writer.close()
    with pytest.raises(ArgumentError, match="closed"):
        writer.add_graph(nn.Linear(4, 2), SPEC)

"""Programs as graphs: walking, editing, drawing."""

import numpy as np
import pytest

import twinoar as paddle
from tests.passes.programs import outputs, program, types
from twinoar import static
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError, UnknownNameError
from twinoar.passes import Graph

BODY = """
    %a: f32[2,3] = tanh(%x)
    %b: f32[2,3] = exp(%a)
    %c: f32[2,3] = add(%a, %b)
    return %c
"""
X = np.linspace(-1, 1, 6).reshape(2, 3)


@pytest.fixture
def graph():
    return Graph(program(BODY))


def only(graph, kind):
    (node,) = graph.find(kind)
    return node


def test_nodes_know_their_neighbors(graph):
    tanh, exp, add = graph
    assert [n.type for n in graph] == ["tanh", "exp", "add"]
    assert tanh.producers == [] and tanh.users == [exp, add]
    assert add.producers == [tanh, exp] and [v.name for v in add.inputs] == ["a", "b"]
    assert graph.node_of("b") is exp and graph.node_of("x") is None
    assert graph.users_of("a") == [exp, add] and len(graph) == 3


def test_the_program_of_a_graph_is_a_copy(graph):
    given = program(BODY)
    copied = Graph(given).to_program()
    assert copied.to_text() == given.to_text() and copied is not given


def test_a_node_is_replaced_by_new_ones(graph):
    exp = only(graph, "exp")
    with graph.before(exp):
        new = paddle.abs(exp.inputs[0])
    graph.replace(exp, new)
    changed = graph.to_program()
    assert types(changed) == ["tanh", "abs", "add"]
    np.testing.assert_allclose(outputs(changed, X)[0], np.tanh(X) + np.abs(np.tanh(X)), rtol=1e-6)


def test_an_operator_is_inserted_behind_a_value(graph):
    graph.insert_after("a", lambda a: paddle.square(a))
    changed = graph.to_program()
    assert types(changed) == ["tanh", "square", "exp", "add"]
    np.testing.assert_allclose(
        outputs(changed, X)[0], np.tanh(X) ** 2 + np.exp(np.tanh(X) ** 2), rtol=1e-6
    )


def test_an_operator_is_inserted_behind_a_node(graph):
    exp = only(graph, "exp")
    with graph.after(exp):
        new = paddle.neg(exp.outputs[0])
    only(graph, "add").connect(exp.outputs[0], new)
    assert types(graph.to_program()) == ["tanh", "exp", "neg", "add"]


def test_a_node_in_use_is_not_deleted(graph):
    with pytest.raises(ProgramError, match="still read by add"):
        graph.delete(only(graph, "exp"))
    with pytest.raises(ProgramError, match="still read by the program"):
        graph.delete(only(graph, "add"))
    graph.replace("c", graph.variable("a"))
    graph.safe_remove_nodes([only(graph, "exp"), only(graph, "add")])
    assert types(graph.to_program()) == ["tanh"]


def test_a_replacement_of_another_shape_is_refused(graph):
    with graph.after(only(graph, "exp")):
        total = paddle.sum(graph.variable("b"))
    with pytest.raises(ProgramError, match=r"%b: f32\[2,3\] cannot be replaced by f32\[\]"):
        graph.replace("b", total)


def test_a_cycle_is_refused(graph):
    tanh = only(graph, "tanh")
    tanh.connect(graph.variable("x"), graph.variable("b"))
    with pytest.raises(ProgramError, match=r"cycle: (tanh -> exp -> tanh|exp -> tanh -> exp)"):
        graph.to_program()


def test_nodes_connected_out_of_order_are_sorted(graph):
    exp = only(graph, "exp")
    with graph.after(only(graph, "add")):
        late = paddle.abs(graph.variable("x"))
    exp.connect(graph.variable("a"), late)
    assert types(graph.to_program()) == ["tanh", "abs", "exp", "add"]


def test_a_part_is_a_program_of_its_own(graph):
    part = graph.subgraph(["a"], ["b"])
    assert types(part) == ["exp"] and [v.name for v in part.main.inputs] == ["a"]
    np.testing.assert_allclose(outputs(part, X)[0], np.exp(X), rtol=1e-6)
    assert types(graph.to_program()) == ["tanh", "exp", "add"]


def test_a_part_names_the_inputs_that_it_lacks(graph):
    with pytest.raises(ProgramError, match="the outputs need %x too"):
        graph.subgraph(["b"], ["c"])


def test_unknown_variables_have_near_names(graph):
    with pytest.raises(UnknownNameError, match="use one of"):
        graph.variable("aa")


def test_effects_keep_their_order():
    def both(x):
        return static.Print(x, message="first"), static.Print(x, message="second")

    given = trace(both, Spec((2,)))
    assert all(o.has_effect for o in given.main.ops)
    assert Graph(given).to_program().to_text() == given.to_text()


@pytest.mark.parametrize(
    ("ending", "pieces"),
    [
        ("svg", ["<svg", ">tanh<", ">exp<", ">add<", "2 x 3"]),
        ("html", ["<svg", 'href="#g-o1"', '<span id="g-o1">', "exp(%a)"]),
        ("dot", ['digraph "p"', 'label="x: f32[2,3]"', "v0 -> o0;", "o0 -> o2;", "o1 -> o2;"]),
    ],
)
def test_graphs_are_drawn(graph, tmp_path, ending, pieces):
    text = graph.draw(tmp_path / f"graph.{ending}").read_text()
    assert [p for p in pieces if p not in text] == []


def test_another_kind_of_picture_is_refused(graph, tmp_path):
    with pytest.raises(ArgumentError, match=r"must end in \.svg, \.html, \.dot"):
        graph.draw(tmp_path / "graph.png")


def test_static_programs_make_graphs_and_differences():
    main = static.Program()
    with static.program_guard(main):
        paddle.tanh(static.data("x", [2]))
    graph = main.to_graph()
    graph.insert_after("x", paddle.abs)
    assert "abs(%x)" in main.diff(graph.to_program())

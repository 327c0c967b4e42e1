"""ONNX models become Layers: they run, train, are saved; what is no model is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import twinoar as paddle
from twinoar import nn, static
from twinoar.cli import main
from twinoar.errors import ArgumentError, FileError, TwinoarError, UnsupportedError
from twinoar.onnx import load

FLOAT, INT64, BOOL, UINT16 = 1, 7, 9, 4


def model_of(nodes: list, inputs: dict, outputs: dict, arrays: dict | None = None, **kwargs: Any):
    """A model whose inputs and outputs are told as (type, sizes)."""
    told = [[helper.make_tensor_value_info(n, *v) for n, v in x.items()] for x in (inputs, outputs)]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in (arrays or {}).items()]
    graph = helper.make_graph(nodes, "main", *told, tensors)
    kwargs.setdefault("opset_imports", [helper.make_opsetid("", 17)])
    return helper.make_model(graph, **kwargs)


def loaded(*args: Any, **kwargs: Any) -> Any:
    return load(model_of(*args, **kwargs).SerializeToString())


def exported(tmp_path: Path, net: Any, shape: list) -> Path:
    spec = [static.InputSpec(shape, "float32", "x")]
    paddle.onnx.export(net, str(tmp_path / "net"), spec, opset_version=17)
    return tmp_path / "net.onnx"


NETWORKS = {
    "lenet": (paddle.vision.models.LeNet, [None, 1, 28, 28], (1, 28, 28)),
    "mobilenet": (paddle.vision.models.mobilenet_v2, [None, 3, 32, 32], (3, 32, 32)),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 1),
        [None, None, 16],
        (7, 16),
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_exported_comes_back_as_a_program(tmp_path: Path, name: str) -> None:
    make, shape, sizes = NETWORKS[name]
    paddle.seed(3)
    net = make()
    net.eval()
    layer = load(exported(tmp_path, net, shape))
    paddle.jit.save(layer, str(tmp_path / "again"), layer.input_spec)
    again = paddle.jit.load(str(tmp_path / "again"))
    for batch in (1, 4):
        x = paddle.randn([batch, *sizes])
        want = net(x).numpy()
        for other in (layer, again):
            assert np.abs(other(x).numpy() - want).max() <= 1e-5 * np.abs(want).max()


def test_an_imported_layer_trains(tmp_path: Path) -> None:
    paddle.seed(5)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 1))
    layer = load(exported(tmp_path, net, [None, 4]))
    kept = sorted(tuple(b.shape) for b in layer.buffers())
    assert kept == [(8,), (8,)]
    assert not layer.training
    layer.train()
    optimizer = paddle.optimizer.Adam(0.05, parameters=layer.parameters())
    x = paddle.randn([64, 4])
    y = paddle.sum(x, 1, keepdim=True)
    losses = []
    for _ in range(40):
        loss = ((layer(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses[-1] < 0.1 * losses[0]


def test_an_imported_layer_is_exported_again(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU())
    path = exported(tmp_path, net, [None, 1, 8, 8])
    layer = load(path)
    paddle.onnx.export(layer, str(tmp_path / "second"), layer.input_spec, opset_version=13)
    x = paddle.randn([2, 1, 8, 8])
    assert np.allclose(load(tmp_path / "second.onnx")(x), net(x), atol=1e-6)


def test_inputs_are_given_in_order_or_by_name() -> None:
    layer = loaded(
        [helper.make_node("Sub", ["a", "b"], ["c"])],
        {"a": (FLOAT, [2]), "b": (FLOAT, [2])},
        {"c": (FLOAT, [2])},
    )
    a, b = paddle.to_tensor([3.0, 4.0]), paddle.to_tensor([1.0, 1.0])
    assert layer(a, b).tolist() == layer(b=b, a=a).tolist() == [2.0, 3.0]
    with pytest.raises(ArgumentError, match=r"the inputs \['b'\] are missing"):
        layer(a)
    with pytest.raises(ArgumentError, match="expected the inputs"):
        layer(a, b, c=b)


def shapes_of_a_run() -> Any:
    """A model that flattens by a shape it computes, as exporters write it."""
    return loaded(
        [
            helper.make_node("Shape", ["x"], ["s"]),
            helper.make_node("Gather", ["s", "zero"], ["n"]),
            helper.make_node("Unsqueeze", ["n", "axis"], ["row"]),
            helper.make_node("Concat", ["row", "rest"], ["to"], axis=0),
            helper.make_node("Reshape", ["x", "to"], ["y"]),
        ],
        {"x": (FLOAT, ["N", 2, 3])},
        {"y": (FLOAT, ["N", 6])},
        {"zero": np.int64(0), "axis": np.array([0]), "rest": np.array([-1])},
    )


def test_sizes_that_a_run_decides_are_computed_with(tmp_path: Path) -> None:
    layer = shapes_of_a_run()
    paddle.jit.save(layer, str(tmp_path / "m"), layer.input_spec)
    again = paddle.jit.load(str(tmp_path / "m"))
    for n in (1, 5):
        assert again(paddle.zeros([n, 2, 3])).shape == [n, 6]


def branches() -> Any:
    def branch(type: str) -> Any:
        out = helper.make_tensor_value_info(type, FLOAT, None)
        return helper.make_graph([helper.make_node(type, ["x"], [type])], type, [], [out])

    return loaded(
        [
            helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0),
            helper.make_node("Greater", ["total", "zero"], ["c"]),
            helper.make_node(
                "If", ["c"], ["y"], then_branch=branch("Exp"), else_branch=branch("Neg")
            ),
        ],
        {"x": (FLOAT, [3])},
        {"y": (FLOAT, [3])},
        {"zero": np.float32(0)},
    )  # fmt: skip


@pytest.mark.parametrize("as_program", [False, True])
def test_branches_are_chosen_by_values(as_program: bool) -> None:
    layer = paddle.jit.to_static(branches()) if as_program else branches()
    x = paddle.to_tensor([1.0, 2.0, 3.0])
    assert np.allclose(layer(x), np.exp(x.numpy()))
    assert np.allclose(layer(-x), x.numpy())


@pytest.mark.parametrize("as_program", [False, True])
def test_a_loop_goes_on_as_long_as_values_say(as_program: bool) -> None:
    body = helper.make_graph(
        [
            helper.make_node("Add", ["v", "v"], ["w"]),
            helper.make_node("ReduceSum", ["w"], ["t"], keepdims=0),
            helper.make_node("Less", ["t", "limit"], ["goes"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("n", INT64, []),
            helper.make_tensor_value_info("c", BOOL, []),
            helper.make_tensor_value_info("v", FLOAT, [2]),
        ],
        [
            helper.make_tensor_value_info("goes", BOOL, []),
            helper.make_tensor_value_info("w", FLOAT, [2]),
        ],
    )
    layer = loaded(
        [helper.make_node("Loop", ["", "", "x"], ["y"], body=body)],
        {"x": (FLOAT, [2])},
        {"y": (FLOAT, [2])},
        {"limit": np.float32(100)},
    )
    layer = paddle.jit.to_static(layer) if as_program else layer
    assert layer(paddle.to_tensor([1.0, 2.0])).tolist() == [64.0, 128.0]


def collecting(trips: list[str]) -> Any:
    """A loop that collects what it carries, three times or as often as its input says."""
    body = helper.make_graph(
        [
            helper.make_node("Add", ["v", "v"], ["w"]),
            helper.make_node("Identity", ["w"], ["kept"]),
            helper.make_node("Add", ["k", "one"], ["more"]),
            helper.make_node("Less", ["more", "three"], ["goes"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("n", INT64, []),
            helper.make_tensor_value_info("c", BOOL, []),
            helper.make_tensor_value_info("k", INT64, []),
            helper.make_tensor_value_info("v", FLOAT, ["N"]),
        ],
        [
            helper.make_tensor_value_info("goes", BOOL, []),
            helper.make_tensor_value_info("more", INT64, []),
            helper.make_tensor_value_info("w", FLOAT, ["N"]),
            helper.make_tensor_value_info("kept", FLOAT, ["N"]),
        ],
    )
    inputs = {"x": (FLOAT, ["N"])} | {name: (INT64, []) for name in trips}
    return loaded(
        [
            helper.make_node(
                "Loop", [*(trips or ["many"]), "", "zero", "x"], ["k_", "y", "z"], body=body
            )
        ],
        inputs,
        {"y": (FLOAT, ["N"]), "z": (FLOAT, [None, "N"])},
        {"many": np.int64(9), "zero": np.int64(0), "one": np.int64(1), "three": np.int64(3)},
    )


@pytest.mark.parametrize("as_program", [False, True])
def test_a_loop_whose_end_is_known_collects(as_program: bool) -> None:
    layer = paddle.jit.to_static(collecting([])) if as_program else collecting([])
    last, all_of_them = layer(paddle.to_tensor([1.0, 2.0]))
    assert last.tolist() == [8.0, 16.0]
    assert all_of_them.tolist() == [[2.0, 4.0], [4.0, 8.0], [8.0, 16.0]]


def test_a_loop_that_collects_until_a_run_decides_is_refused_in_a_program() -> None:
    layer, x, n = collecting(["often"]), paddle.to_tensor([1.0]), paddle.to_tensor(2)
    assert layer(x, n)[1].tolist() == [[2.0], [4.0]]
    with pytest.raises(UnsupportedError, match="a loop that collects results"):
        paddle.jit.to_static(layer)(x, n)


def test_the_greatest_of_sizes_that_a_run_decides_is_one(tmp_path: Path) -> None:
    layer = loaded(
        [
            helper.make_node("Shape", ["x"], ["s"]),
            helper.make_node("Shape", ["y"], ["t"]),
            helper.make_node("Max", ["s", "t"], ["to"]),
            helper.make_node("Expand", ["x", "to"], ["z"]),
        ],
        {"x": (FLOAT, ["N", 1]), "y": (FLOAT, ["N", 4])},
        {"z": (FLOAT, ["N", 4])},
    )
    paddle.jit.save(layer, str(tmp_path / "m"), layer.input_spec)
    again = paddle.jit.load(str(tmp_path / "m"))
    for n in (1, 5):
        assert again(paddle.ones([n, 1]), paddle.zeros([n, 4])).tolist() == [[1.0] * 4] * n


def test_functions_of_a_model() -> None:
    function = helper.make_function(
        "own", "Scaled", ["a"], ["b"],
        [
            helper.make_node("Elu", ["a"], ["e"]),
            helper.make_node("Add", ["e", "e"], ["b"]),
        ],
        [helper.make_opsetid("", 17)], ["alpha"],
    )  # fmt: skip
    reference = function.node[0].attribute.add(name="alpha", type=1)
    reference.ref_attr_name = "alpha"
    layer = loaded(
        [helper.make_node("Scaled", ["x"], ["y"], domain="own", alpha=2.0)],
        {"x": (FLOAT, [2])},
        {"y": (FLOAT, [2])},
        functions=[function],
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)],
    )
    assert np.allclose(layer(paddle.to_tensor([1.0, -1.0])), [2.0, 4 * (np.exp(-1) - 1)])


def test_elements_in_a_file_beside_the_model(tmp_path: Path) -> None:
    weight = np.arange(2000, dtype="float32").reshape(2, 1000)
    model = model_of(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        {"x": (FLOAT, [1, 2])}, {"y": (FLOAT, [1, 1000])}, {"w": weight},
    )  # fmt: skip
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="weights")
    x = paddle.to_tensor([[1.0, 2.0]])
    assert np.allclose(load(tmp_path / "m.onnx")(x), x.numpy() @ weight)
    with pytest.raises(FileError, match="lie in another file"):
        load((tmp_path / "m.onnx").read_bytes())
    (tmp_path / "weights").write_bytes(b"short")
    with pytest.raises(FileError, match=r"has 1 elements|cannot read"):
        load(tmp_path / "m.onnx")
    tensor = model.graph.initializer[0]
    tensor.external_data[0].value = "../weights"
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/m.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(FileError, match="outside the model's folder"):
        load(tmp_path / "inner/m.onnx")


def test_numbers_of_16_bits_without_sign_carry_nothing_over() -> None:
    layer = loaded(
        [helper.make_node("Add", ["a", "b"], ["c"]), helper.make_node("Div", ["c", "b"], ["d"])],
        {"a": (UINT16, [2]), "b": (UINT16, [2])},
        {"d": (UINT16, [2])},
    )
    a, b = np.array([65535, 8], "uint16"), np.array([2, 2], "uint16")
    assert layer(a, b).tolist() == ((a + b) // b).tolist()


def test_an_unknown_operator_or_attribute_is_named() -> None:
    told = {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}
    with pytest.raises(UnsupportedError, match="the ONNX operator Unheard 'first' of opset 17"):
        loaded([helper.make_node("Unheard", ["x"], ["y"], name="first")], *told)(paddle.ones([2]))
    with pytest.raises(UnsupportedError, match=r"the attributes \['slope'\] of Relu") as caught:
        loaded([helper.make_node("Relu", ["x"], ["y"], name="n", slope=1.0)], *told)(
            paddle.ones([2])
        )
    assert caught.value.__notes__ == ["  in the ONNX node Relu 'n'"]


def test_an_operand_that_only_a_run_knows_is_refused_in_a_program() -> None:
    layer = loaded(
        [helper.make_node("Reshape", ["x", "s"], ["y"])],
        {"x": (FLOAT, [4]), "s": (INT64, [2])},
        {"y": (FLOAT, None)},
    )
    shape = paddle.to_tensor([2, 2])
    assert layer(paddle.ones([4]), shape).shape == [2, 2]
    with pytest.raises(UnsupportedError, match="has to be known before the Program runs"):
        paddle.jit.to_static(layer)(paddle.ones([4]), shape)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        load(tmp_path / "none.onnx")
    for data in (b"", b"no model", bytes(range(256))):
        with pytest.raises(FileError):
            load(data)


def test_mutants_of_a_model_run_or_are_refused(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(72, 3))
    data = exported(tmp_path, net, [None, 1, 8, 8]).read_bytes()
    random = np.random.default_rng(7)
    x = paddle.ones([1, 1, 8, 8])
    for _ in range(300):
        mutant = bytearray(data)
        for _ in range(random.integers(1, 4)):
            place = random.integers(len(mutant))
            if random.random() < 0.3:
                del mutant[place : place + int(random.integers(1, 30))]
            else:
                mutant[place] = random.integers(256)
        with suppress(TwinoarError):
            load(bytes(mutant))(x)


def test_the_commands_write_files_that_agree(tmp_path: Path, capsys: Any) -> None:
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh())
    x = paddle.randn([2, 4])
    paddle.jit.save(net, str(tmp_path / "net"), [static.InputSpec([None, 4], "float32", "x")])
    assert main(["export", str(tmp_path / "net"), "--onnx", str(tmp_path / "net.onnx")]) == 0
    assert np.allclose(load(tmp_path / "net.onnx")(x), net(x), atol=1e-6)
    model, folder = f"--model={tmp_path / 'net.onnx'}", tmp_path / "pd_model"
    assert main(["x2paddle", "--framework=onnx", model, f"--save_dir={folder}"]) == 0
    assert np.allclose(paddle.jit.load(str(folder / "inference_model/model"))(x), net(x), atol=1e-6)
    assert "def build()" in (folder / "x2paddle_code.py").read_text()
    assert main(["import", str(tmp_path / "none.onnx"), "-o", str(tmp_path / "m")]) == 1
    assert "cannot read" in capsys.readouterr().err

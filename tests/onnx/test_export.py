"""Layers become ONNX models: a whole file, or a clear error and none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.core.ir.program import Program
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.export.entry_point import entry_points
from twinoar.export.inference import traced_for_inference
from twinoar.export.save import for_saving
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.tensors import array_of
from twinoar.formats.protobuf import parse
from twinoar.onnx.export import write_files


def exported(tmp_path: Path, net, shape: list, **kwargs):
    spec = [static.InputSpec(shape, "float32", "x")]
    paddle.onnx.export(net, str(tmp_path / "net"), spec, **kwargs)
    return parse(schema.Model, (tmp_path / "net.onnx").read_bytes(), "net.onnx")


def test_a_layer_is_written_with_its_names_and_weights(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(4, 2), nn.ReLU())
    model = exported(tmp_path, net, [None, 4], opset_version=17)
    assert [node.op_type for node in model.graph.node] == ["MatMul", "Add", "Relu"]
    (given,) = model.graph.input
    first, second = given.type.tensor_type.shape.dim
    assert (given.name, first.dim_param, second.dim_value) == ("x", "N", 4)
    weight = next(t for t in model.graph.initializer if list(t.dims) == [4, 2])
    assert np.array_equal(array_of(weight), net[0].weight.numpy())
    assert [(o.domain, o.version) for o in model.opset_import] == [("", 17)]


@pytest.mark.parametrize(("asked", "written"), [(9, 11), (10, 11), (11, 11), (28, 28)])
def test_the_versions_that_are_written(tmp_path: Path, asked: int, written: int) -> None:
    model = exported(tmp_path, nn.Linear(4, 2), [None, 4], opset_version=asked)
    assert model.opset_import[0].version == written


@pytest.mark.parametrize("opset", [8, 29, -1])
def test_another_version_is_refused(tmp_path: Path, opset: int) -> None:
    with pytest.raises(ArgumentError, match=f"an opset from 11 to 28, received {opset}"):
        exported(tmp_path, nn.Linear(4, 2), [None, 4], opset_version=opset)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("layer", "shape"), [(nn.Conv2D, [1, 3, 8, 8]), (nn.Conv3D, [1, 3, 4, 4, 4])]
)
def test_a_convolution_in_bfloat16_asks_for_the_version_that_has_it(tmp_path, layer, shape) -> None:
    spec = [static.InputSpec(shape, "bfloat16", "x")]
    net = layer(3, 4, 3, dtype="bfloat16")
    with pytest.raises(UnsupportedError, match="Conv of bfloat16 is in ONNX since opset 22"):
        paddle.onnx.export(net, str(tmp_path / "net"), spec, opset_version=17)
    assert list(tmp_path.iterdir()) == []


def test_dropout_is_off_and_a_layer_stays_in_training(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    model = exported(tmp_path, net, [None, 4])
    assert "Dropout" not in {node.op_type for node in model.graph.node}
    assert net.training


def test_an_operator_without_a_form_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    class Bessel(nn.Layer):
        def forward(self, x):
            return paddle.i0(x)

    with pytest.raises(UnsupportedError, match="i0 has no form in ONNX") as caught:
        exported(tmp_path, Bessel(), [None, 4])
    assert "test_export.py" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_that_nobody_reads(tmp_path: Path) -> None:
    class Drawn(nn.Layer):
        def forward(self, x):
            values, _ = paddle.topk(x, 2)
            return values + paddle.randn(values.shape)

    for n, net in enumerate((Drawn(), nn.LSTM(4, 3), paddle.vision.models.LeNet())):
        shape = [1, 1, 28, 28] if n == 2 else [2, None, 4] if n == 1 else [None, 4]
        graph = exported(tmp_path, net, shape, opset_version=17).graph
        read = {name for node in graph.node for name in node.input}
        assert {array.name for array in graph.initializer} <= read
        results = {told.name for told in graph.output}
        assert all(read.union(results).intersection(node.output) for node in graph.node)


def test_softmax_along_another_axis_before_version_13(tmp_path: Path) -> None:
    model = exported(tmp_path, nn.Softmax(axis=1), [None, 3, 4], opset_version=11)
    assert [node.op_type for node in model.graph.node] == ["Transpose", "Softmax", "Transpose"]


def test_sizes_that_a_run_decides_are_computed(tmp_path: Path) -> None:
    class Swapped(nn.Layer):
        def forward(self, x):
            n, m = x.shape[0], x.shape[1]
            return x.transpose([1, 0, 2]).reshape([m, n, 2, 2])

    model = exported(tmp_path, Swapped(), [None, None, 4])
    kinds = [node.op_type for node in model.graph.node]
    assert kinds.count("Gather") == 2 and kinds[-1] == "Reshape"


def test_a_tensor_is_filled_with_a_size_that_a_run_decides(tmp_path: Path) -> None:
    class Share(nn.Layer):
        def forward(self, x):
            return x / paddle.full([1], x.shape[0] * 2, "float32")

    exported(tmp_path, Share(), [None, 4])
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    for batch in (1, 3):
        (found,) = session.run(None, {"x": np.ones((batch, 4), "float32")})
        np.testing.assert_allclose(found, np.full((batch, 4), 0.5 / batch), rtol=1e-6)


def test_no_size_is_read_off_what_it_makes(tmp_path: Path) -> None:
    net = nn.PixelShuffle(2)
    exported(tmp_path, net, [None, 8, None, None])
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    x = np.random.default_rng(0).standard_normal((2, 8, 3, 5), dtype="float32")
    (found,) = session.run(None, {"x": x})
    assert (found == net(paddle.to_tensor(x)).numpy()).all()


def test_parameters_may_lie_in_a_file_beside_the_model(tmp_path: Path) -> None:
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(64, 40), nn.Linear(40, 3))
    model = exported(tmp_path, net, [None, 64], external_data=True)
    assert {path.name for path in tmp_path.iterdir()} == {"net.onnx", "net.onnx.data"}
    outside = [t for t in model.graph.initializer if t.data_location == 1]
    assert [list(t.dims) for t in outside] == [[64, 40]]  # what is small stays
    onnx.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    x = np.random.default_rng(0).standard_normal((2, 64), dtype="float32")
    (found,) = session.run(None, {"x": x})
    np.testing.assert_allclose(found, net(paddle.to_tensor(x)).numpy(), rtol=1e-5, atol=1e-6)
    again = paddle.onnx.load(str(tmp_path / "net.onnx"))
    np.testing.assert_allclose(again(paddle.to_tensor(x)).numpy(), found, rtol=1e-5, atol=1e-6)


def traced(layer: nn.Layer, shape: list) -> Program:
    (entry,) = entry_points(layer, [static.InputSpec(shape, "float32", "x")])
    return for_saving(traced_for_inference(entry).program)


def test_a_model_that_no_file_holds_is_written_beside_itself(tmp_path: Path) -> None:
    program, path = traced(nn.Linear(64, 40), [None, 64]), str(tmp_path / "net")
    write_files(program, path, 17, largest=64 * 40 * 4 + 40 * 4 - 1)
    assert (tmp_path / "net.onnx.data").stat().st_size == 64 * 40 * 4
    write_files(program, path, 17, largest=64 * 40 * 4 + 40 * 4)
    model = parse(schema.Model, (tmp_path / "net.onnx").read_bytes(), "net.onnx")
    assert all(t.data_location == 0 for t in model.graph.initializer)


def test_a_model_that_no_file_holds_is_refused_in_one_and_nothing_is_written(tmp_path) -> None:
    program = traced(nn.Linear(64, 40), [None, 64])
    with pytest.raises(UnsupportedError, match="one ONNX file holds 1000") as caught:
        write_files(program, str(tmp_path / "net"), 17, external_data=False, largest=1000)
    assert "external_data=True" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_arrays_of_the_program_itself_lie_beside_it_too(tmp_path: Path) -> None:
    class Branch(nn.Layer):
        @paddle.jit.to_static
        def forward(self, x):
            if x.sum() > 0:
                return x + paddle.to_tensor(np.arange(1000, dtype="float32"))
            return x

    layer = Branch()
    exported(tmp_path, layer, [2, 1000], external_data=True)
    assert (tmp_path / "net.onnx.data").stat().st_size == 4000
    onnx.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    again = paddle.onnx.load(str(tmp_path / "net.onnx"))
    for x in (np.ones((2, 1000), "float32"), -np.ones((2, 1000), "float32")):
        (found,) = session.run(None, {"x": x})
        wanted = layer(paddle.to_tensor(x)).numpy()
        assert (found == wanted).all() and (again(paddle.to_tensor(x)).numpy() == wanted).all()


def test_unknown_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="does not know \\['output_spec'\\]"):
        exported(tmp_path, nn.Linear(4, 2), [None, 4], output_spec=[])

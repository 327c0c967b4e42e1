"""Layers become ONNX models: a whole file, or a clear error and none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.tensors import array_of
from twinoar.formats.protobuf import parse


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


def test_dropout_is_off_and_a_layer_stays_in_training(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    model = exported(tmp_path, net, [None, 4])
    assert "Dropout" not in {node.op_type for node in model.graph.node}
    assert net.training


def test_an_operator_without_a_form_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    class Remainder(nn.Layer):
        def forward(self, x):
            return paddle.remainder(x, x + 1)

    with pytest.raises(UnsupportedError, match="remainder has no form in ONNX") as caught:
        exported(tmp_path, Remainder(), [None, 4])
    assert "test_export.py" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


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


def test_unknown_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="does not know \\['output_spec'\\]"):
        exported(tmp_path, nn.Linear(4, 2), [None, 4], output_spec=[])

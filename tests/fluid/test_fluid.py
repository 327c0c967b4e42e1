"""What else a script of Paddle 1 asks for: devices, flags, metrics, sequences, times."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, fluid
from twinoar.core.dtype import float32
from twinoar.core.interpreter import eager, using
from twinoar.core.spec import Spec
from twinoar.errors import (
    ArgumentError,
    MissingNameError,
    ProgramError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.fluid import metrics


def test_flags_that_twinoar_has_are_its_own() -> None:
    with config.override(onednn=True):
        fluid.set_flags({"FLAGS_use_mkldnn": False})
        assert not config.onednn
        assert fluid.get_flags("FLAGS_use_mkldnn") == {"FLAGS_use_mkldnn": False}


def test_flags_about_memory_are_remembered() -> None:
    for limit in (1.0, 0.0):
        fluid.set_flags({"FLAGS_eager_delete_tensor_gb": limit})
        assert fluid.get_flags(["FLAGS_eager_delete_tensor_gb"]) == {
            "FLAGS_eager_delete_tensor_gb": limit
        }


@pytest.mark.parametrize(("least", "most"), [("1.6.0", None), ("1.8", "1.8.5"), ("1.0.0", "2.0")])
def test_a_version_in_the_range_is_accepted(least: str, most: str | None) -> None:
    fluid.require_version(least, most)


def test_memory_optimize_says_that_it_changes_nothing() -> None:
    with pytest.warns(UserWarning, match="planned always"):
        fluid.memory_optimize(fluid.default_main_program())
    with pytest.warns(UserWarning, match="planned always"):
        fluid.release_memory(fluid.default_main_program())


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: fluid.CUDAPlace(0), ArgumentError),
        (lambda: fluid.CUDAPinnedPlace(), ArgumentError),
        (lambda: fluid.cuda_places(), ArgumentError),
        (lambda: fluid.cuda_pinned_places(), ArgumentError),
        (lambda: fluid.Executor("gpu:0"), ArgumentError),
        (lambda: fluid.ParallelExecutor(use_cuda=True), ArgumentError),
        (lambda: fluid.ParallelExecutor(False, num_trainers=2), UnsupportedError),
        (lambda: fluid.set_flags({"FLAGS_none_such": True}), ArgumentError),
        (lambda: fluid.set_flags([]), TypeMismatchError),
        (lambda: fluid.require_version("2.0.0"), UnsupportedError),
        (lambda: fluid.require_version("1.0", "1.7.9"), UnsupportedError),
        (lambda: fluid.require_version("one"), ArgumentError),
        (lambda: fluid.require_version(1.8), TypeMismatchError),
        (lambda: fluid.DatasetFactory, MissingNameError),
        (lambda: fluid.contrib.slim, MissingNameError),
        (lambda: fluid.core.AnalysisConfig, MissingNameError),
        (lambda: fluid.initializer.Uniform(diag_num=2), UnsupportedError),
        (lambda: fluid.profiler.start_profiler("TPU"), ArgumentError),
        (lambda: fluid.profiler.stop_profiler(), ProgramError),
        (lambda: fluid.profiler.cuda_profiler, MissingNameError),
        (lambda: metrics.DetectionMAP, MissingNameError),
        (lambda: metrics.Accuracy().eval(), ArgumentError),
        (lambda: metrics.Accuracy().update(1.0, -1), ArgumentError),
        (lambda: metrics.EditDistance("e").eval(), ArgumentError),
        (lambda: metrics.Precision().update([1], [1]), TypeMismatchError),
        (lambda: metrics.CompositeMetric().add_metric(3), TypeMismatchError),
        (lambda: metrics.MetricBase("m").eval(), ArgumentError),
        (lambda: fluid.average.WeightedAverage().eval(), ArgumentError),
        (lambda: fluid.create_lod_tensor(np.ones((3, 1)), [[1, 1]], "cpu"), ArgumentError),
        (lambda: fluid.create_lod_tensor([[1, 2]], [[1]], "cpu"), ArgumentError),
        (lambda: fluid.LoDTensor().padded(), ShapeError),
    ],
)
def test_what_is_not_served_is_refused(call: Callable, error: type[TwinoarError]) -> None:
    with pytest.raises(error):
        call()


def test_a_name_that_paddle_has_not_is_an_attribute_error() -> None:
    assert not hasattr(fluid, "no_such_name")
    assert not hasattr(fluid, "DatasetFactory")


def test_element_types_are_those_of_variables(static: Any) -> None:
    x = fluid.data("x", [None, 1])
    assert x.dtype == fluid.core.VarDesc.VarType.FP32
    assert x.dtype != fluid.core.VarDesc.VarType.INT64
    assert x.type == fluid.core.VarDesc.VarType.LOD_TENSOR


def test_an_embedding_and_one_hot_keep_the_shape(static: Any) -> None:
    ids = fluid.data("ids", [None, 1], "int64")
    assert fluid.embedding(ids, [10, 4]).shape[1:] == [1, 4]
    assert fluid.one_hot(ids, 10).shape[1:] == [1, 10]


def test_one_hot_allows_numbers_out_of_range() -> None:
    found = fluid.one_hot(paddle.to_tensor([1, 7]), 3, allow_out_of_range=True)
    assert found.tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_a_parallel_executor_and_a_compiled_program_run(static: Any) -> None:
    main, _ = static
    out = fluid.data("x", [None]) * 2.0
    feed = {"x": np.ones(2, "float32")}
    executor = fluid.ParallelExecutor(use_cuda=False, main_program=main)
    assert executor.run([out.name], feed_dict=feed)[0].tolist() == [2.0, 2.0]
    compiled = fluid.CompiledProgram(main).with_data_parallel(loss_name=out.name)
    assert fluid.Executor().run(compiled, [feed], [out])[0].tolist() == [2.0, 2.0]
    with pytest.raises(UnsupportedError, match="one device"):
        compiled.with_data_parallel(places=[1, 2])


def test_a_tensor_with_lengths_is_not_fed(static: Any) -> None:
    main, _ = static
    out = fluid.data("x", [None, 1], "int64") + 1
    tensor = fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace())
    with pytest.raises(UnsupportedError, match="padded"):
        fluid.Executor().run(main, {"x": tensor}, [out])
    tensor.set_lod([])
    assert fluid.Executor().run(main, {"x": tensor}, [out])[0].ravel().tolist() == [2, 3, 4]


def test_random_tensors_with_lengths() -> None:
    tensor = fluid.create_random_int_lodtensor([[2, 3]], [4], fluid.CPUPlace(), 0, 1)
    assert (tensor.shape(), tensor.recursive_sequence_lengths()) == ([5, 4], [[2, 3]])
    assert set(np.array(tensor).ravel()) <= {0, 1}


# What Paddle 1.8.5 gives for these batches.
def test_metrics_are_those_of_paddle() -> None:
    auc, edit, chunks = metrics.Auc("auc"), metrics.EditDistance("e"), metrics.ChunkEvaluator()
    auc.update(np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([[0], [1], [1]]))
    edit.update(np.array([[2.0], [0.0]]), 2)
    chunks.update(10, 8, 4)
    assert auc.eval() == 1.0
    assert edit.eval() == (1.0, 0.5)
    np.testing.assert_allclose(chunks.eval(), (0.4, 0.5, 4 / 9))
    edit.reset()
    assert edit.get_config()["states"] == {
        "total_distance": 0.0, "seq_num": 0, "instance_error": 0,
    }  # fmt: skip


def test_a_profile_counts_operators_and_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], static: Any
) -> None:
    main, _ = static
    out = fluid.data("x", [None]) * 2.0
    with fluid.profiler.profiler("CPU", "total", tmp_path / "profile"):
        for _ in range(3):
            fluid.Executor().run(main, {"x": np.ones(2, "float32")}, [out])
    assert "run main" in capsys.readouterr().out
    paddle.disable_static()
    with (
        using(eager()),
        fluid.profiler.profiler("All", "calls", tmp_path / "profile"),
        fluid.dygraph.guard(),
    ):
        fluid.layers.relu(paddle.to_tensor([1.0]))
    table = (tmp_path / "profile").read_text()
    assert "relu" in table
    assert table == capsys.readouterr().out


@pytest.mark.parametrize("kind", ["Xavier", "MSRA", "Normal", "Uniform", "TruncatedNormal"])
def test_a_seeded_initializer_draws_the_same_again(kind: str) -> None:
    make = getattr(fluid.initializer, kind)
    spec = Spec((3, 4), float32)
    first, second, other = (make(seed=s).make(spec).numpy() for s in (3, 3, 4))
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_initializers_have_paddles_deviations() -> None:
    spec = Spec((300, 100), float32)
    deviations = {
        "Xavier": np.sqrt(2 / 400), "MSRA": np.sqrt(2 / 300), "Normal": 1.0,
        "TruncatedNormal": 0.8796,
    }  # fmt: skip
    for kind, expected in deviations.items():
        found = getattr(fluid.initializer, kind)().make(spec).numpy()
        np.testing.assert_allclose(found.std(), expected, rtol=0.05)
    assert abs(found).max() <= 2.0


@pytest.mark.parametrize("heads", [1, 2])
def test_attention_is_its_formula(static: Any, heads: int) -> None:
    main, startup = static
    shape = [None, 5, 4]
    q, k, v = (fluid.data(name, shape) for name in "qkv")
    out = fluid.nets.scaled_dot_product_attention(q, k, v, num_heads=heads)
    exe = fluid.Executor()
    exe.run(startup)
    feed = {n: np.random.RandomState(0).randn(2, 5, 4).astype("float32") for n in "qkv"}
    (found,) = exe.run(main, feed, [out])
    assert found.shape == (2, 5, 4)
    if heads == 1:
        scores = feed["q"] @ feed["k"].transpose(0, 2, 1) / 2.0
        weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        np.testing.assert_allclose(found, weights @ feed["v"], rtol=1e-4, atol=1e-5)


def test_a_group_of_convolutions(static: Any) -> None:
    images = fluid.data("images", [None, 3, 8, 8])
    out = fluid.nets.img_conv_group(
        images, [4, 6], 2, conv_act="relu", conv_with_batchnorm=[True, False],
        conv_batchnorm_drop_rate=[0.5, 0.0], pool_stride=2,
    )  # fmt: skip
    assert out.shape[1:] == [6, 4, 4]
    with pytest.raises(ArgumentError, match="2 entries"):
        fluid.nets.img_conv_group(images, [4, 6], 2, conv_padding=[1])


def test_glu_halves(static: Any) -> None:
    assert fluid.nets.glu(fluid.data("x", [None, 6])).shape[1:] == [3]


def test_a_convolution_over_sequences_takes_their_lengths(static: Any) -> None:
    main, startup = static
    x, lengths = fluid.data("x", [None, 5, 4]), fluid.data("lengths", [None], "int64")
    out = fluid.nets.sequence_conv_pool(x, 3, 3, act="tanh", pool_type="max", lengths=lengths)
    exe = fluid.Executor()
    exe.run(startup)
    array = np.random.RandomState(0).randn(2, 5, 4).astype("float32")
    changed = array.copy()
    changed[0, 2:] = 0.0  # what follows a sequence of two steps is not looked at
    found = [
        exe.run(main, {"x": a, "lengths": np.array([2, 5])}, [out])[0] for a in (array, changed)
    ]
    assert found[0].shape == (2, 3)
    np.testing.assert_array_equal(*found)

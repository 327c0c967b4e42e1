"""Batch normalization: statistics of the batch, running statistics, modes."""

import numpy as np
import pytest

import twinoar
from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError
from twinoar.ops.norm.batch_norm import batch_norm

random = np.random.default_rng(0)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


def running():
    return to_tensor(normal(3)), to_tensor(np.abs(normal(3)) + 0.5)


def test_training_standardizes_each_channel():
    x, weight, bias = normal(4, 3, 2, 5), normal(3), normal(3)
    out = batch_norm(to_tensor(x), *running(), to_tensor(weight), to_tensor(bias), training=True)
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    expected = (x - mean) / np.sqrt(variance + 1e-5) * weight[:, None, None] + bias[:, None, None]
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-4, atol=1e-5)


def test_training_moves_the_running_statistics_by_paddles_momentum_and_biased_variance():
    x, (mean, variance) = normal(4, 3, 2, 5), running()
    old_mean, old_variance = mean.numpy().copy(), variance.numpy().copy()
    batch_norm(to_tensor(x), mean, variance, training=True, momentum=0.7)
    new_mean = 0.7 * old_mean + 0.3 * x.mean((0, 2, 3))
    new_variance = 0.7 * old_variance + 0.3 * x.var((0, 2, 3))
    np.testing.assert_allclose(mean.numpy(), new_mean, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(variance.numpy(), new_variance, rtol=1e-5)


def test_running_statistics_stay_out_of_the_graph():
    mean, variance = running()
    x = to_tensor(normal(4, 3), stop_gradient=False)
    batch_norm(x, mean, variance, training=True)
    assert mean.stop_gradient and mean.is_leaf and variance.stop_gradient and variance.is_leaf


def test_inference_takes_the_running_statistics_and_keeps_them():
    x, (mean, variance) = normal(4, 3, 5), running()
    before = mean.numpy().copy()
    out = batch_norm(to_tensor(x), mean, variance)
    expected = (x - before[:, None]) / np.sqrt(variance.numpy()[:, None] + 1e-5)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(mean.numpy(), before)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("use_global_stats", [True, False])
def test_use_global_stats_wins_over_training(training, use_global_stats):
    mean, variance = running()
    before = mean.numpy().copy()
    x = to_tensor(normal(4, 3))
    batch_norm(x, mean, variance, training=training, use_global_stats=use_global_stats)
    assert np.array_equal(mean.numpy(), before) == use_global_stats


@pytest.mark.parametrize("data_format", ["NHWC", "NLC", "NDHWC"])
def test_channels_last_is_channels_first_transposed(data_format):
    x = normal(4, 3, *(2, 5, 2)[: len(data_format) - 2])
    last = np.ascontiguousarray(np.moveaxis(x, 1, -1))
    first_out = batch_norm(to_tensor(x), *running(), training=True).numpy()
    out = batch_norm(to_tensor(last), *running(), training=True, data_format=data_format).numpy()
    np.testing.assert_allclose(np.moveaxis(out, -1, 1), first_out, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("data_format", ["NC", "NCHW"])
def test_two_dimensions_are_batch_and_channels(data_format):
    x = normal(4, 3)
    out = batch_norm(to_tensor(x), *running(), training=True, data_format=data_format).numpy()
    np.testing.assert_allclose(out.mean(0), 0, atol=1e-6)


def test_the_gradient_in_training_is_orthogonal_to_shifts_and_scales():
    x = to_tensor(normal(8, 3), stop_gradient=False)
    (g,) = grad((batch_norm(x, *running(), training=True) * to_tensor(normal(8, 3))).sum(), x)
    np.testing.assert_allclose(g.numpy().sum(0), 0, atol=1e-5)
    np.testing.assert_allclose((g.numpy() * x.numpy()).sum(0), 0, atol=1e-3)


def test_a_program_updates_the_running_statistics():
    mean, variance = running()
    mean.persistable = variance.persistable = True
    program = trace(
        lambda x: batch_norm(x, mean, variance, training=True), Spec.parse("f32[N,3,H,W]")
    )
    assert len(program.updates) == 2
    assert str(program.main.outputs[0].spec) == "f32[N,3,H,W]"


def test_statistics_of_other_channels_are_refused():
    with pytest.raises(ShapeError, match="x has 4 channels, mean has shape"):
        batch_norm(to_tensor(normal(2, 4)), *running())


@pytest.mark.parametrize("shape", [(1, 3), (1, 3, 1, 1), (0, 3)])
@pytest.mark.parametrize("sizes", ["known", "unknown"])
def test_a_batch_of_one_value_per_channel_passes_as_it_is(shape, sizes):
    layer = twinoar.nn.BatchNorm1D(3) if len(shape) == 2 else twinoar.nn.BatchNorm2D(3)
    layer.weight.set_value(np.full(3, 5, "float32"))
    if sizes == "unknown":
        spec = twinoar.static.InputSpec([None, *shape[1:]])
        layer = twinoar.jit.to_static(layer, input_spec=[spec])
    x = twinoar.to_tensor(np.arange(3 * shape[0], dtype="float32").reshape(shape))
    x.stop_gradient = False
    out = layer(x)
    (out * 2).sum().backward()
    assert out.tolist() == x.tolist() and np.all(x.grad.numpy() == 2)
    assert layer.weight.grad.tolist() == [0, 0, 0]
    assert layer._mean.tolist() == [0, 0, 0] and layer._variance.tolist() == [1, 1, 1]

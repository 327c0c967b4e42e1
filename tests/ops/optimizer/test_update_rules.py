"""Update rules: the formulas, step after step."""

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError
from twinoar.ops.optimizer.adam import adam, adamw
from twinoar.ops.optimizer.momentum import momentum
from twinoar.ops.optimizer.sgd import sgd

random = np.random.default_rng(0)
PARAM = random.standard_normal(7)
GRADS = random.standard_normal((20, 7))


def steps(rule, states, dtype="float32", rate=0.01, **options):
    """The parameter after all gradients; `states` are what the rule remembers at first."""
    param, *remembered = (to_tensor(np.asarray(a, dtype)) for a in (PARAM, *states))
    for g in GRADS:
        out = rule(param, to_tensor(g.astype(dtype)), *remembered, rate, **options)
        param, *remembered = out if isinstance(out, tuple) else (out,)
    assert param.dtype.name == dtype
    return param.numpy()


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-6), ("float64", 1e-12)])
def test_sgd(dtype, tolerance):
    expected = PARAM - 0.01 * GRADS.sum(0)
    np.testing.assert_allclose(steps(sgd, (), dtype), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum(nesterov):
    param, velocity = PARAM, np.zeros(7)
    for g in GRADS:
        velocity = 0.9 * velocity + g
        param = param - 0.01 * (g + 0.9 * velocity if nesterov else velocity)
    found = steps(momentum, (np.zeros(7),), "float64", use_nesterov=nesterov)
    np.testing.assert_allclose(found, param, rtol=1e-12)


@pytest.mark.parametrize("decay", [None, 0.05])
def test_adam_and_adamw(decay):
    param, first, second = PARAM, np.zeros(7), np.zeros(7)
    for t, g in enumerate(GRADS, 1):
        param = param if decay is None else param * (1 - 0.01 * decay)
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        mean, square = first / (1 - 0.9**t), second / (1 - 0.999**t)
        param = param - 0.01 * mean / (np.sqrt(square) + 1e-8)
    states = (np.zeros(7), np.zeros(7), np.array([0.9]), np.array([0.999]))
    rule, options = (adam, {}) if decay is None else (adamw, {"decay": decay})
    np.testing.assert_allclose(steps(rule, states, "float64", **options), param, rtol=1e-10)
    np.testing.assert_allclose(steps(rule, states, **options), param, rtol=1e-5, atol=1e-6)


def test_powers_of_betas_move_by_one():
    x, one = to_tensor([1.0]), to_tensor([1.0])
    *_, beta1_pow, beta2_pow = adam(
        x, one, one, one, to_tensor([0.9]), to_tensor([0.999]), 0.1, 0.9, 0.999
    )
    np.testing.assert_allclose([beta1_pow.item(), beta2_pow.item()], [0.81, 0.998001], rtol=1e-6)


@pytest.mark.parametrize("rate", [0.01, np.float32(0.01), np.array([0.01], "float32")])
def test_the_learning_rate_is_a_number_or_a_tensor_with_one_element(rate):
    given = rate if isinstance(rate, float) else to_tensor(rate)
    found = steps(sgd, (), rate=given)
    assert found.shape == (7,)
    np.testing.assert_allclose(found, steps(sgd, ()), rtol=1e-6)


def test_a_parameter_without_dimensions_keeps_its_shape():
    x = to_tensor(2.0)
    assert sgd(x, x, to_tensor([0.5])).shape == []
    assert adam(x, x, x, x, *[to_tensor([0.5])] * 2, to_tensor([0.5]))[0].shape == []


def test_a_gradient_of_another_shape_is_refused():
    with pytest.raises(ShapeError, match=r"grad has shape \[1\], param \[2\]"):
        sgd(to_tensor([1.0, 2.0]), to_tensor([1.0]), 0.1)


def test_operands_are_not_written_to():
    arrays = [np.full(3, n, "float32") for n in (1, 2, 3, 4)] + [np.full(1, 0.5, "float32")] * 2
    tensors = [to_tensor(a) for a in arrays]
    adamw(*tensors, 0.1)
    for tensor, array in zip(tensors, arrays, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), array)

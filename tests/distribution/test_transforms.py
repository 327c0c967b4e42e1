"""Transforms: their inverses, and their stretching against Jacobians by difference quotients."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import distribution as d
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnsupportedError

ELEMENT = {
    "Affine": lambda: d.AffineTransform(wide(1.0), wide(-2.0)),
    "Chain": lambda: d.ChainTransform([d.TanhTransform(), d.ExpTransform()]),
    "Exp": d.ExpTransform,
    "Power": lambda: d.PowerTransform(wide(3.0)),
    "Sigmoid": d.SigmoidTransform,
    "Tanh": d.TanhTransform,
}


def wide(x):
    return paddle.to_tensor(x, "float64")


@pytest.mark.parametrize("name", ELEMENT)
def test_the_inverse_undoes_and_the_stretching_is_the_derivative(name):
    transform, x = ELEMENT[name](), wide([0.2, 0.7])
    x.stop_gradient = False
    y = transform.forward(x)
    np.testing.assert_allclose(transform.inverse(y), x, rtol=1e-12)
    (slope,) = paddle.grad(y.sum(), x)
    stretch = transform.forward_log_det_jacobian(x)
    np.testing.assert_allclose(stretch, np.log(np.abs(slope.numpy())), rtol=1e-9)
    np.testing.assert_allclose(transform.inverse_log_det_jacobian(y), -stretch.numpy(), rtol=1e-9)


def test_breaking_a_stick_stretches_as_its_jacobian_says():
    transform, x = d.StickBreakingTransform(), wide([0.3, -0.2])
    shares = transform.forward(x)
    assert shares.sum().item() == pytest.approx(1.0)
    np.testing.assert_allclose(transform.inverse(shares), x, atol=1e-12)
    step = 1e-6
    columns = [
        (transform.forward(x + step * e) - transform.forward(x - step * e)).numpy()[:-1]
        / (2 * step)
        for e in wide(np.eye(2))
    ]
    expected = np.log(abs(np.linalg.det(np.stack(columns, 1))))
    assert transform.forward_log_det_jacobian(x).item() == pytest.approx(expected, rel=1e-6)
    assert transform.forward_shape((4, 2)) == (4, 3)


def test_calls_compose_transforms_and_transform_distributions():
    chained = d.TanhTransform()(d.ExpTransform())
    assert chained.forward(wide(0.5)).item() == pytest.approx(np.tanh(np.exp(0.5)))
    moved = d.ExpTransform()(d.Normal(0.0, 1.0))
    known = d.LogNormal(0.0, 1.0)
    at = paddle.to_tensor([0.5, 2.0])
    np.testing.assert_allclose(moved.log_prob(at), known.log_prob(at), rtol=1e-6)


def test_shapes_of_events_follow_the_transforms():
    base = d.Normal(paddle.zeros([5, 6]), paddle.ones([5, 6]))
    reshaped = d.TransformedDistribution(base, [d.ReshapeTransform([6], [2, 3])])
    assert (reshaped.batch_shape, reshaped.event_shape) == ((5,), (2, 3))
    assert reshaped.sample([4]).shape == [4, 5, 2, 3]
    assert reshaped.log_prob(paddle.zeros([5, 2, 3])).shape == [5]


def test_what_cannot_be_is_refused():
    with pytest.raises(UnsupportedError, match="several inputs"):
        d.AbsTransform().forward_log_det_jacobian(wide(1.0))
    with pytest.raises(ArgumentError, match="different numbers"):
        d.ReshapeTransform([2, 3], [5])
    with pytest.raises(TypeMismatchError, match="list of Transforms"):
        d.ChainTransform([])
    with pytest.raises(ShapeError, match="at least 1 dimension"):
        d.SoftmaxTransform().forward(wide(1.0))
    with pytest.raises(ShapeError, match="ends in"):
        d.ReshapeTransform([6], [2, 3]).forward_shape((4, 5))

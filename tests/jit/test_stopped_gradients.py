"""detach(), no_grad and stop_gradient in branches and loops: the gradients of eager mode."""

import functools

import numpy as np
import pytest

import twinoar as pd
from tests.jit import stopped_gradients as functions
from twinoar.errors import ConversionError

CASES = [*functions.SAVED, *functions.UNSAVED]
VALUES = [[1.0, 2.0], [-1.0, -2.0]]


@functools.cache
def converted(function):
    """One Program, compiled once for both signs and orders."""
    return pd.jit.to_static(function)


def gradients(function, values, order):
    """The value, the gradient, and that of its square."""
    x = pd.to_tensor(values, stop_gradient=False)
    y = function(x)
    found = [y.numpy()]
    for _ in range(order):
        (g,) = pd.grad(y, x, create_graph=True, allow_unused=True)
        found.append(np.zeros(2) if g is None else g.numpy())
        if g is None or g.stop_gradient:
            break
        y = (g * g).sum()
    return found


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("values", VALUES, ids=["above", "below"])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_gradients_stop_where_they_do_in_eager_mode(function, values, order):
    wanted = gradients(function, values, order)
    found = gradients(converted(function), values, order)
    for k in range(order + 1):
        a, b = (x[k] if k < len(x) else np.zeros(2) for x in (found, wanted))
        np.testing.assert_allclose(a, b, rtol=1e-5)


class Weighted(pd.nn.Layer):
    def __init__(self, function, values):
        super().__init__()
        self.function = function
        self.weight = self.create_parameter([2])
        self.weight.set_value(np.array(values, "float32"))

    def forward(self, x):
        return self.function(self.weight * 1.0) + 0 * x.sum()


@pytest.mark.parametrize("values", VALUES, ids=["above", "below"])
@pytest.mark.parametrize("function", functions.SAVED, ids=lambda f: f.__name__)
def test_a_loaded_model_stops_gradients_where_the_saved_one_did(function, values, tmp_path):
    net, x = Weighted(function, values), pd.ones([2])
    net(x).backward()
    spec = [pd.static.InputSpec([2], "float32")]
    pd.jit.save(pd.jit.to_static(Weighted(function, values), input_spec=spec), str(tmp_path / "m"))
    loaded = pd.jit.load(str(tmp_path / "m"))
    loaded.train()
    loaded(x).backward()
    (weight,) = loaded.parameters()
    np.testing.assert_allclose(weight.grad.numpy(), net.weight.grad.numpy(), rtol=1e-5)


def test_gradients_of_static_programs_stop_in_branches_and_loops():
    pd.enable_static()
    try:
        main = pd.static.Program()
        with pd.static.program_guard(main):
            x = pd.static.data("x", [2], "float32")
            x.stop_gradient = False
            one = pd.static.nn.cond(x.sum() > 0, lambda: (x * 2).detach(), lambda: x * 3)
            i = pd.full([1], 0, "int64")
            _, two = pd.static.nn.while_loop(
                lambda i, h: i < 2, lambda i, h: [i + 1, (h * x).detach()], [i, x * 1]
            )
            (g,) = pd.static.gradients(((one + two) * x).sum(), x)
        (found,) = pd.static.Executor().run(
            main, feed={"x": np.array([1, 2], "float32")}, fetch_list=[g]
        )
    finally:
        pd.disable_static()
    np.testing.assert_allclose(found, [2 + 1, 4 + 8])


def test_a_flag_of_an_argument_is_not_set_on_one_side_only():
    def stopped(x):
        if x.sum() > 0:
            x.stop_gradient = True
        return (x * x).sum()

    with pytest.raises(ConversionError, match="stop_gradient is set in a branch"):
        pd.jit.to_static(stopped)(pd.to_tensor([1.0], stop_gradient=False))


def made_from_numbers(x):
    return pd.to_tensor([1.0, 2.0], stop_gradient=False), x


def made_and_flagged(x):
    leaf = pd.to_tensor([1.0, 2.0])
    leaf.stop_gradient = False
    return leaf, x


def made_from_an_argument(x):
    leaf = (x * 2.0).detach()
    leaf.stop_gradient = False
    return leaf, x


def made_as_a_window(x):
    return pd.hann_window(2, requires_grad=True), x


@pytest.mark.parametrize("wanting", [True, False])
@pytest.mark.parametrize(
    "make", [made_from_numbers, made_and_flagged, made_from_an_argument, made_as_a_window]
)
def test_a_leaf_that_a_function_makes_is_one_outside(make, wanting):
    def function(x):
        leaf, x = make(x)
        return leaf, leaf * leaf * x, leaf * 3.0

    def outcome(call):
        x = pd.to_tensor([3.0, 4.0], stop_gradient=not wanting)
        leaf, product, scaled = call(x)
        (product + scaled).sum().backward()
        found = [leaf.grad.tolist(), x.grad is not None and x.grad.tolist()]
        return [leaf.is_leaf, product.is_leaf, scaled.is_leaf], *found

    assert outcome(pd.jit.to_static(function)) == outcome(function)


def test_what_comes_of_a_leaf_that_is_not_returned_wants_gradients():
    def function(x):
        return pd.to_tensor([1.0, 2.0], stop_gradient=False) * x

    found = pd.jit.to_static(function)(pd.to_tensor([3.0, 4.0]))
    assert not found.stop_gradient and not found.is_leaf

"""Gradients of Programs with sizes that the data decides, or that another argument has."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.jit import to_static
from twinoar.static import InputSpec


def chosen_twice(x, y):
    return x[x > 0].sum() * 2 + paddle.masked_select(x, x < y[0]).sum() * 3


def cut_to_another(x, y):
    if x.shape[0] != y.shape[0]:
        x = x[: y.shape[0]]
    return x * x


def counted_by_what_is_chosen(x, y):
    part = x[x > 0]
    return x.sum() * paddle.ones([part.shape[0], 2]).sum() + x[: y.shape[0]].mean()


def filled_up(x, y):
    missing = -x.shape[0] % 4
    if missing > 0:
        x = paddle.concat([x, y.sum() + paddle.zeros([missing])])
    return x.reshape([-1, 4]).max(0) * x.shape[0]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("spec", [None, [InputSpec([None]), InputSpec([None])]], ids=["3", "N"])
@pytest.mark.parametrize(
    "function",
    [chosen_twice, cut_to_another, counted_by_what_is_chosen, filled_up],
    ids=lambda f: f.__name__,
)
def test_gradients_are_those_of_eager_mode(function, spec, backend):
    with config.override(backend=backend):
        static = to_static(function, input_spec=spec)
        for values in ([1.0, -2.0, 3.0], [-1.0, 0.5], [4.0, 3.0, 2.0, 1.0, -1.0]):
            found = []
            for called in (function, static):
                x = paddle.to_tensor(values, stop_gradient=False)
                y = paddle.to_tensor([0.25, 1.0], stop_gradient=False)
                called(x, y).sum().backward()
                found.append([None if v.grad is None else v.grad.numpy() for v in (x, y)])
            for a, b in zip(*found, strict=True):
                np.testing.assert_allclose(a, b) if a is not None else None
                assert (a is None) == (b is None)

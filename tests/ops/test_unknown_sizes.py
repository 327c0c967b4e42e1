"""Sizes that are not known to be equal: a Program is built, and each run is held against them."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import TwinoarError
from twinoar.jit import to_static
from twinoar.static import InputSpec

F = paddle.nn.functional
VECTOR, MATRIX = InputSpec([None]), InputSpec([None, None])


def written(x, y):
    out = paddle.zeros([x.shape[0], 2])
    out[:, 0] = y
    return out + x.unsqueeze(1)


def put(x, y):
    where = paddle.to_tensor([0, 0])
    return paddle.index_put(x, (where,), y)


FUNCTIONS = {
    "expand": lambda x, y: x.expand([y.shape[0]]),
    "expand_to_a_number": lambda x, y: x.expand([2, 1]) + y,
    "expand_as": lambda x, y: x.expand_as(y),
    "add": lambda x, y: x + y,
    "where": lambda x, y: paddle.where(x > 0, x, y),
    "dot": lambda x, y: paddle.dot(x, y),
    "dot_of_rows": lambda x, y: paddle.dot(x.unsqueeze(1), y.unsqueeze(1)),
    "matmul": lambda x, y: paddle.matmul(x, y),
    "stack": lambda x, y: paddle.stack([x, y]),
    "concat": lambda x, y: paddle.concat([x.unsqueeze(1), y.unsqueeze(1)], axis=1),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "smooth_l1_loss": lambda x, y: F.smooth_l1_loss(x, y),
    "kl_div": lambda x, y: F.kl_div(x, y),
    "log_loss": lambda x, y: F.log_loss(x.unsqueeze(1), y.unsqueeze(1)),
    "bce": lambda x, y: F.binary_cross_entropy_with_logits(x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x.unsqueeze(1), y.unsqueeze(1), soft_label=True),
    "written": written,
    "put": put,
}


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_run_gives_or_refuses_what_eager_mode_does(name, backend):
    function = FUNCTIONS[name]
    with config.override(backend=backend):
        static = to_static(function, input_spec=[VECTOR, VECTOR])
        for m, n in ((3, 3), (1, 3), (3, 1), (3, 2), (1, 1), (2, 2), (2, 1)):
            x, y = (paddle.arange(1, k + 1, dtype="float32") for k in (m, n))
            try:
                expected = function(x, y).numpy()
            except TwinoarError as error:
                with pytest.raises(type(error), match=r"test_unknown_sizes\.py"):
                    static(x, y)
            else:
                np.testing.assert_allclose(static(x, y).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: paddle.concat([x, paddle.zeros([2, 3])]).expand_as(x),
        lambda x: x.expand([x.shape[0] + 2, 4]),
    ],
)
def test_sizes_that_are_known_to_differ_are_refused_while_building(function):
    static = to_static(lambda x: function(x + paddle.zeros([3])), input_spec=[MATRIX])
    with pytest.raises(TwinoarError):
        static.get_concrete_program(paddle.zeros([2, 3]))

"""Sparse convolutions, pooling, normalization and slices give what Paddle 3.3.1 gives."""

import json

import numpy as np
import pytest

import twinoar

CALLS = [
    "F.conv3d(x, w)",
    "F.conv3d(x, w, b, 1, 1)",
    "F.conv3d(x, w, b, [1, 2, 1], [1, 0, 1])",
    "F.conv3d(x, w, None, 1, [1, 1, 0, 0, 1, 1], [1, 1, 2])",
    "F.conv3d(x, w, None, 1, 'VALID')",
    "F.subm_conv3d(x, w3, b)",
    "F.subm_conv3d(x, w3, b, 2, 1)",
    "F.subm_conv3d(x, w3, None, 1, 'SAME', key='a')",
    "F.conv2d(p, w2, b, 1, 1)",
    "F.subm_conv2d(p, w2)",
    "F.max_pool3d(x, 2, 1)",
    "F.max_pool3d(m, [2, 1, 2], 1, 1)",
    "F.max_pool3d(m, 3, 2)",
    "S.nn.BatchNorm(2)(x)",
    "S.slice(f, [1, 2], [-2, -100], [100, 3])",
    "S.slice(f, [0], [-1], [2])",
    "S.slice(f, [0, 1, 3], [0, 0, 1], [1, 2, 3])",
]
ARRAYS = """
S = paddle.sparse
F = S.nn.functional
def ramp(*shape):
    count = int(np.prod(shape))
    x = np.linspace(-1, 1, count).reshape(shape)
    return paddle.to_tensor(x, dtype="float32", stop_gradient=False)
where = [[0, 0, 0, 1], [0, 1, 2, 0], [1, 2, 0, 2], [3, 0, 2, 1]]
WEIGHTS = {
    "w": ramp(2, 2, 2, 2, 3), "w3": ramp(3, 3, 3, 2, 3), "w2": ramp(3, 3, 2, 3), "b": ramp(3)
}
"""
RESULT = """
def result(call):
    v = paddle.to_tensor(np.arange(1.0, 9).reshape(4, 2), dtype="float32", stop_gradient=False)
    x = S.sparse_coo_tensor(where, v, [2, 3, 3, 4, 2], stop_gradient=False)
    p = S.sparse_coo_tensor(where[:2] + where[3:], v, [2, 3, 4, 2], stop_gradient=False)
    f = S.sparse_coo_tensor(where, [1.0, 2.0, 3.0, 4.0], [2, 3, 3, 4])
    y = eval(call, {"f": f, "F": F, "S": S, "x": x, "m": S.neg(x), "p": p, **WEIGHTS})
    found = [list(y.shape), y.indices().tolist(), y.values().tolist()]
    if "(f" in call:
        return found
    (y.values() ** 2).sum().backward()
    return [*found, v.grad.tolist()]
found = [result(call) for call in given["calls"]]
"""


@pytest.fixture(scope="module")
def pairs(paddle_3):
    """By call, what it gives here and there."""
    here = {"paddle": twinoar, "np": np, "given": {"calls": CALLS}}
    exec(ARRAYS + RESULT, here)
    there = paddle_3(ARRAYS + RESULT + "answer(found)", calls=CALLS)
    ours = json.loads(json.dumps(here["found"]))
    return dict(zip(CALLS, zip(ours, there, strict=True), strict=True))


@pytest.mark.parametrize("call", CALLS)
def test_sparse_functions_and_their_gradients_agree(pairs, call):
    ours, theirs = pairs[call]
    assert ours[:2] == theirs[:2]
    for one, other in zip(ours[2:], theirs[2:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

"""Operators of kernel libraries on views: parts, steps, reversals, transpositions, repetitions."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn

F = nn.functional
# Relative to the largest element: sums in another order, rounded once to bfloat16.
TOLERANCES = {"float32": 1e-5, "float64": 1e-13, "bfloat16": 2e-2}
VIEWS = {
    "rows reversed": lambda a, x, w: paddle.flip(a, [0]) @ a,
    "columns reversed": lambda a, x, w: paddle.matmul(paddle.flip(a, [1]), a, transpose_y=True),
    "all reversed": lambda a, x, w: a @ a[::-1, ::-1],
    "every other row": lambda a, x, w: a[::2] @ a[:, ::2],
    "inner part": lambda a, x, w: a[3:40, 5:77] @ a[5:77, 1:],
    "one row again and again": lambda a, x, w: paddle.expand(a[:1], [128, 128]) @ a,
    "one column again and again": lambda a, x, w: a @ paddle.expand(a[:, :1], [128, 128]),
    "one matrix again and again": lambda a, x, w: paddle.expand(a[None], [3, 128, 128]) @ a,
    "images reversed": lambda a, x, w: F.conv2d(paddle.flip(x, [2, 3]), w, padding=1),
    "filters reversed": lambda a, x, w: F.conv2d(x, paddle.flip(w, [2, 3]), padding=1),
    "cropped images": lambda a, x, w: F.conv2d(x[:, :, 1:15, 2:], w, padding=1),
    "fewer pixels": lambda a, x, w: F.conv2d(x[:, :, ::2, ::3], w, padding=1),
    "one channel again and again": lambda a, x, w: F.conv2d(x[:, :1].expand([4, 8, 16, 16]), w),
    "turned images": lambda a, x, w: F.conv2d(paddle.transpose(x, [0, 1, 3, 2]), w),
    "windows of reversed images": lambda a, x, w: F.max_pool2d(paddle.flip(x, [3]), 3, 2, 1),
    "means of fewer channels": lambda a, x, w: F.avg_pool2d(x[:, ::2, ::-1], 3, 2, 1),
}


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", VIEWS)
def test_what_lies_in_any_way_can_be_an_operand(name, dtype):
    numbers = np.random.default_rng(0)
    shapes = (128, 128), (4, 8, 16, 16), (16, 8, 3, 3)
    operands = [paddle.to_tensor(numbers.standard_normal(s)).astype(dtype) for s in shapes]
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            found.append(paddle.jit.to_static(VIEWS[name])(*operands).astype("float64").numpy())
    native, wanted = found
    bound = TOLERANCES[dtype] * np.abs(wanted).max()
    np.testing.assert_allclose(native, wanted, rtol=0, atol=bound)

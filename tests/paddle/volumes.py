"""Convolution and pooling of volumes with Paddle's API, whoever serves it; needs NumPy only."""

from __future__ import annotations

from typing import Any

import numpy as np

LAST = "NDHWC"

# name: (the shapes of the operands, the call of (functional, *operands))
CALLS: dict[str, tuple[list[list[int]], Any]] = {
    "conv3d": (
        [[2, 3, 6, 5, 4], [4, 3, 3, 2, 2], [4]],
        lambda F, x, w, b: F.conv3d(x, w, b, [2, 1, 1], [1, 0, 1], [1, 2, 1]),
    ),
    "conv3d of six sides": (
        [[2, 3, 6, 5, 4], [4, 3, 3, 2, 2]],
        lambda F, x, w: F.conv3d(x, w, padding=[1, 0, 1, 2, 0, 1]),
    ),
    "conv3d same": (
        [[2, 3, 6, 5, 4], [4, 3, 3, 2, 2]],
        lambda F, x, w: F.conv3d(x, w, stride=2, padding="SAME"),
    ),
    "conv3d of pairs": (
        [[2, 3, 6, 5, 4], [4, 3, 3, 2, 2]],
        lambda F, x, w: F.conv3d(x, w, padding=[[0, 0], [0, 0], [1, 0], [1, 1], [0, 2]]),
    ),
    "conv3d last": (
        [[2, 6, 5, 4, 3], [4, 3, 3, 2, 2], [4]],
        lambda F, x, w, b: F.conv3d(x, w, b, padding=1, data_format=LAST),
    ),
    "conv3d of groups": (
        [[2, 4, 6, 5, 4], [6, 2, 2, 2, 2]],
        lambda F, x, w: F.conv3d(x, w, groups=2),
    ),
    "conv3d_transpose": (
        [[2, 3, 4, 3, 4], [3, 4, 3, 2, 2], [4]],
        lambda F, x, w, b: F.conv3d_transpose(x, w, b, [2, 1, 2], 1, [1, 0, 1]),
    ),
    "conv3d_transpose to a size": (
        [[2, 3, 6, 4, 3], [3, 4, 3, 3, 2]],
        lambda F, x, w: F.conv3d_transpose(x, w, stride=2, output_size=[14, 10, 7]),
    ),
    "conv3d_transpose last": (
        [[2, 4, 3, 4, 3], [3, 4, 3, 2, 2]],
        lambda F, x, w: F.conv3d_transpose(x, w, stride=2, dilation=2, data_format=LAST),
    ),
    "max": ([[2, 3, 6, 5, 4]], lambda F, x: F.max_pool3d(x, [2, 3, 2], [2, 2, 1], [1, 1, 0])),
    "max that hangs over": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.max_pool3d(x, 3, 2, 1, ceil_mode=True),
    ),
    "max and where": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.max_pool3d(x, 3, 2, 1, return_mask=True),
    ),
    "max last": ([[2, 6, 5, 4, 3]], lambda F, x: F.max_pool3d(x, 2, 2, data_format=LAST)),
    "max same": ([[2, 3, 6, 5, 4]], lambda F, x: F.max_pool3d(x, 2, 2, "SAME")),
    "average": ([[2, 3, 6, 5, 4]], lambda F, x: F.avg_pool3d(x, [2, 3, 2], [2, 2, 1], [1, 1, 0])),
    "average with padding": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.avg_pool3d(x, 3, 2, 1, ceil_mode=True, exclusive=False),
    ),
    "average of another divisor": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.avg_pool3d(x, 2, 2, divisor_override=5),
    ),
    "average last": ([[2, 6, 5, 4, 3]], lambda F, x: F.avg_pool3d(x, 2, 2, data_format=LAST)),
    "adaptive average": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.adaptive_avg_pool3d(x, [None, 2, 3]),
    ),
    "adaptive average last": (
        [[2, 6, 5, 4, 3]],
        lambda F, x: F.adaptive_avg_pool3d(x, 2, data_format=LAST),
    ),
    "adaptive max": (
        [[2, 3, 6, 5, 4]],
        lambda F, x: F.adaptive_max_pool3d(x, [4, 2, 3], return_mask=True),
    ),
    "bilinear": (
        [[3, 4], [3, 2], [5, 4, 2], [1, 5]],
        lambda F, x, y, w, b: F.bilinear(x, y, w, b),
    ),
}


def results(paddle: Any, name: str) -> list[list[Any]]:
    """What the call gives, and the gradients of its operands for a weighted sum of that."""
    shapes, call = CALLS[name]
    random = np.random.RandomState(0)
    operands = [
        paddle.to_tensor(random.permutation(int(np.prod(s))).reshape(s).astype("float32") / 50)
        for s in shapes
    ]
    for x in operands:
        x.stop_gradient = False
    out = call(paddle.nn.functional, *operands)
    outs = out if isinstance(out, list | tuple) else [out]
    share = paddle.to_tensor(random.rand(*outs[0].shape).astype("float32"))
    (outs[0] * share).sum().backward()
    found = [*(o.numpy() for o in outs), *(x.grad.numpy() for x in operands)]
    return [[list(a.shape), np.asarray(a, "float64").ravel().tolist()] for a in found]

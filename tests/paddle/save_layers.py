"""Saves layers with the real Paddle, with an input and the results of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def flat(found: Any) -> list:
    if not isinstance(found, (list, tuple)):
        return [found]
    return [t for part in found for t in flat(part)]


def layers(paddle: Any) -> tuple[Any, Any]:
    """A layer with operators of many kinds, and one with a loop and a branch on tensors."""
    F = paddle.nn.functional

    class Many(paddle.nn.Layer):
        def forward(self, x: Any) -> Any:
            parts = paddle.split(x, 2, axis=1)
            y = F.softmax(parts[0] @ parts[1].transpose([1, 0]), -1)
            y = paddle.concat([y, paddle.cumsum(y, 0).clip(0.1, 2)], 1)
            y = F.pad(y.unsqueeze(0), [1, 1], value=0.5).squeeze(0)
            top, _ = paddle.topk(y, 2)
            masked = paddle.where(y > 0.5, y, paddle.full_like(y, -1.0)).max(1)
            numbers = paddle.arange(0, x.shape[0]).astype("float32")
            is_high = y > 0.5
            counts = is_high.sum(1), is_high.astype("int32").sum(), y.sum(dtype="float64")
            sums = paddle.arange(3), paddle.cumsum(x)
            return top.reshape([-1, 2]), masked, numbers, y[1:, ::2], *counts, *sums

    class Branches(paddle.nn.Layer):
        def forward(self, x: Any) -> Any:
            step = paddle.zeros([1], "int32")
            while step < 4:
                x = paddle.tanh(x) + step.astype("float32")
                step = step + 1
            if x.mean() > 0:
                return x * 2
            return x - 1

    return Many(), Branches()


def save(paddle: Any, folder: str) -> list[str]:
    """The names of what was saved."""
    paddle.seed(0)
    nn, models = paddle.nn, paddle.vision.models
    many, branches = layers(paddle)
    networks = {
        "lenet": (models.LeNet(), [None, 1, 28, 28]),
        "mobilenet": (models.mobilenet_v3_small(scale=0.5), [None, 3, 32, 32]),
        "squeezenet": (models.squeezenet1_1(), [None, 3, 64, 64]),
        "shufflenet": (models.shufflenet_v2_x0_25(), [None, 3, 32, 32]),
        "encoder": (nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2), [None, 5, 16]),
        "gru": (nn.GRU(8, 16), [None, 6, 8]),
        "many": (many, [None, 8]),
        "branches": (branches, [None, 8]),
    }
    for name, (net, shape) in networks.items():
        net.eval()
        x = np.random.default_rng(0).standard_normal([3, *shape[1:]]).astype("f4")
        results = [t.numpy() for t in flat(net(paddle.to_tensor(x)))]
        np.savez(Path(folder, f"{name}.npz"), x, *results)
        spec = [paddle.static.InputSpec(shape, "float32", "x")]
        paddle.jit.save(net, str(Path(folder, name)), input_spec=spec)
    return sorted(networks)

"""The commonest operators, each alone in a program of Paddle's, saved with what it computes.

The functions run in the real Paddle's Python, so they need NumPy only. x and y are [2,3,4] and
floating, v is [4], m and n are [4,5] and [5,3], i is [2,3] and of positions, b is [2,3,4] and of
truth values, image is [2,3,8,8], labels is [6,1], logits [6,4].
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

numbers = np.random.RandomState(0)
INPUTS = {
    "x": numbers.randn(2, 3, 4).astype("float32"),
    "y": numbers.rand(2, 3, 4).astype("float32") + 0.5,
    "v": numbers.randn(4).astype("float32"),
    "m": numbers.randn(4, 5).astype("float32"),
    "n": numbers.randn(5, 3).astype("float32"),
    "i": np.array([[0, 1, 2], [2, 0, 1]], "int64"),
    "b": numbers.rand(2, 3, 4) > 0.5,
    "image": numbers.randn(2, 3, 8, 8).astype("float32"),
    "labels": np.array([[0], [3], [1], [2], [1], [0]], "int64"),
    "logits": numbers.randn(6, 4).astype("float32"),
}

OPERATORS: dict[str, Callable[..., Any]] = {
    "abs": lambda p, F, x: p.abs(x),
    "accuracy": lambda p, F, logits, labels: p.static.accuracy(F.softmax(logits), labels, k=2),
    "acos": lambda p, F, x: p.acos(x / 9),
    "add": lambda p, F, x, y: x + y,
    "add_axis": lambda p, F, x, v: p.add(x, v),
    "adaptive_avg_pool2d": lambda p, F, image: F.adaptive_avg_pool2d(image, 3),
    "adaptive_max_pool2d": lambda p, F, image: F.adaptive_max_pool2d(image, 4),
    "addmm": lambda p, F, logits, m: p.addmm(m[:1], logits, m, beta=0.5, alpha=2.0),
    "all": lambda p, F, b: p.all(b, axis=1),
    "any": lambda p, F, b: p.any(b),
    "arange": lambda p, F, x: p.arange(0, 6, 2) + x.astype("int64")[0, 0, 0],
    "argmax": lambda p, F, x: p.argmax(x, axis=-1, keepdim=True),
    "argmin": lambda p, F, x: p.argmin(x, axis=1),
    "argsort": lambda p, F, x: p.argsort(x, axis=1, descending=True),
    "assign": lambda p, F, x: p.assign(x),
    "avg_pool2d": lambda p, F, image: F.avg_pool2d(image, 3, 2, 1, exclusive=False),
    "batch_norm": lambda p, F, image: p.static.nn.batch_norm(image, is_test=True),
    "bilinear": lambda p, F, image: F.interpolate(image, size=[5, 11], mode="bilinear"),
    "bmm": lambda p, F, x: p.bmm(x, p.transpose(x, [0, 2, 1])),
    "broadcast": lambda p, F, v: p.broadcast_to(v, [3, 4]),
    "cast": lambda p, F, x: p.cast(x, "int32"),
    "ceil": lambda p, F, x: p.ceil(x),
    "clip": lambda p, F, x: p.clip(x, -0.5, 0.5),
    "concat": lambda p, F, x, y: p.concat([x, y], axis=1),
    "conv2d": lambda p, F, image: p.static.nn.conv2d(image, 4, 3, stride=2, padding=1),
    "conv2d_groups": lambda p, F, image: p.static.nn.conv2d(image, 6, 3, groups=3, bias_attr=False),
    "conv2d_transpose": lambda p, F, image: p.static.nn.conv2d_transpose(
        image, 4, filter_size=3, stride=2, padding=1
    ),
    "cos": lambda p, F, x: p.cos(x),
    "cross_entropy": lambda p, F, logits, labels: F.cross_entropy(logits, labels),
    "cumprod": lambda p, F, x: p.cumprod(x, dim=1),
    "cumsum": lambda p, F, x: p.cumsum(x, axis=-1),
    "diag": lambda p, F, v: p.diag(v, offset=1),
    "divide": lambda p, F, x, y: x / y,
    "dropout": lambda p, F, x: F.dropout(x, 0.3, training=False),
    "elu": lambda p, F, x: F.elu(x, 0.7),
    "embedding": lambda p, F, i: p.static.nn.embedding(i, [5, 4], padding_idx=1),
    "einsum": lambda p, F, x, y: p.einsum("bij,bkj->bik", x, y),
    "equal": lambda p, F, i: p.equal(i, i[:1]),
    "erf": lambda p, F, x: p.erf(x),
    "exp": lambda p, F, x: p.exp(x),
    "expand": lambda p, F, v: p.expand(v, [2, 3, 4]),
    "expand_as": lambda p, F, v, x: p.expand_as(v, x),
    "eye": lambda p, F, m: p.eye(4, 5) + m,
    "fc": lambda p, F, x: p.static.nn.fc(x, 5, num_flatten_dims=2, activation="relu"),
    "flatten": lambda p, F, x: p.flatten(x, 1),
    "flip": lambda p, F, x: p.flip(x, [0, 2]),
    "floor": lambda p, F, x: p.floor(x),
    "floor_divide": lambda p, F, i: p.floor_divide(i + 5, i + 2),
    "full": lambda p, F, x: p.full([2, 2], 3.5) + x[0, 0, 0],
    "full_like": lambda p, F, x: p.full_like(x, 2.0),
    "gather": lambda p, F, m, i: p.gather(m, i[0]),
    "gather_nd": lambda p, F, m, i: p.gather_nd(m, i[:, :2]),
    "gelu": lambda p, F, x: F.gelu(x),
    "gelu_tanh": lambda p, F, x: F.gelu(x, approximate=True),
    "greater": lambda p, F, x, y: x > y,
    "group_norm": lambda p, F, image: p.static.nn.group_norm(image, groups=3),
    "hardsigmoid": lambda p, F, x: F.hardsigmoid(x),
    "hardswish": lambda p, F, x: F.hardswish(x),
    "huber": lambda p, F, x, y: F.smooth_l1_loss(x, y),
    "index_select": lambda p, F, m, i: p.index_select(m, i[0], axis=1),
    "instance_norm": lambda p, F, image: p.static.nn.instance_norm(image),
    "isfinite": lambda p, F, x: p.isfinite(p.log(x)),
    "kron_free_outer": lambda p, F, v: p.matmul(v.reshape([4, 1]), v.reshape([1, 4])),
    "label_smooth": lambda p, F, logits: F.label_smooth(F.softmax(logits), epsilon=0.1),
    "layer_norm": lambda p, F, x: p.static.nn.layer_norm(x, begin_norm_axis=2),
    "leaky_relu": lambda p, F, x: F.leaky_relu(x, 0.2),
    "less_equal": lambda p, F, x, y: x <= y,
    "linspace": lambda p, F, v: p.linspace(0, 1, 4) + v,
    "log": lambda p, F, y: p.log(y),
    "log1p": lambda p, F, y: p.log1p(y),
    "log_softmax": lambda p, F, logits: F.log_softmax(logits),
    "logical": lambda p, F, b: p.logical_or(p.logical_not(b), p.logical_and(b, b[:1])),
    "logsumexp": lambda p, F, x: p.logsumexp(x, axis=[0, 2]),
    "masked_select": lambda p, F, x, b: p.masked_select(x, b),
    "matmul": lambda p, F, m, n: p.matmul(m, n),
    "matmul_transposed": lambda p, F, x, y: p.matmul(x, y, transpose_y=True),
    "max": lambda p, F, x: p.max(x, axis=[1, 2], keepdim=True),
    "max_pool2d": lambda p, F, image: F.max_pool2d(image, 2, 2, ceil_mode=True),
    "maximum": lambda p, F, x, y: p.maximum(x, y),
    "median": lambda p, F, x: p.median(x, axis=1),
    "nanmedian": lambda p, F, x: p.nanmedian(x, axis=2),
    "mean": lambda p, F, x: p.mean(x, axis=-1),
    "mean_all": lambda p, F, x: p.mean(x),
    "meshgrid": lambda p, F, v: p.meshgrid(v, v)[1],
    "min": lambda p, F, x: p.min(x),
    "mod": lambda p, F, i: p.mod(i + 7, i + 2),
    "mse_loss": lambda p, F, x, y: F.mse_loss(x, y),
    "multiply": lambda p, F, x, y: x * y,
    "nearest": lambda p, F, image: F.interpolate(image, scale_factor=2, mode="nearest"),
    "nonzero": lambda p, F, b: p.nonzero(b),
    "norm": lambda p, F, x: p.norm(x, p=2, axis=1),
    "not_equal": lambda p, F, i: p.not_equal(i, i[:1]),
    "one_hot": lambda p, F, i: F.one_hot(i, 4),
    "pad": lambda p, F, image: F.pad(image, [1, 2, 0, 1], value=0.5),
    "pad_reflect": lambda p, F, image: F.pad(image, [1, 2, 0, 1], mode="reflect"),
    "pixel_shuffle": lambda p, F, image: F.pixel_shuffle(p.concat([image] * 4, axis=1), 2),
    "pow": lambda p, F, y: p.pow(y, 2.5),
    "prelu": lambda p, F, image: p.static.nn.prelu(image, "channel"),
    "prod": lambda p, F, x: p.prod(x, axis=1),
    "put_along_axis": lambda p, F, m: p.put_along_axis(m, p.argsort(m, axis=0), m * 9, 0),
    "reciprocal": lambda p, F, y: p.reciprocal(y),
    "relu": lambda p, F, x: F.relu(x),
    "relu6": lambda p, F, x: F.relu6(x * 5),
    "repeat_interleave": lambda p, F, m, i: p.repeat_interleave(m[:3], i[0], axis=0),
    "reshape": lambda p, F, x: p.reshape(x, [0, -1]),
    "roll": lambda p, F, x: p.roll(x, 1, axis=2),
    "round": lambda p, F, x: p.round(x * 3),
    "rsqrt": lambda p, F, y: p.rsqrt(y),
    "scale": lambda p, F, x: p.scale(x, 2.0, bias=1.0, bias_after_scale=False),
    "scatter": lambda p, F, m, i: p.scatter(m, i[0], m[:3] * 2),
    "scatter_nd_add": lambda p, F, m, i: p.scatter_nd_add(m, i[:, :1], m[:2]),
    "selu": lambda p, F, x: F.selu(x),
    "shape": lambda p, F, x: p.shape(x),
    "sigmoid": lambda p, F, x: F.sigmoid(x),
    "sign": lambda p, F, x: p.sign(x),
    "silu": lambda p, F, x: F.silu(x),
    "sin": lambda p, F, x: p.sin(x),
    "slice": lambda p, F, x: x[:, 1:3, -1],
    "softmax": lambda p, F, x: F.softmax(x, axis=1),
    "softplus": lambda p, F, x: F.softplus(x, beta=2.0),
    "softsign": lambda p, F, x: F.softsign(x),
    "sort": lambda p, F, x: p.sort(x, axis=0),
    "split": lambda p, F, x: p.split(x, [1, 3], axis=2)[1],
    "sqrt": lambda p, F, y: p.sqrt(y),
    "square": lambda p, F, x: p.square(x),
    "squeeze": lambda p, F, labels: p.squeeze(labels, axis=-1),
    "stack": lambda p, F, x, y: p.stack([x, y], axis=1),
    "strided_slice": lambda p, F, image: image[:, :, ::2, 1:7:3],
    "subtract": lambda p, F, x, y: x - y,
    "sum": lambda p, F, x: p.sum(x, axis=[0, 2]),
    "swish": lambda p, F, x: F.swish(x),
    "take_along_axis": lambda p, F, m, i: p.take_along_axis(m, p.concat([i, i])[:, :2], 1),
    "tanh": lambda p, F, x: p.tanh(x),
    "tile": lambda p, F, v: p.tile(v, [2, 3]),
    "topk": lambda p, F, x: p.topk(x, 2, axis=1)[0],
    "transpose": lambda p, F, x: p.transpose(x, [2, 0, 1]),
    "tril": lambda p, F, m: p.tril(m, -1),
    "triu": lambda p, F, m: p.triu(m, 1),
    "unbind": lambda p, F, x: p.unbind(x, axis=1)[2],
    "unfold": lambda p, F, image: F.unfold(image, 3, 2, 1),
    "unique": lambda p, F, i: p.unique(i),
    "unsqueeze": lambda p, F, v: p.unsqueeze(v, [0, 2]),
    "unstack": lambda p, F, x: p.unstack(x, axis=0)[1],
    "where": lambda p, F, b, x, y: p.where(b, x, y),
    "while": lambda p, F, v: p.static.nn.while_loop(
        lambda i, a: i < 3, lambda i, a: [i + 1, a * 2], [p.zeros([], "int64"), v]
    )[1],
    "zeros_like": lambda p, F, x: p.zeros_like(x) + 1,
}


def arguments(function: Callable) -> list[str]:
    code = function.__code__
    return list(code.co_varnames[2 : code.co_argcount])


def write(paddle: Any, folder: Path) -> dict[str, str]:
    """Save each program with its results; what Paddle itself refuses, by name."""
    paddle.enable_static()
    refused = {}
    for name, function in OPERATORS.items():
        try:
            np.save(folder / f"{name}.npy", written(paddle, function, str(folder / name)))
        except Exception as error:
            refused[name] = f"{type(error).__name__}: {error}"[:300]
    return refused


def written(paddle: Any, function: Callable, prefix: str) -> np.ndarray:
    paddle.seed(1)
    main, startup = paddle.static.Program(), paddle.static.Program()
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        with paddle.static.program_guard(main, startup):
            names = arguments(function)
            dims = {
                n: [None, *INPUTS[n].shape[1:]] if n == "image" else INPUTS[n].shape for n in names
            }
            fed = [paddle.static.data(n, dims[n], str(INPUTS[n].dtype)) for n in names]
            out = function(paddle, paddle.nn.functional, *fed)
        executor.run(startup)
        paddle.static.save_inference_model(prefix, fed, [out], executor, program=main)
        return executor.run(main, feed={n: INPUTS[n] for n in names}, fetch_list=[out])[0]

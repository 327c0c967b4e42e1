"""Layers of `static.nn`, built and trained with Paddle's API, whoever serves it.

The functions run in the real Paddle's Python too, so they need NumPy only; `paddle` is the
framework. Parameters get the same values by their number, so a layer with other parameters, or in
another order, gives other results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

IMAGES, VOLUMES, FLAT = [2, 4, 6, 5], [2, 4, 4, 3, 5], [3, 5]

# name: (shapes of the inputs, the layer of (nn, *inputs)); an int for the shape of ids below it.
LAYERS: dict[str, tuple[list[Any], Any]] = {
    "fc": ([FLAT], lambda nn, x: nn.fc(x, 3)),
    "fc of images": ([IMAGES], lambda nn, x: nn.fc(x, 3, 2, activation="tanh", name="dense")),
    "fc of two": ([FLAT, [3, 2]], lambda nn, x, y: nn.fc([x, y], 4, bias_attr=False)),
    "bilinear": ([FLAT, [3, 2]], lambda nn, x, y: nn.bilinear_tensor_product(x, y, 4, "relu")),
    "embedding": ([[2, 3, 7]], lambda nn, x: nn.embedding(x, [7, 4])),
    "embedding padded": ([[2, 3, 7]], lambda nn, x: nn.embedding(x, [7, 4], padding_idx=-2)),
    "conv2d": ([IMAGES], lambda nn, x: nn.conv2d(x, 6, 3, padding=1, act="relu")),
    "conv2d strided": (
        [IMAGES],
        lambda nn, x: nn.conv2d(x, 4, [3, 2], [2, 1], [1, 0, 0, 2], 1, 2, bias_attr=False),
    ),
    "conv2d same": ([IMAGES], lambda nn, x: nn.conv2d(x, 3, 3, stride=2, padding="SAME")),
    "conv2d last": ([IMAGES], lambda nn, x: nn.conv2d(x, 3, 2, data_format="NHWC", name="last")),
    "conv2d of channels": (
        [IMAGES],
        lambda nn, x: nn.conv2d(x, 4, 3, groups=4, use_cudnn=False),
    ),
    "conv2d dilated": ([IMAGES], lambda nn, x: nn.conv2d(x, 3, 2, padding="VALID", dilation=2)),
    "conv2d_transpose": (
        [IMAGES],
        lambda nn, x: nn.conv2d_transpose(x, 3, filter_size=3, stride=2, padding=1),
    ),
    "conv2d_transpose to a size": (
        [IMAGES],
        lambda nn, x: nn.conv2d_transpose(x, 2, [13, 10], stride=2, groups=2, act="sigmoid"),
    ),
    "conv3d": ([VOLUMES], lambda nn, x: nn.conv3d(x, 3, 2, padding=1, act="relu")),
    "conv3d strided": (
        [VOLUMES],
        lambda nn, x: nn.conv3d(x, 4, [3, 2, 2], [2, 1, 1], [1, 0, 1], [1, 1, 2], groups=2),
    ),
    "conv3d last": ([VOLUMES], lambda nn, x: nn.conv3d(x, 2, 2, data_format="NDHWC")),
    "conv3d_transpose": (
        [VOLUMES],
        lambda nn, x: nn.conv3d_transpose(x, 3, filter_size=2, stride=[1, 2, 2], padding=1),
    ),
    "conv3d_transpose to a size": (
        [VOLUMES],
        lambda nn, x: nn.conv3d_transpose(x, 2, [5, 6, 10], stride=[1, 2, 2], bias_attr=False),
    ),
    "deform_conv2d": (
        [[2, 4, 5, 4], [2, 18, 5, 4], [2, 9, 5, 4]],
        lambda nn, x, offset, mask: nn.deform_conv2d(x, offset, mask, 3, 3, padding=1),
    ),
    "deform_conv2d without mask": (
        [[2, 4, 5, 4], [2, 16, 2, 3]],
        lambda nn, x, offset: nn.deform_conv2d(x, offset, None, 4, 2, [2, 1], 0, 1, 2, 2),
    ),
    "row_conv": ([[2, 5, 3]], lambda nn, x: nn.row_conv(x, 2, act="tanh")),
    "batch_norm": ([IMAGES], lambda nn, x: nn.batch_norm(x, act="relu", momentum=0.7)),
    "batch_norm of vectors": ([[6, 3]], lambda nn, x: nn.batch_norm(x, name="normal")),
    "batch_norm last": ([IMAGES], lambda nn, x: nn.batch_norm(x, data_layout="NHWC")),
    "batch_norm in use": ([IMAGES], lambda nn, x: nn.batch_norm(x, is_test=True)),
    "batch_norm of volumes": ([VOLUMES], lambda nn, x: nn.batch_norm(x, use_global_stats=True)),
    "batch_norm with names": (
        [IMAGES],
        lambda nn, x: nn.batch_norm(x, moving_mean_name="m", moving_variance_name="v"),
    ),
    "layer_norm": ([IMAGES], lambda nn, x: nn.layer_norm(x, act="tanh")),
    "layer_norm without shift": (
        [IMAGES],
        lambda nn, x: nn.layer_norm(x, shift=False, begin_norm_axis=2, epsilon=1e-3),
    ),
    "group_norm": ([IMAGES], lambda nn, x: nn.group_norm(x, 2)),
    "group_norm scaled": (
        [IMAGES],
        lambda nn, x: nn.group_norm(x, 2, 1e-3, True, True, "relu"),
    ),
    "instance_norm": ([IMAGES], lambda nn, x: nn.instance_norm(x)),
    "instance_norm scaled": ([IMAGES], lambda nn, x: nn.instance_norm(x, 1e-3, True, True)),
    "data_norm": ([FLAT], lambda nn, x: nn.data_norm(x)),
    "data_norm scaled": (
        [FLAT],
        lambda nn, x: nn.data_norm(x, "tanh", name="d", param_attr={}, enable_scale_and_shift=True),
    ),
    "prelu": ([IMAGES], lambda nn, x: nn.prelu(x, "all")),
    "prelu by channel": ([IMAGES], lambda nn, x: nn.prelu(x, "channel")),
    "prelu last": ([IMAGES], lambda nn, x: nn.prelu(x, "channel", data_format="NHWC")),
    "prelu by element": ([IMAGES], lambda nn, x: nn.prelu(x, "element")),
}  # fmt: skip


def input_of(shape: list[int], number: int) -> np.ndarray:
    """Numbers around 0, or where there are three sizes of which the last is 7, ids below it."""
    random = np.random.RandomState(10 + number)
    if len(shape) == 3 and shape[-1] == 7:
        return random.randint(0, 7, shape[:2]).astype("int64")
    return random.uniform(-0.9, 1.1, shape).astype("float32")


def trained(paddle: Any, name: str, prefix: str | None = None) -> dict[str, Any]:
    """What the layer gives before and after two steps, and its parameters by name after them.

    prefix: where the program for inference is saved too.
    """
    static = paddle.static
    shapes, layer = LAYERS[name]
    feed = {f"x{i}": input_of(shape, i) for i, shape in enumerate(shapes)}
    main, startup = static.Program(), static.Program()
    scope = static.Scope() if hasattr(static, "Scope") else paddle.base.Scope()
    with (
        paddle.utils.unique_name.guard(),
        static.program_guard(main, startup),
        static.scope_guard(scope),
    ):
        inputs = [
            static.data(key, [None, *value.shape[1:]], str(value.dtype))
            for key, value in feed.items()
        ]
        for x, value in zip(inputs, feed.values(), strict=True):
            x.stop_gradient = value.dtype == "int64"  # Paddle fails on offsets without gradients
        out = layer(static.nn, *inputs)
        test = main.clone(for_test=True)
        loss = paddle.mean(out * out)
        parameters = [p.name for p in main.all_parameters()]
        if parameters:
            paddle.optimizer.SGD(0.001).minimize(loss)
        executor = static.Executor(paddle.CPUPlace())
        executor.run(startup)
        for number, p in enumerate(parameters):
            entry = static.global_scope().find_var(p).get_tensor()
            shape = np.array(entry).shape
            value = np.random.RandomState(number).uniform(0.2, 1.0, shape).astype("float32")
            entry.set(value, paddle.CPUPlace())
        outputs = [executor.run(main, feed=feed, fetch_list=[out])[0] for _ in range(3)]
        outputs += executor.run(test, feed=feed, fetch_list=[out.name])
        values = {p: np.array(static.global_scope().find_var(p).get_tensor()) for p in parameters}
        if prefix is not None:
            static.save_inference_model(prefix, inputs, [out], executor, program=main)
    return {
        "outputs": [listed(o) for o in outputs],
        "parameters": {p: listed(v) for p, v in values.items()},
    }


def loaded(paddle: Any, name: str, prefix: str) -> list[Any]:
    """What the program saved at `prefix` gives for the layer's input."""
    static = paddle.static
    feed = {f"x{i}": input_of(shape, i) for i, shape in enumerate(LAYERS[name][0])}
    executor = static.Executor(paddle.CPUPlace())
    with static.scope_guard(static.Scope() if hasattr(static, "Scope") else paddle.base.Scope()):
        program, names, fetches = static.load_inference_model(prefix, executor)
        (found,) = executor.run(program, feed={n: feed[n] for n in names}, fetch_list=fetches)
    return listed(found)


def listed(array: Any) -> list[Any]:
    """Shape and numbers, which JSON can say."""
    values = np.asarray(array)
    return [list(values.shape), values.astype("float64").ravel().tolist()]

"""The same objects, written and read with Paddle's API, whoever serves it.

The functions run in the real Paddle's Python too, so they need NumPy only; `paddle` is the
framework. So what one has written can be compared with what the other finds.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

PROTOCOLS = (2, 3, 4)
DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


def named(paddle: Any, values: Any, name: str, dtype: str = "float32") -> Any:
    tensor = paddle.to_tensor(np.array(values, "float32")).astype(dtype)
    tensor.name = name
    return tensor


def objects(paddle: Any) -> dict[str, Any]:
    """What is saved: each kind of object that `save` takes."""
    weight = named(paddle, [[1, 2, 3], [4, 5, 6]], "linear_0.w_0")
    bias = named(paddle, [0.5, -1, 2], "linear_0.b_0")
    return {
        "state": {"fc.weight": weight, "fc.bias": bias},
        "optimizer": {
            "linear_0.w_0_moment1_0": weight,
            "linear_0.w_0_beta1_pow_acc_0": named(paddle, [0.9], "beta1"),
            "LR_Scheduler": {"last_epoch": 3, "last_lr": 0.1},
        },
        "types": {dtype: named(paddle, [0, 1, 3], f"t_{dtype}", dtype) for dtype in DTYPES},
        "shapes": {
            "none": named(paddle, 2.5, "none"),
            "empty": named(paddle, np.zeros([2, 0, 3]), "empty"),
            "deep": named(paddle, np.arange(24).reshape(2, 3, 1, 4), "deep"),
        },
        "single": weight,
        "list": [weight, {"a": [bias, (bias, 1)], "none": None}, 2**70, -1.5, "text \u20ac"],
        "nested": {"model": {"fc.weight": weight}, "opt": [bias], "epoch": 7},
        "ordered": OrderedDict(b=weight, a=[np.float32(1.5), np.int64(-3), np.bool_(True)]),
        "arrays": {"x": np.arange(6, dtype="float32").reshape(2, 3), "y": [np.ones(2, "int64")]},
        "beside": [weight, np.arange(3)],
        "plain": {"a": [1, True, None], "c": 1 - 2j, "s": {1, 2}, 3: "three", (1, 2): ()},
        "bfloat16": [named(paddle, [1, -2], "half", "bfloat16")],
        "no parts": {},
    }


def write(paddle: Any, folder: Path) -> None:
    """Save each object with each protocol, and each type of tensor in the binary format."""
    made = objects(paddle)
    for name, obj in made.items():
        for protocol in PROTOCOLS:
            paddle.save(obj, str(folder / f"{name}.{protocol}"), protocol=protocol)
    # The real Paddle forgets the shape of an empty tensor here, when it returns an array.
    tensors = {
        name: tensor
        for name, tensor in {**made["types"], **made["shapes"]}.items()
        if name != "empty"
    }
    for name, tensor in tensors.items():
        paddle.save(tensor, str(folder / f"{name}.binary"), use_binary_format=True)


def read(paddle: Any, folder: Path) -> dict[str, Any]:
    """What each file in the folder holds, loaded as tensors and as arrays."""
    found = {}
    for path in sorted(folder.iterdir()):
        has_name = path.suffix != ".binary"
        found[path.name] = describe(paddle, paddle.load(str(path)), has_name)
        arrays = paddle.load(str(path), return_numpy=True)
        found[f"{path.name} as arrays"] = describe(paddle, arrays, has_name)
    return found


def describe(paddle: Any, obj: Any, has_name: bool = True) -> Any:
    """`obj` as JSON has it, with types; bfloat16 of an array is the uint16 that Paddle returns."""
    if isinstance(obj, paddle.Tensor):
        kind = str(obj.dtype).rpartition(".")[2]
        name = obj.name if has_name and not obj.name.startswith("generated") else None
        return ["tensor", kind, list(obj.shape), np.asarray(obj.numpy()).tobytes().hex(), name]
    if isinstance(obj, np.ndarray):
        kind = obj.dtype.name.replace("bfloat16", "uint16")
        return ["array", kind, list(obj.shape), obj.tobytes().hex()]
    if isinstance(obj, dict):
        items = [[repr(key), describe(paddle, value, has_name)] for key, value in obj.items()]
        return [type(obj).__name__, items]
    if isinstance(obj, list | tuple):
        return [type(obj).__name__, [describe(paddle, part, has_name) for part in obj]]
    kind = obj.dtype.name if isinstance(obj, np.generic) else type(obj).__name__
    return [kind, str(obj)]

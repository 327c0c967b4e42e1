"""`match` on plain values, type annotations, docstrings, and other statements."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from tests.jit.matrix.case import case, given

SIGNS = ([1.0, 2.0], [-1.0, -2.0])


@case(given([1.0], "relu"), given([-1.0], "relu"), given([1.0], "tanh"), given([1.0], "other"))
def match_on_a_name(x, name):
    match name:
        case "relu":
            y = x if x > 0 else x * 0
        case "tanh" | "sigmoid":
            y = paddle.tanh(x)
        case _:
            y = x
    return y


@case(given([1.0], (1, 2)), given([1.0], (3,)), given([1.0], ()))
def match_on_a_structure(x, sizes):
    match sizes:
        case (a, b):
            return x * a + b
        case (a,):
            if x > 0:
                return x * a
        case _:
            pass
    return x - 1


@case(given([1.0], {"kind": "scale", "by": 2.0}), given([1.0], {"kind": "shift"}))
def match_on_a_dict(x, options):
    match options:
        case {"kind": "scale", "by": float(by)} if by > 1:
            return x * by
        case {"kind": str(kind), **rest}:
            return x + len(kind) + len(rest)


@case(*SIGNS)
def annotations_and_docstring(x: Any) -> Any:
    """Double where positive."""
    scale: float = 2.0
    y: Any
    if x.sum() > 0:
        y = x * scale
    else:
        y = x
    return y


@case(*SIGNS)
def global_function_and_local_import(x):
    import math

    from twinoar.nn.functional import relu

    if x.sum() > 0:
        return relu(x) * math.pi
    return x


@case(*SIGNS)
def local_class(x):
    class Scale:
        factor = 3.0

        def __call__(self, v):
            if v.sum() > 0:
                return v * self.factor
            return v

    return Scale()(x)


@case(*SIGNS)
def several_targets(x):
    a = b = x * 2
    (c, d), [e, *f] = (a, b), [x, x + 1, x + 2]
    if x.sum() > 0:
        a = c = e
    return a + b + c + d + e + f[1]


@case(*SIGNS)
def delete_of_names_and_items(x):
    parts = {"a": x, "b": x * 2}
    total = parts["a"] + parts["b"]
    del parts["a"]
    del x
    return total * len(parts)


@case(*SIGNS)
def choice_by_name(x):
    mode = "train" if x.ndim else "eval"
    return x * {"train": 2.0, "eval": 3.0}[mode]


@case(*SIGNS)
def matrix_operators(x):
    m = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    y = m @ x
    return -y + x - (y // 2) + (y % 3) + 2 ** y.clip(-2, 2) + 1 / (y + 0.25)


@case(*SIGNS)
def numpy_constant(x):
    import numpy as np

    table = np.array([1.0, 2.0], dtype="float32")
    return x * paddle.to_tensor(table) + float(np.sum(table))


@case(*SIGNS)
def detached_and_cloned(x):
    y = x.detach() * 2
    z = x.clone()
    if x.sum() > 0:
        z = z * y
    return z


@case(given([1.0], 1), given([1.0], 2), given([1.0], 3))
def dispatch_by_if_chain(x, kind):
    if kind == 1:
        function = paddle.exp
    elif kind == 2:
        function = paddle.tanh
    else:

        def function(v):
            return v if v.sum() < 0 else v * 9

    return function(x)

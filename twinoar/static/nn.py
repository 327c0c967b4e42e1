"""Layers of static Programs as functions: each call makes parameters in the default Programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core import unique_name
from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, XavierUniform
from twinoar.nn.initializer.default import default_initializer_of
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.accuracy import accuracy
from twinoar.ops.control_flow import cond, while_loop
from twinoar.ops.elementwise import add
from twinoar.ops.matmul import fc_mul


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Any:
    """A trainable parameter, initialized by `attr`, `default_initializer`, or Paddle's default.

    Paddle's default is XavierUniform, and zeros for a bias. shape: known sizes. Returns a
    Parameter, or in a static graph a State of the default main Program that the startup Program
    initializes. Raises ArgumentError for sizes that are not known.

    >>> import twinoar
    >>> twinoar.create_parameter([2, 3], "float32").shape
    [2, 3]
    """
    chosen = ParamAttr._to_attr(attr)
    if chosen is False:
        raise ArgumentError(
            "attr=False asks for no parameter", cure="pass None, a name or a ParamAttr"
        )
    if name is not None and chosen.name is None:
        chosen.name = name
    prefix = unique_name.generate("create_parameter")
    return make_parameter(
        Spec(_known(shape), dtype_of(dtype)),
        chosen,
        f"{prefix}.{'b' if is_bias else 'w'}_0",
        is_bias,
        default_initializer,
    )


def make_parameter(
    spec: Spec, attr: ParamAttr, name: str, is_bias: bool = False, default: Any = None
) -> Any:
    """A parameter of `spec` with the traits of `attr`, called `name` unless attr names it."""
    fallback = (
        default
        or default_initializer_of(is_bias)
        or (Constant(0.0) if is_bias else XavierUniform())
    )
    initializer = attr.initializer or fallback
    return current().create_parameter(
        spec,
        initializer,
        name=attr.name or name,
        stop_gradient=not attr.trainable,
        **attr.traits(),
    )


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """A fully connected layer: activation(x W + b), summed over several x.

    x: [*batch, *features], or a list of such; the first `num_flatten_dims` dimensions are kept, the
    others flattened. Returns [*batch, size]. Parameters: one W [features, size] per x, b [size]
    unless bias_attr is False. activation: the name of a function of nn.functional. Raises
    ShapeError where the features are not known, ArgumentError for an unknown activation.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 3)
    >>> y.shape
    [N, 3]
    """
    if not isinstance(size, int) or size < 1:
        raise ArgumentError(
            f"size must be a positive int, received {size!r}",
            cure="give the number of results of the layer",
        )
    prefix = unique_name.generate(name or "fc")
    operands = list(x) if isinstance(x, (list, tuple)) else [x]
    total = None
    for i, v in enumerate(operands):
        product = _product(
            v, size, num_flatten_dims, ParamAttr._to_attr(weight_attr), f"{prefix}.w_{i}"
        )
        total = product if total is None else add(total, product)
    bias = ParamAttr._to_attr(bias_attr)
    if bias is not False:
        total = add(
            total, make_parameter(Spec((size,), total.dtype), bias, f"{prefix}.b_0", is_bias=True)
        )
    return total if activation is None else _activation(activation)(total)


def _product(v: Any, size: int, num_flatten_dims: int, attr: ParamAttr, name: str) -> Any:
    if not isinstance(v, Value):
        raise TypeMismatchError(
            f"fc takes Variables, received {type(v).__name__}",
            cure="declare inputs with static.data",
        )
    if num_flatten_dims == -1:
        num_flatten_dims = v.ndim - 1
    if not 0 < num_flatten_dims < v.ndim:
        raise ArgumentError(
            f"num_flatten_dims must be in [1, {v.ndim - 1}] for {v.spec}, "
            f"received {num_flatten_dims}",
            cure="1 keeps the batch alone",
        )
    features = v.spec.shape[num_flatten_dims:]
    if not all(isinstance(n, int) for n in features):
        raise ShapeError(
            f"fc needs known feature sizes, received {v.spec}", cure="declare them in static.data"
        )
    weight = make_parameter(Spec((math.prod(features), size), v.dtype), attr, name)  # type: ignore[arg-type]
    return fc_mul(v, weight, num_flatten_dims, 1)


def _activation(name: str) -> Callable:
    found = getattr(functional, name, None) if name in functional.__all__ else None
    if found is None:
        raise ArgumentError(
            f"there is no activation {name!r}",
            cure="use a name of nn.functional, such as 'relu' or 'softmax'",
        )
    return found


def _known(shape: Any) -> tuple[int, ...]:
    sizes = tuple(shape)
    if not all(isinstance(n, int) and n >= 0 for n in sizes):
        raise ArgumentError(
            f"a parameter needs known sizes, received {list(sizes)}",
            cure="give each size as a number",
        )
    return sizes


__all__ = ["accuracy", "cond", "create_parameter", "fc", "while_loop"]

"""A product with what follows it: a bias, an activation, dropout and a residual."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.nn.functional._refused import refuse_quantized
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.activation.smooth import gelu, silu
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.random.dropout import dropout
from twinoar.ops.shape.concat import chunk

ACTIVATIONS: dict[str, Any] = {"gelu": gelu, "relu": relu, "silu": silu, "swish": silu}
GATES: dict[str, Any] = {"geglu": gelu, "swiglu": silu}


@function
def fused_matmul_bias(
    x: Tensor,
    y: Tensor,
    bias: Tensor | None = None,
    transpose_x: bool = False,
    transpose_y: bool = False,
) -> Tensor:
    """`matmul` of x and y, plus bias.

    x: [...,M,K]. y: [K,N]. transpose_x, transpose_y: swap the last two. bias: [N], added
    in the dtype of the product. Returns [...,M,N]. Raises ShapeError, DTypeError.

    >>> x, y = twinoar.to_tensor([[1.0, 2.0]]), twinoar.to_tensor([[3.0, 4.0]])
    >>> multiply = twinoar.incubate.nn.functional.fused_matmul_bias
    >>> multiply(x, y, twinoar.ones([1]), transpose_y=True).tolist()
    [[12.0]]
    """
    product = matmul(x, y, transpose_x, transpose_y)
    if bias is None:
        return product
    if bias.ndim != 1:
        raise ShapeError(f"bias must be [N], received {bias.spec}", cure="give a vector as bias")
    return add(product, astype(bias, product.dtype))


@function
def fused_linear(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, transpose_weight: bool = False
) -> Tensor:
    """x times weight, plus bias.

    x: [*,I]. weight: [I,O], or [O,I] with transpose_weight. bias: [O]. Returns [*,O]. Raises
    ShapeError, DTypeError.

    >>> x = twinoar.ones([1, 2])
    >>> twinoar.incubate.nn.functional.fused_linear(x, twinoar.ones([2, 3])).tolist()
    [[2.0, 2.0, 2.0]]
    """
    return fused_matmul_bias(x, weight, bias, False, transpose_weight)


@function(named=False)
def fused_linear_activation(
    x: Tensor,
    y: Tensor,
    bias: Tensor,
    trans_x: bool = False,
    trans_y: bool = False,
    activation: str | None = None,
) -> Tensor:
    """`fused_matmul_bias`, and "relu" or "gelu" of it, by its tanh; None or "none" for neither.

    x: [...,M,K]. y: [K,N]. bias: [N]. Returns [...,M,N]. Raises ArgumentError, ShapeError.

    >>> x, y = twinoar.ones([1, 2]), twinoar.to_tensor([[1.0, -1.0], [1.0, -1.0]])
    >>> multiply = twinoar.incubate.nn.functional.fused_linear_activation
    >>> multiply(x, y, twinoar.zeros([2]), activation="relu").tolist()
    [[2.0, 0.0]]
    """
    out = fused_matmul_bias(x, y, bias, trans_x, trans_y)
    if activation in (None, "none"):
        return out
    if activation not in ("relu", "gelu"):
        raise ArgumentError(
            f"activation must be 'relu', 'gelu' or None, received {activation!r}",
            cure="apply another one to the result",
        )
    return relu(out) if activation == "relu" else gelu(out, approximate=True)


@function(named=False)
def fused_bias_act(
    x: Tensor,
    bias: Tensor | None = None,
    dequant_scales: Tensor | None = None,
    shift: Tensor | None = None,
    smooth: Tensor | None = None,
    act_method: str = "gelu",
    compute_dtype: str = "default",
    quant_scale: float = -1,
    quant_round_type: int = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> Tensor:
    """(activation(x + bias) + shift) * smooth.

    x: [*,N], floating. bias: [N]. act_method: "gelu", "relu", "silu" or "swish"; or "geglu" or
    "swiglu", the activation of one half of x + bias times the other. shift, smooth: [N], or [N / 2]
    of halves. compute_dtype: of int32 alone, and without effect. Returns [*,N] or [*,N / 2]. Raises
    ArgumentError, ShapeError, UnsupportedError for dequant_scales or a quant_scale.

    >>> x = twinoar.to_tensor([[-1.0, 2.0]])
    >>> act = twinoar.incubate.nn.functional.fused_bias_act
    >>> act(x, twinoar.ones([2]), act_method="relu").tolist()
    [[0.0, 3.0]]
    """
    refuse_quantized(quant_scale, dequant_scales=dequant_scales)
    out = activated(act_method, x if bias is None else astype(x + bias, x.dtype))
    if shift is not None:
        out = out + shift
    return astype(out if smooth is None else out * smooth, x.dtype)


def activated(method: str, x: Tensor) -> Tensor:
    """What an activation by its name makes of x; a gate halves the last dimension."""
    if method in GATES:
        size = x.spec.shape[-1] if x.ndim else 1
        if isinstance(size, int) and size % 2:
            raise ShapeError(
                f"the last dimension must be even for {method}, received {x.spec}",
                cure="give what is gated and the gate side by side",
            )
        one, other = chunk(x, 2, -1)
        return GATES[method](one) * other
    if method not in ACTIVATIONS:
        raise ArgumentError(
            f"the activation must be one of {', '.join((*ACTIVATIONS, *GATES))}, "
            f"received {method!r}",
            cure="apply another one to the result",
        )
    return ACTIVATIONS[method](x)


@function
def fused_dropout_add(
    x: Tensor,
    y: Tensor,
    p: float = 0.5,
    training: bool = True,
    mode: str = "upscale_in_train",
) -> Tensor:
    """`dropout` of x, plus y.

    x, y: [*], floating. p, training, mode: see `dropout`. Returns [*]. Raises ArgumentError,
    ShapeError.

    >>> x = twinoar.ones([2])
    >>> twinoar.incubate.nn.functional.fused_dropout_add(x, x, training=False).tolist()
    [2.0, 2.0]
    """
    return add(dropout(x, p, training=training, mode=mode), y)

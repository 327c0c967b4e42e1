"""What a primitive does besides its own work: operations on each element of its result.

They are applied in order, in registers or cache, before the result is written. They are the
attributes of oneDNN that it calls post-ops, with the precision of the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.library import Handle, call, made
from twinoar.core.dtype import float32
from twinoar.late import dataclass

Precision = Literal["strict", "bfloat16", "float16", "any"]
PRECISIONS: dict[Precision, int] = {"strict": 0, "bfloat16": 1, "float16": 2, "any": 3}

ELTWISE = {
    "relu": 0x20, "tanh": 0x21, "elu": 0x22, "square": 0x23, "abs": 0x24, "sqrt": 0x25,
    "linear": 0x26, "softplus": 0x27, "hardsigmoid": 0x28, "sigmoid": 0x29, "exp": 0x2A,
    "gelu_tanh": 0x2B, "swish": 0x2C, "log": 0x2D, "clip": 0x2F, "pow": 0x30, "gelu_erf": 0x31,
    "mish": 0x33, "hardswish": 0x34,
}  # fmt: skip
BINARY = {"add": 0x1FFF0, "mul": 0x1FFF1, "max": 0x1FFF2, "min": 0x1FFF3, "div": 0x1FFF4,
          "sub": 0x1FFF5}  # fmt: skip

USER_SCRATCHPAD = 1
UNDEFINED_TYPE = 0
POST_ARGUMENT_BASE, BINARY_ARGUMENT = 32768, 2
WEIGHTS = 33
SCALES = 4096  # with the number of an argument, the argument that scales it


@dataclass(frozen=True, slots=True)
class Eltwise:
    """A function of one element, of those in `ELTWISE`.

    alpha, beta: "relu" has slope alpha below 0; "elu" scale alpha; "linear" is alpha x + beta;
    "softplus" is log(1 + exp(alpha x)) / alpha; "hardsigmoid" clips alpha x + beta to [0,1];
    "hardswish" is x times that; "swish" is x sigmoid(alpha x); "clip" to [alpha,beta]; "pow" is
    alpha x^beta.
    """

    kind: str
    alpha: float = 0.0
    beta: float = 0.0


@dataclass(frozen=True, slots=True)
class Sum:
    """Adds `scale` times what lay in the destination before."""

    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Binary:
    """A function, of those in `BINARY`, of an element and that of a second array.

    operand: of the destination's rank; sizes of 1 broadcast. It is the primitive's argument
    "post_<i>", i being the place among the operations.
    """

    kind: str
    operand: Layout


PostOp = Eltwise | Sum | Binary


@dataclass(frozen=True, slots=True)
class Scales:
    """Products are multiplied by numbers, before the bias is added, if weights are of integers.

    count: of the numbers, float32: one, or one for each index along `axes` of the weights. They are
    the primitive's argument "scales".
    """

    count: int
    axes: tuple[int, ...] = ()

    @property
    def layout(self) -> Layout:
        """How the numbers lie."""
        return Layout.row_major((self.count,), float32)


def post_arguments(post: Sequence[PostOp]) -> dict[str, int]:
    """The arguments that the operations add to a primitive: name to number."""
    return {
        f"post_{i}": (i + 1) * POST_ARGUMENT_BASE | BINARY_ARGUMENT
        for i, operation in enumerate(post)
        if isinstance(operation, Binary)
    }


def attributes(
    post: Sequence[PostOp] = (), precision: Precision = "strict", scales: Scales | None = None
) -> Handle:
    """The library's form of it all; scratch memory is always the caller's."""
    handle = made("primitive_attr", "primitive_attr_create")
    call("primitive_attr_set_scratchpad_mode", handle, USER_SCRATCHPAD)
    if precision != "strict":
        call("primitive_attr_set_fpmath_mode", handle, PRECISIONS[precision])
    if scales is not None:
        mask = sum(1 << axis for axis in scales.axes)
        call("primitive_attr_set_scales_mask", handle, WEIGHTS, mask)
    if post:
        call("primitive_attr_set_post_ops", handle, _post_ops(post))
    return handle


def _post_ops(post: Sequence[PostOp]) -> Handle:
    handle = made("post_ops", "post_ops_create")
    for operation in post:
        match operation:
            case Eltwise(kind, alpha, beta):
                call("post_ops_append_eltwise", handle, ELTWISE[kind], alpha, beta)
            case Sum(scale):
                call("post_ops_append_sum", handle, scale, 0, UNDEFINED_TYPE)
            case Binary(kind, operand):
                call("post_ops_append_binary", handle, BINARY[kind], operand.descriptor())
    return handle

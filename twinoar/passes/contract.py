"""Rules that turn one contraction into another that runs faster."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.ops.conv.gradient import conv2d_grad_weight
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import reshape_op, transpose_op
from twinoar.ops.window.patches import patches
from twinoar.passes.registry import enabled

FEW_PIXELS = 256  # of all images: then the windows take little memory,
MANY_FILTERS = 1 << 16  # and libraries divide the work badly


@rewrite(
    lambda x, dy: conv2d_grad_weight(
        x,
        dy,
        Attr("kernel_size"),
        Attr("stride"),
        Attr("padding"),
        Attr("dilation"),
        Attr("groups"),
        Attr("data_format"),
    )
)
def filters_of_few_pixels(
    x: Variable,
    dy: Variable,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    data_format: str,
) -> Any:
    """The gradient of filters is the product of the gradient's pixels and the windows of x."""
    if groups != 1 or data_format != "NCHW" or not (x.spec.is_static and dy.spec.is_static):
        return None
    sizes: Any = dy.spec.shape
    batch, filters, *out = sizes
    pixels, channels = batch * math.prod(out), x.spec.shape[1]
    if not 0 < pixels <= FEW_PIXELS or channels * filters < MANY_FILTERS:
        return None
    windows = patches(x, kernel_size, stride, padding, dilation)
    columns = reshape_op(windows, (pixels, channels * math.prod(kernel_size)))
    rows = reshape_op(transpose_op(dy, (0, 2, 3, 1)), (pixels, filters))
    product = matmul(rows, columns, True, False)
    return reshape_op(product, (filters, channels, *kernel_size))


RULES: list[Rule] = [filters_of_few_pixels]


def contract(program: Program) -> Program:
    """Apply the rules until none fires, in place. Returns the program."""
    return apply_rules(program, enabled(RULES))

"""Rules that turn one contraction into another that runs faster."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.core.varying import same
from twinoar.ops.conv.gradient import conv2d_grad_weight
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.affine import neg
from twinoar.ops.math.complex_number import as_complex, as_real, complex, imag, real
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op, swapaxes, transpose_op, unsqueeze_op
from twinoar.ops.window.patches import patches
from twinoar.passes.inverted import RULES as INVERTED
from twinoar.passes.registry import enabled
from twinoar.passes.winograd import winograd, winograd_grad_weight, winograd_grad_x

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


@rewrite(lambda x, y: matmul(x, y, Attr("transpose_x"), Attr("transpose_y")))
def complex_product(x: Variable, y: Variable, transpose_x: bool, transpose_y: bool) -> Any:
    """A product of complex matrices is one of real ones, [M,2K] by [2K,2N].

    A row of x has the parts side by side, as they lie in memory; each row of y stands twice, as it
    is and times i.
    """
    if not x.spec.dtype.is_complex or x.spec.ndim < 2 or y.spec.ndim < 2:
        return None
    if any(same(n, 0) for n in (*x.spec.shape, *y.spec.shape)):
        return None
    left = swapaxes(x, -1, -2) if transpose_x else x
    right = swapaxes(y, -1, -2) if transpose_y else y
    (*lead, rows, inner), (*batch, _, columns) = left.spec.shape, right.spec.shape
    parts = reshape_op(as_real(left), (*lead, rows, 2 * inner))
    turned = complex(neg(imag(right)), real(right))
    both = concat_op([as_real(unsqueeze_op(z, (-2,))) for z in (right, turned)], y.spec.ndim - 1)
    product = matmul(parts, reshape_op(both, (*batch, 2 * inner, 2 * columns)))
    return as_complex(reshape_op(product, (*product.spec.shape[:-1], columns, 2)))


# Sums and differences of pixels are larger than these, and so is the error of rounding them; and a
# product of bfloat16 saves more than a transform does.
OF_ROUNDED: list[Rule] = [*INVERTED, filters_of_few_pixels, complex_product]
RULES: list[Rule] = [winograd, winograd_grad_x, winograd_grad_weight, *OF_ROUNDED]


def contract(program: Program) -> Program:
    """Apply the rules until none fires, in place. Returns the program."""
    return apply_rules(program, enabled(RULES))


def contract_rounded(program: Program) -> Program:
    """The same where products round their operands: no convolution is transformed."""
    return apply_rules(program, enabled(OF_ROUNDED))

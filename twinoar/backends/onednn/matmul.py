"""Products of matrices, with a bias and operations on the result."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.onednn.attributes import PostOp, Precision, Scales
from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.primitive import Primitive, built


def matmul(
    src: Layout,
    weights: Layout,
    dst: Layout,
    *,
    bias: Layout | None = None,
    post: Sequence[PostOp] = (),
    precision: Precision = "strict",
    scales: Scales | None = None,
) -> Primitive | None:
    """dst = post(src weights + bias), None where the library has no such product.

    src: [...,M,K]. weights: [...,K,N]. dst: [...,M,N]. bias: [...,1,N], or with M. All have one
    rank, at least 2; leading sizes of 1 broadcast. A transposed operand is one with the strides of
    a transpose. Any of src, weights and dst may be `any`. Arguments: src, weights, bias, dst.
    """
    names = ["src", "weights", *(["bias"] if bias else []), "dst"]
    return built("matmul", [src, weights, bias, dst], names, post, precision, scales)

"""How exact products of float32 are: what users say, and are told, for the whole process.

It is a field of the Policy under which code runs (`products`), and of the Target that its machine
code is made for (`rounds`); NumPy's kernels are always exact.
"""

from __future__ import annotations

from twinoar.core.interpreter import current, products_now, set_products
from twinoar.core.op.explain import told
from twinoar.core.policy import Exactness, exactness


@told
def set_float32_matmul_precision(precision: Exactness) -> None:
    """Choose how exact matrix products and convolutions of float32 are, in all threads.

    precision: "highest", the default: they are computed in float32. "medium": operands may be
    rounded to bfloat16, whose 8 bits are an error of at most 2^-8 of each product; sums are those
    of float32. That is done where the processor has units for bfloat16 and it is faster.
    "high": three products of bfloat16, or better, would do; those of float32 are taken, which are
    faster than three on processors without tiles (AMX), and more exact.

    Weights, gradients and all else stay float32. What is compiled already is compiled anew for the
    new choice where it runs, once. Raises ArgumentError for another word.

    >>> set_float32_matmul_precision("medium")
    >>> get_float32_matmul_precision()
    'medium'
    >>> set_float32_matmul_precision("highest")
    """
    products = exactness(precision)
    current().python_effect("set_float32_matmul_precision")
    set_products(products)


@told
def get_float32_matmul_precision() -> Exactness:
    """How exact products of float32 are here, as `set_float32_matmul_precision` says it.

    >>> get_float32_matmul_precision()
    'highest'
    """
    return products_now()

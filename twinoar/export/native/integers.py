"""What is said of models in integers where they are verified."""

from __future__ import annotations

from twinoar.core.ir.program import Program
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.ops.quant.linear import quantize_linear


def rounds_to_integers(program: Program) -> bool:
    """True where what is rounded to integers may fall on the other side of a half."""
    return any(o.op is quantize_linear or o.op is integer_conv2d for o in program.main.walk())

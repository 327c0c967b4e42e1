"""Weights brought into the order in which plain loops read them, before a model is compiled."""

from __future__ import annotations

import numpy as np

from twinoar.backends.native.description import narrow_weight
from twinoar.core.ir.builder import before
from twinoar.core.ir.program import Program, State
from twinoar.core.spec import Spec
from twinoar.jit.kept import array_of
from twinoar.ops.shape.reshape import transpose_op


def turn_narrow_weights(program: Program) -> None:
    """Let channels lie innermost, in place, in weights of depthwise convolutions and the like.

    Loops over channels, which lie innermost in images too, load vectors of them then.
    """
    for o in list(program.main.ops):
        position = narrow_weight(o)
        weight = None if position is None else o.operands[position]
        if position is None or not isinstance(weight, State):
            continue
        perm = (*range(2, weight.spec.ndim), 1, 0)
        turned = np.ascontiguousarray(array_of(weight).transpose(perm))
        constant = program.add_constant(turned, Spec(turned.shape, weight.spec.dtype))
        with before(program, o):
            back = transpose_op(constant, tuple(map(int, np.argsort(perm))))
        o.operands = (*o.operands[:position], back, *o.operands[position + 1 :])

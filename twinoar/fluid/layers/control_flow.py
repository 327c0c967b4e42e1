"""Control flow by functions, and what a Program prints, by 1.x names."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar import static
from twinoar.fluid.layers.adapter import define


def counted_up(x: Any, value: float, in_place: bool) -> Any:
    """x + value, for one element; x itself changes if `in_place`."""
    return paddle.increment(x, value) if in_place else paddle.scale(x, 1.0, value)


__all__ = define(
    globals(),
    """
Print(input, first_n=-1, message=None, summarize=20, print_tensor_name=True, print_tensor_type=True,
        print_tensor_shape=True, print_tensor_lod=True, print_phase='both')
    -> static.Print(
        input, first_n, message, summarize, print_tensor_name, print_tensor_type,
        print_tensor_shape, print_tensor_lod=print_tensor_lod, print_phase=print_phase)
    # static.Print(input, message=message)
case(pred_fn_pairs, default=None, name=None) -> static.nn.case(pred_fn_pairs, default)
cond(pred, true_fn=None, false_fn=None, name=None) -> static.nn.cond(pred, true_fn, false_fn)
increment(x, value=1.0, in_place=True)
    -> counted_up(x, value, in_place)  # paddle.increment(x, value)
switch_case(branch_index, branch_fns, default=None, name=None)
    -> static.nn.switch_case(branch_index, branch_fns, default)
while_loop(cond, body, loop_vars, is_test=False, name=None)
    -> static.nn.while_loop(cond, body, loop_vars, is_test)
""",
)

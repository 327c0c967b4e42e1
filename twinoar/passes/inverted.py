"""Three convolutions in a row, the second depthwise, as one that goes strip by strip."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.ir.program import Variable
from twinoar.core.ir.rewrite import Attr, Rule, rewrite
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.conv.inverted import inverted_residual
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.math.arithmetic import add, divide, multiply
from twinoar.ops.math.select import clip_op
from twinoar.ops.shape.reshape import reshape_op

# Bytes of an image between the first two convolutions, with which it pays to keep strips alone.
# Smaller ones stay in a core's second cache, and the library's products are faster than ours.
LEAST_BYTES = 512 << 10
NAMES = ("stride", "padding", "dilation", "groups", "data_format")
# As they are once composite operators are expanded.
ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": relu,
    "relu6": lambda x: clip_op(x, 0.0, 6.0),
    "hardswish": lambda x: divide(multiply(x, clip_op(add(x, 3.0), 0.0, 6.0)), 6.0),
}


def _form(nth: int) -> tuple[Attr, ...]:
    return tuple(Attr(f"{name}_{nth}") for name in NAMES)


def _rule(activation: str) -> Rule:
    """The rule for convolutions with one activation."""
    act = ACTIVATIONS[activation]

    def pattern(x: Any, weight: Any, bias: Any, depthwise: Any, second: Any, narrow: Any) -> Any:
        wide = act(add(conv2d_op(x, weight, *_form(0)), bias))
        each = act(add(conv2d_op(wide, depthwise, *_form(1)), second))
        return conv2d_op(each, narrow, *_form(2))

    def inverted(
        x: Any, weight: Any, bias: Any, depthwise: Any, second: Any, narrow: Any, **form: Any
    ) -> Any:
        """The convolutions of an inverted residual are one operator."""
        return _inverted(activation, x, (weight, bias, depthwise, second, narrow), form)

    return rewrite(pattern)(inverted)


def _inverted(activation: str, x: Any, given: tuple[Any, ...], form: dict[str, Any]) -> Any:
    """The one operator; None for convolutions of another form, and of small images."""
    weight, bias, depthwise, second, narrow = given
    if not all(isinstance(v, Variable) and v.spec.dtype is float32 for v in (x, *given)):
        return None
    channels = weight.spec.shape[0]
    if depthwise.spec.shape[:2] != (channels, 1) or narrow.spec.shape[2:] != (1, 1):
        return None
    if bias.spec.size != channels or second.spec.size != channels:
        return None
    if any({*form[f"dilation_{n}"]} != {1} for n in range(3)):
        return None
    if (form["groups_0"], form["groups_1"], form["groups_2"]) != (1, channels, 1):
        return None
    if {*form["stride_2"]} != {1} or any(form["padding_2"]):
        return None
    stride, padding, data_format = (form[f"{name}_0"] for name in ("stride", "padding", NAMES[4]))
    window = stride, padding, (1, 1), 1, data_format
    wide: Any = conv2d_op.rules["infer"](x.spec, weight.spec, *window)
    sizes = wide.shape[1:]
    if not all(isinstance(n, int) for n in sizes) or 4 * math.prod(sizes) < LEAST_BYTES:
        return None
    return inverted_residual(
        x, weight, reshape_op(bias, (channels,)), depthwise, reshape_op(second, (channels,)),
        narrow, stride, padding, form["stride_1"], form["padding_1"], activation, data_format,
    )  # fmt: skip


RULES = [_rule(name) for name in ACTIVATIONS]

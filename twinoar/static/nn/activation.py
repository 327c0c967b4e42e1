"""Activations with parameters: prelu."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.initializer import Constant
from twinoar.ops.math.select import select
from twinoar.ops.shape.reshape import reshape
from twinoar.static.nn.parameter import Parameters, check_choice, check_rank, known_sizes

MODES = ("all", "channel", "element")
LAYOUTS = ("NCHW", "NC", "NCL", "NCDHW", "NLC", "NHWC", "NDHWC")


def prelu(
    x: Any, mode: str, param_attr: Any = None, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """x where x > 0, alpha x elsewhere, with an alpha that is learned.

    x: [N,C,*], or [N,*,C] by data_format. mode: "all" has one alpha [1], "channel" one for each
    channel [1,C,1,1] or [1,1,1,C], "element" one for each element of an example [1,*]. alpha starts
    at 0.25. Returns the shape of x. Raises ShapeError, ArgumentError for another mode or layout.
    Source: He et al. 2015, arXiv 1502.01852.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.prelu(static.data("x", [None, 3, 8, 8]), "channel").shape)
    [N, 3, 8, 8]
    """
    check_choice(mode, MODES, "mode")
    check_choice(data_format, LAYOUTS, "data_format")
    check_rank(x, range(1 if mode == "all" else 2, 10), "prelu")
    first = data_format[1] == "C"
    shape: tuple[int, ...] = (1,)
    if mode == "channel":
        (channels,) = known_sizes(x, (1 if first else x.ndim - 1,), "prelu")
        shape = (1, channels, 1, 1) if first else (1, 1, 1, channels)
    elif mode == "element":
        shape = (1, *known_sizes(x, range(1, x.ndim), "prelu"))
    alpha = Parameters("prelu", name).make(shape, x.dtype, param_attr, Constant(0.25))
    if mode == "element":
        return select(x > 0.0, x, x * alpha)
    if mode == "channel":
        return functional.prelu(x, reshape(alpha, [-1]), "NCHW" if first else "NHWC")
    return functional.prelu(x, alpha)

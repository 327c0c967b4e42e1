"""Metrics of static Programs whose counts outlive a run."""

from __future__ import annotations

from typing import Any

from twinoar.core import unique_name
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import current
from twinoar.core.ir.program import State
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError, UnsupportedError
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.create.fill import ones_like
from twinoar.ops.loss.auc import auc as auc_op
from twinoar.ops.loss.auc import counts_shape
from twinoar.ops.math.cast import cast
from twinoar.ops.math.fill import fill
from twinoar.ops.math.root import square
from twinoar.ops.math.sign import abs as absolute
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape


def auc(
    input: Any,
    label: Any,
    curve: str = "ROC",
    num_thresholds: int = 4095,
    topk: int = 1,
    slide_steps: int = 1,
    ins_tag_weight: Any = None,
) -> tuple[Any, Any, list[State]]:
    """The area under the curve over all runs, and that over the last `slide_steps` ones.

    input: scores of the classes 0 and 1, in 0..1, [N,2]. label: 0 or 1, [N,1]. curve: "ROC", or
    "PR", for which Paddle gives the same area. num_thresholds: steps of the counts. slide_steps=0:
    all runs. topk: not used, as in Paddle. Returns the two areas [], float64, and the four states
    of counts: those of the last runs (positive, negative), those of all. Raises ShapeError, and
    UnsupportedError for ins_tag_weight.

    >>> import numpy as np
    >>> from twinoar import static
    >>> main, startup = static.Program(), static.Program()
    >>> with static.scope_guard(static.Scope()), static.program_guard(main, startup):
    ...     area, *_ = static.auc(static.data("x", [None, 2]), static.data("y", [None, 1], "int64"))
    ...     exe = static.Executor()
    ...     _ = exe.run(startup)
    ...     feed = {"x": np.float32([[0.9, 0.1], [0.2, 0.8]]), "y": np.array([[0], [1]])}
    ...     exe.run(main, feed, [area])
    [array(1.)]
    """
    if ins_tag_weight is not None:
        raise UnsupportedError(
            "ins_tag_weight leaves examples out", cure="leave them out before: masked_select"
        )
    if slide_steps < 0:
        raise ArgumentError(f"slide_steps must not be negative, received {slide_steps}")
    areas, states = [], []
    for steps in (slide_steps, 0):
        spec = Spec(counts_shape(num_thresholds, steps), int64)
        counts = [_zeros(spec, f"auc_stat_{kind}") for kind in ("pos", "neg")]
        area, *new = auc_op(input, label, *counts, curve, num_thresholds, steps)
        for state, following in zip(counts, new, strict=True):
            current().rebind(state, following)
        areas.append(area)
        states += counts
    return areas[1], areas[0], states


def ctr_metric_bundle(input: Any, label: Any, ins_tag_weight: Any = None) -> tuple[State, ...]:
    """Sums over all runs that metrics of click-through rates are made of.

    input: predicted rates, [N,1]. label: 0 or 1, [N,1]. ins_tag_weight: [N,1]; as in Paddle, its
    first element weighs the sums of sigmoids and of all examples. Returns six states, float32: the
    squared error [1], the absolute error [1], the predictions [1], their sigmoids [1,1], the
    positive examples [1], all examples [1,1].
    """
    truth = cast(label, input.dtype)
    error = input - truth
    weight = fill([], 1.0, float32)
    if ins_tag_weight is not None:
        weight = cast(reshape(ins_tag_weight, [-1])[0], float32)
    sums = {
        "sqrerr": (total(square(error)), (1,)),
        "abserr": (total(absolute(error)), (1,)),
        "prob": (total(input), (1,)),
        "q": (total(sigmoid(input)) * weight, (1, 1)),
        "pos": (total(truth), (1,)),
        "total": (total(ones_like(input)) * weight, (1, 1)),
    }
    states = []
    for name, (found, shape) in sums.items():
        state = _zeros(Spec(shape, float32), f"ctr_{name}")
        current().rebind(state, state + reshape(found, shape))
        states.append(state)
    return tuple(states)


def _zeros(spec: Spec, name: str) -> State:
    builder = current()
    if builder.startup is None:
        raise ProgramError(
            f"{name} lives in a Program, and none is being built",
            cure="call enable_static() first, or use paddle.metric",
        )
    state: State = builder.create_state(
        spec, lambda s: fill(s.shape, 0, s.dtype), unique_name.generate(name)
    )
    return state

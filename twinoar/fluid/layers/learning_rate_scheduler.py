"""Learning rates that fall with the runs of a Program, as tensors of it, [1]: 1.x's schedules.

The count of runs is a state of the Program. Where operators run at once these functions return the
schedules of `fluid.dygraph`. Modern spelling: the classes of `optimizer.lr`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import current
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.fluid import schedule as at_once
from twinoar.fluid.layers.tensor import counted_step
from twinoar.fluid.mode import begins_static
from twinoar.ops.math.select import select

COUNTER = "@LR_DECAY_COUNTER@"


def scheduled(modern: str, class_at_once: type) -> Callable[[Callable[..., Any]], Any]:
    """A schedule of a Program; modern: the class of `optimizer.lr` to write today."""

    def declare(schedule: Callable[..., Any]) -> Callable[..., Any]:
        @begins_static
        @functools.wraps(schedule)
        def rate(*args: Any, **kwargs: Any) -> Any:
            if current().runs:
                return class_at_once(*args, **kwargs)
            with paddle.no_grad():
                return schedule(*args, **kwargs)

        rate.__doc__ = f"{schedule.__doc__}\n\n    Modern spelling: `optimizer.lr.{modern}`.\n    "
        return rate

    return declare


def _runs(begin: int = 0) -> Any:
    return paddle.cast(counted_step(COUNTER, begin, 1), "float32")


def _periods(decay_steps: float, staircase: bool) -> Any:
    periods = _runs() / decay_steps
    return paddle.floor(periods) if staircase else periods


@scheduled("ExponentialDecay", at_once.ExponentialDecay)
def exponential_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """learning_rate * decay_rate ** (runs / decay_steps), a whole exponent for `staircase`."""
    return learning_rate * decay_rate ** _periods(decay_steps, staircase)


@scheduled("NaturalExpDecay", at_once.NaturalExpDecay)
def natural_exp_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """learning_rate * exp(-decay_rate * runs / decay_steps), in whole steps for `staircase`."""
    return learning_rate * paddle.exp(-decay_rate * _periods(decay_steps, staircase))


@scheduled("InverseTimeDecay", at_once.InverseTimeDecay)
def inverse_time_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """learning_rate / (1 + decay_rate * runs / decay_steps), in whole steps for `staircase`."""
    return learning_rate / (1.0 + decay_rate * _periods(decay_steps, staircase))


@scheduled("PolynomialDecay", at_once.PolynomialDecay)
def polynomial_decay(
    learning_rate: float,
    decay_steps: int,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
) -> Any:
    """From learning_rate to end_learning_rate in decay_steps; `cycle` rises again, less steeply."""
    runs = _runs()
    if cycle:
        steps: Any = decay_steps * paddle.clip(paddle.ceil(runs / decay_steps), min=1.0)
    else:
        steps, runs = decay_steps, paddle.clip(runs, max=float(decay_steps))
    return (learning_rate - end_learning_rate) * (1.0 - runs / steps) ** power + end_learning_rate


@scheduled("PiecewiseDecay", at_once.PiecewiseDecay)
def piecewise_decay(boundaries: Sequence[int], values: Sequence[float]) -> Any:
    """values[i] in the runs before boundaries[i], the last value after them."""
    if len(values) != len(boundaries) + 1:
        raise ArgumentError(
            f"{len(boundaries)} boundaries part {len(boundaries) + 1} values, "
            f"received {len(values)}",
            cure="give one value more than boundaries",
        )
    runs = _runs()
    rate = paddle.full([1], values[-1], "float32")
    for boundary, value in reversed(list(zip(boundaries, values, strict=False))):
        rate = select(runs < float(boundary), paddle.full([1], value, "float32"), rate)
    return rate


@scheduled("NoamDecay", at_once.NoamDecay)
def noam_decay(d_model: int, warmup_steps: int, learning_rate: float = 1.0) -> Any:
    """learning_rate * d_model**-0.5 * min(runs**-0.5, runs * warmup_steps**-1.5), from run 1.

    Source: arXiv 1706.03762, equation 3.
    """
    runs = _runs(begin=1)
    least = paddle.minimum(runs**-0.5, runs * warmup_steps**-1.5)
    return learning_rate * d_model**-0.5 * least


@scheduled("CosineAnnealingDecay", at_once.CosineDecay)
def cosine_decay(learning_rate: float, step_each_epoch: int, epochs: int) -> Any:
    """Half a cosine from learning_rate to 0 over `epochs`, one value an epoch."""
    epoch = paddle.floor(_runs() / step_each_epoch)
    return learning_rate * 0.5 * (paddle.cos(epoch * (math.pi / epochs)) + 1.0)


@scheduled("LinearWarmup", at_once.LinearLrWarmup)
def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """From start_lr to end_lr in warmup_steps, then `learning_rate`, a number or schedule."""
    runs = _runs()
    after = learning_rate
    if not isinstance(after, Value):
        after = paddle.full([1], learning_rate, "float32")
    rising = start_lr + (end_lr - start_lr) * (runs / float(warmup_steps))
    return select(runs < float(warmup_steps), rising, after)


__all__ = declared(globals(), but=("scheduled",))

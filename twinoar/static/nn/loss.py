"""Losses with parameters: noise-contrastive estimation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.errors import ArgumentError, DTypeError
from twinoar.nn import functional
from twinoar.ops.create.fill import constant
from twinoar.ops.index.gather import gather
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import greater_equal
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.rounding import floor
from twinoar.ops.math.select import select
from twinoar.ops.random.uniform import uniform
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze
from twinoar.static.nn.parameter import (
    Parameters,
    check_choice,
    check_rank,
    known_sizes,
    positive,
)

SAMPLERS = ("uniform", "log_uniform", "custom_dist")


def nce(
    input: Any,
    label: Any,
    num_total_classes: int,
    sample_weight: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    num_neg_samples: int | None = None,
    name: str | None = None,
    sampler: str = "uniform",
    custom_dist: Sequence[float] | None = None,
    seed: int = 0,
    is_sparse: bool = False,
) -> Any:
    """Noise-contrastive estimation: each class is told from classes that are drawn.

    The cost of an example is -sum log(o / (o + b)) over its labels and -sum log(b / (o + b)) over
    num_neg_samples classes that are drawn (10 where None), divided by num_neg_samples + 1, where o
    is sigmoid(W_c input + b_c) and b is num_neg_samples times the probability of drawing class c.

    input: [N,D]. label: [N,labels], integers. sample_weight: [N,1], a factor for each example.
    sampler: "uniform", "log_uniform" (small numbers more often), or "custom_dist" with a list of
    probabilities. seed: 0 draws from the global generator. is_sparse is accepted. Parameters: W
    [num_total_classes,D], b [num_total_classes,1] unless bias_attr is False. Returns [N,1]. Raises
    ShapeError, DTypeError, ArgumentError. Source: Gutmann and Hyvarinen 2010, equation 3.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x, label = static.data("x", [None, 4]), static.data("label", [None, 1], "int64")
    ...     print(static.nn.nce(x, label, 20).shape[1])
    1
    """
    check_rank(input, (2,), "nce")
    check_rank(label, (2,), "nce")
    if not label.dtype.is_integer:
        raise DTypeError(f"labels are integers, received {label.spec}", cure="cast them to int64")
    check_choice(sampler, SAMPLERS, "sampler")
    classes = positive(num_total_classes, "num_total_classes")
    drawn = 10 if num_neg_samples is None else positive(int(num_neg_samples), "num_neg_samples")
    draw, probability = _distribution(sampler, classes, custom_dist)
    (width,), (labels,) = known_sizes(input, (1,), "nce"), known_sizes(label, (1,), "nce")
    parameters = Parameters("nce", name)
    weight = parameters.make((classes, width), input.dtype, param_attr)
    bias = parameters.make((classes, 1), input.dtype, bias_attr, is_bias=True)

    noise = draw(uniform([input.spec.shape[0], drawn], "float64", 0.0, 1.0, seed))
    chosen = concat([astype(label, int64), astype(noise, int64)], axis=1)  # [N,labels+drawn]
    score = total(functional.embedding(chosen, weight) * unsqueeze(input, 1), axis=2)
    if bias is not None:
        score = score + squeeze(functional.embedding(chosen, bias), 2)
    odds, expected = functional.sigmoid(score), astype(probability(chosen), input.dtype) * drawn
    is_label = constant(np.arange(labels + drawn) < labels)
    share = select(is_label, odds, expected) / (odds + expected)
    cost = -total(log(share), axis=1, keepdim=True)
    if sample_weight is not None:
        cost = cost * sample_weight
    return cost / float(drawn + 1)


def _distribution(
    sampler: str, classes: int, custom_dist: Sequence[float] | None
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Two functions: numbers in [0, 1) to classes, and classes to their probabilities."""
    if sampler == "uniform":
        return lambda u: floor(u * float(classes)), lambda c: astype(c, float64) * 0.0 + 1 / classes
    if sampler == "log_uniform":
        scale = math.log(classes)
        return lambda u: floor(exp(u * scale)) - 1.0, lambda c: log1p(1.0 / (c + 1.0)) / scale
    if custom_dist is None or len(custom_dist) != classes or min(custom_dist) < 0:
        raise ArgumentError(
            f"sampler='custom_dist' needs a custom_dist of {classes} probabilities, "
            f"received {custom_dist!r}",
            cure="give one for each class",
        )
    table = np.array(custom_dist, np.float64) / np.sum(custom_dist)
    last = constant(np.cumsum(table)[:-1])
    return (
        lambda u: total(astype(greater_equal(unsqueeze(u, 2), last), int64), axis=2),
        lambda c: reshape(gather(constant(table), reshape(c, [-1])), c.spec.shape),
    )

"""Update rules of stochastic gradient descent: SGD, and its average ASGD."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal
from twinoar.ops.math.select import minimum, select
from twinoar.ops.optimizer._numpy import checked, number_in, rate_for
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape

State = tuple[Tensor, ...]


@op(
    desc=Desc(
        "sgd",
        {"Param": "param", "Grad": "grad", "LearningRate": "learning_rate"},
        ("ParamOut",),
        write=lambda attrs, specs: {"multi_precision": False},
    ),
    infer=lambda param, grad, learning_rate: checked(param, grad)[0],
)
def sgd(param: Tensor, grad: Tensor, learning_rate: Tensor) -> Tensor:
    """One step of gradient descent: param - learning_rate * grad.

    param, grad: [*], float. Returns the new param. Raises ShapeError where grad has another shape.
    """
    return param - rate_for(param, learning_rate) * grad


@sgd.kernel
def _(param, grad, learning_rate):
    checked(param, grad)
    step = grad * number_in(learning_rate)
    return np.subtract(param, step).astype(param.dtype, copy=False)


@sgd.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), 0.1, gradient=False)
    yield s(s.randn(2, 3), s.randn(2, 3), s.uniform(0.1, 1, 1), gradient=False)
    yield s(s.randn(), s.randn(), s.uniform(0.1, 1, 1), gradient=False)
    yield s(s.zeros(0, 3), s.zeros(0, 3), s.uniform(0.1, 1), gradient=False)
    yield s(s.randn(2, dtype="float64"), s.randn(2, dtype="float64"), 0.1, gradient=False)
    yield s.bad(ShapeError, "grad has shape [3]", s.randn(2, 3), s.randn(3), 0.1)


@op
def asgd(
    param: Tensor,
    grad: Tensor,
    direction: Tensor,
    seen: Tensor,
    steps: Tensor,
    learning_rate: Tensor,
) -> State:
    """One step along the mean of the last gradients, of as many batches as there are.

    param, grad: [*], float. seen: [B,*], the last gradient of each batch; direction: [*], their
    sum; steps: [1], int64, how many steps were done. Returns the new param, direction, seen and
    steps. Source: arXiv 1309.2388, algorithm 1, with the batches in turn.
    """
    count = seen.spec.shape[0]
    chosen = reshape(equal(iota(count), steps % count), (count, *[1] * param.spec.ndim))
    oldest = total(select(chosen, seen, 0.0), 0)
    direction = direction - oldest + grad
    seen = select(chosen, grad, seen)
    batches = cast(minimum(reshape(steps, ()) + 1, count), param.dtype)
    step = rate_for(param, learning_rate) / batches * direction
    return param - step, direction, seen, steps + 1


@asgd.samples
def _(s):
    tensors = (s.randn(2, 3), s.randn(2, 3), s.randn(2, 3), s.randn(4, 2, 3))
    yield s(*tensors, s.ints(2, 3, 1), 0.1, gradient=False)
    yield s(*tensors, s.ints(5, 6, 1), 0.1, gradient=False)
    yield s(s.randn(), s.randn(), s.randn(), s.randn(1), s.ints(2, 3, 1), 0.1, gradient=False)

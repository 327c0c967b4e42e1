"""What functions of one element share: file form, samples, slopes of steps."""

from __future__ import annotations

from functools import partial

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, primitive
from twinoar.ops.math.cast import elementwise, promote_to_floating
from twinoar.ops.math.fill import zeros_of

quiet = np.errstate(all="ignore")  # infinity and nan are results like any other

# `@unary(kernel=..., ...)`: a primitive of floating elements, a method, with a variant in place.
unary = partial(
    primitive, method=True, inplace=True, infer=elementwise, promote=promote_to_floating
)


def unary_desc(kind: str) -> Desc:
    """Paddle's form of a function of one tensor."""
    return Desc(kind, {"X": "x"})


def samples_within(low: float, high: float):
    """Samples of a function whose argument lies between `low` and `high`."""

    def samples(s):
        yield s(s.uniform(low, high, 2, 3))
        yield s(s.uniform(low, high, 4, dtype="float64"), tolerance=1e-12)
        yield s(s.uniform(low, high))
        yield s(s.zeros(0, 2))
        yield s(s.ints(int(low), int(high) + 1, 3), gradient=False)

    return samples


def step_samples(s):
    """Samples of a step function, away from its steps."""
    yield s(s.uniform(0.1, 0.4, 2, 3) + s.ints(-3, 3, 2, 3, dtype="float32"))
    yield s(np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]), gradient=False)
    yield s(s.uniform(0.1, 0.4, dtype="float64"))
    yield s(s.zeros(0, 2))
    yield s(s.ints(-3, 3, 3), gradient=False)
    yield s(s.ints(-3, 3, 3, dtype="int32"), gradient=False)


def flat_slope(g: Tensor) -> Tensor:
    """The gradient of a step function: zero, whatever comes back."""
    return zeros_of(g.spec)

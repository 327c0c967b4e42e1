"""Activations, smooth ones: sigmoid and its kin. Those with kinks are in `rectifier`."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.loop.error_function import erf_of
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError
from twinoar.ops.math._unary import unary, unary_desc
from twinoar.ops.math.cast import elementwise, promote_to_floating
from twinoar.ops.math.complex_number import real
from twinoar.ops.math.error_function import erf
from twinoar.ops.math.exponential import exp, log1p
from twinoar.ops.math.select import chosen, clip_op, maximum, select
from twinoar.ops.math.trigonometry import tanh

Kernel = Callable[..., Any]

SQRT_HALF = math.sqrt(0.5)
SQRT_2_OVER_PI = math.sqrt(2 / math.pi)
INVERSE_SQRT_2_PI = 1 / math.sqrt(2 * math.pi)
GELU_CUBIC = 0.044715  # Hendrycks and Gimpel 2016, arXiv 1606.08415, section 2
TANH_IS_1 = 20.0  # tanh rounds to 1 from here on, in every dtype


def widened(kernel: Kernel) -> Kernel:
    """`kernel` of one array; 16-bit floats are worked on as float32, and nothing warns."""

    @functools.wraps(kernel)
    def run(x: np.ndarray, **attrs: Any) -> np.ndarray:
        work = x.astype(np.float32) if x.dtype.itemsize == 2 else x
        with np.errstate(all="ignore"):
            return np.asarray(kernel(work, **attrs)).astype(x.dtype, copy=False)

    return run


def smooth_samples(s):
    """Calls that every smooth activation must serve."""
    yield s(s.randn(2, 3))
    yield s(s.randn(4, dtype="float64"), tolerance=1e-12)
    yield s(np.array([-1000.0, -50.0, -5.0, 0.0, 5.0, 50.0, 1000.0], np.float32), gradient=False)
    yield s(s.randn())
    yield s(s.zeros(0, 2))
    yield s(s.ints(-3, 3, 3), gradient=False)


@unary(
    kernel=widened(lambda x: 1 / (1 + np.exp(-x))),
    grad=lambda g, out: g * (out * (1.0 - out)),
    scalar=lambda s, x: s.sigmoid(x),
    desc=unary_desc("sigmoid"),
    samples=smooth_samples,
)
def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x)).

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.nn.functional.sigmoid(twinoar.to_tensor([0.0, -1000.0])).tolist()
    [0.5, 0.0]
    """


def _log_of_more(x: np.ndarray) -> np.ndarray:
    """log(1 + exp(x)), without overflow where x is real."""
    return np.log1p(np.exp(x)) if x.dtype.kind == "c" else np.logaddexp(0, x)


def _real_part(x: Tensor) -> Tensor:
    return real(x) if x.dtype.is_complex else x


def _smooth(x: Tensor) -> Tensor:
    """`_log_of_more` as an operator."""
    if x.dtype.is_complex:
        return log1p(exp(x))
    return maximum(x, 0.0) + log1p(exp(-abs(x)))


@op(
    infer=elementwise,
    kernel=widened(lambda x: -_log_of_more(-x)),
    grad=lambda g, x: g * sigmoid(-x),
    promote=promote_to_floating,
    desc=unary_desc("logsigmoid"),
    samples=smooth_samples,
)
def log_sigmoid(x: Tensor) -> Tensor:
    """log(sigmoid(x)), accurate where the sigmoid is tiny.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.nn.functional.log_sigmoid(twinoar.to_tensor([-1000.0, 1000.0])).tolist()
    [-1000.0, -0.0]
    """
    return -_smooth(-x)


def _gelu(x: np.ndarray, approximate: bool) -> np.ndarray:
    if approximate:
        return 0.5 * x * (1 + np.tanh(SQRT_2_OVER_PI * (x + GELU_CUBIC * (x * x * x))))
    return 0.5 * x * (1 + erf_of(x * x.dtype.type(SQRT_HALF)))


@op(
    slow_kernel=True,
    name="gelu",
    infer=elementwise,
    kernel=widened(_gelu),
    promote=promote_to_floating,
    desc=Desc("gelu", {"X": "x"}, attrs={"approximate": "approximate"}),
)
def gelu_op(x: Tensor, approximate: bool = False) -> Tensor:
    """The Gaussian error linear unit: the operator under `gelu`."""
    if approximate:
        return 0.5 * x * (1.0 + tanh(SQRT_2_OVER_PI * (x + GELU_CUBIC * (x * x * x))))
    return 0.5 * x * (1.0 + erf(x * SQRT_HALF))


@gelu_op.grad
def _(g, x, approximate):
    if not approximate:
        share = 0.5 * (1.0 + erf(x * SQRT_HALF))
        return g * (share + x * exp(x * x * -0.5) * INVERSE_SQRT_2_PI)
    x = clip_op(x, -TANH_IS_1, TANH_IS_1)  # beyond, x^3 overflows and the slope is 0 or 1
    bent = tanh(SQRT_2_OVER_PI * (x + GELU_CUBIC * (x * x * x)))
    slope = SQRT_2_OVER_PI * (1.0 + 3 * GELU_CUBIC * (x * x))
    return g * (0.5 * (1.0 + bent) + 0.5 * x * (1.0 - bent * bent) * slope)


@gelu_op.samples
def _(s):
    yield from smooth_samples(s)
    yield s(s.randn(2, 3), True)
    yield s(s.randn(4, dtype="float64"), True, tolerance=1e-12)
    yield s(np.array([-1e20, -50.0, 0.0, 50.0, 1e20], np.float32), True, gradient=False)


@function
def gelu(x: Tensor, approximate: bool | Literal["none", "tanh"] = False) -> Tensor:
    """x times the share of a normal distribution that lies below x.

    x: [*]. approximate: True or "tanh" for the form with tanh. Returns [*]. Raises ArgumentError
    for another `approximate`. Source: Hendrycks and Gimpel 2016, arXiv 1606.08415.

    >>> twinoar.nn.functional.gelu(twinoar.to_tensor([0.0, 10.0])).tolist()
    [0.0, 10.0]
    """
    chosen = {False: False, True: True, "none": False, "tanh": True}.get(approximate)
    if chosen is None:
        raise ArgumentError(
            f"approximate must be a bool, 'none' or 'tanh', received {approximate!r}",
            cure="True is 'tanh'",
        )
    return gelu_op(x, chosen)


def _silu_slope(g: Tensor, x: Tensor) -> Tensor:
    share = sigmoid(x)
    return g * (share * (1.0 + x * (1.0 - share)))


@op(
    name="silu",
    infer=elementwise,
    kernel=widened(lambda x: x / (1 + np.exp(-x))),
    grad=_silu_slope,
    promote=promote_to_floating,
    desc=unary_desc("silu"),
    samples=smooth_samples,
)
def silu_op(x: Tensor) -> Tensor:
    """x * sigmoid(x): the operator under `silu`."""
    return x * sigmoid(x)


@function
def silu(x: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x): the sigmoid linear unit.

    x: [*]; with `inplace`, x takes the result. Returns [*]. Source: Elfwing et al. 2017, arXiv
    1702.03118.

    >>> twinoar.nn.functional.silu(twinoar.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    out = silu_op(x)
    if not inplace:
        return out
    current().rebind(x, out)
    return x


@op(
    infer=elementwise,
    kernel=widened(lambda x: x / (1 + np.exp(-x))),
    grad=_silu_slope,
    promote=promote_to_floating,
    desc=unary_desc("swish"),
    samples=smooth_samples,
)
def swish(x: Tensor) -> Tensor:
    """x * sigmoid(x), as `silu`. Source: Ramachandran et al. 2017, arXiv 1710.05941.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.swish(twinoar.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    return x * sigmoid(x)


@op(
    infer=elementwise,
    kernel=widened(lambda x: x * np.tanh(np.logaddexp(0, x))),
    promote=promote_to_floating,
    desc=Desc("mish", {"X": "x"}, write=lambda attrs, specs: {"threshold": 20.0}),
    samples=smooth_samples,
)
def mish(x: Tensor) -> Tensor:
    """x * tanh(log(1 + exp(x))). Source: Misra 2019, arXiv 1908.08681.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.mish(twinoar.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    return x * tanh(softplus(x))


@mish.grad
def _(g, x):
    bent = tanh(softplus(x))
    return g * (bent + x * (1.0 - bent * bent) * sigmoid(x))


def _softplus(x: np.ndarray, beta: float, threshold: float) -> np.ndarray:
    scaled = x * x.dtype.type(beta)
    return chosen(scaled.real > threshold, x, _log_of_more(scaled) / x.dtype.type(beta))


@op(
    infer=elementwise,
    kernel=widened(_softplus),
    promote=promote_to_floating,
    desc=Desc("softplus", {"X": "x"}, attrs={"beta": "beta", "threshold": "threshold"}),
    amp="high",
)
def softplus(x: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * x)) / beta, a smooth relu; x itself where beta * x > threshold.

    x: [*]; of complex numbers the real part is compared. Returns [*].

    >>> twinoar.nn.functional.softplus(twinoar.to_tensor([-1000.0, 1000.0])).tolist()
    [0.0, 1000.0]
    """
    scaled = x * beta
    return select(_real_part(scaled) > threshold, x, _smooth(scaled) / beta)


@softplus.grad
def _(g, x, beta, threshold):
    scaled = x * beta
    return select(_real_part(scaled) > threshold, g, g * sigmoid(scaled))


@softplus.samples
def _(s):
    yield from smooth_samples(s)
    yield s(s.randn(2, 3), 2.0, 0.1, second=False)
    yield s(s.randn(2, 3), 0.5)


def _softsign_slope(g: Tensor, x: Tensor) -> Tensor:
    below = 1.0 + abs(x)
    return g / (below * below)


@op(
    infer=elementwise,
    kernel=widened(lambda x: x / (1 + np.abs(x))),
    grad=_softsign_slope,
    promote=promote_to_floating,
    desc=unary_desc("softsign"),
    samples=smooth_samples,
)
def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|).

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.softsign(twinoar.to_tensor([-1.0, 3.0])).tolist()
    [-0.5, 0.75]
    """
    return x / (1.0 + abs(x))


@op(
    infer=elementwise,
    kernel=widened(lambda x: x - np.tanh(x)),
    promote=promote_to_floating,
    desc=unary_desc("tanh_shrink"),
    samples=smooth_samples,
    amp="high",
)
def tanhshrink(x: Tensor) -> Tensor:
    """x - tanh(x).

    x: [*]. Returns [*].

    >>> from twinoar.ops.activation.smooth import tanhshrink
    >>> tanhshrink(twinoar.to_tensor([0.0, 100.0])).tolist()
    [0.0, 99.0]
    """
    return x - tanh(x)


@tanhshrink.grad
def _(g, x):
    bent = tanh(x)
    return g * (bent * bent)


@op(
    method=True,
    infer=elementwise,
    kernel=widened(lambda x, scale_a, scale_b: scale_b * np.tanh(scale_a * x)),
    promote=promote_to_floating,
    desc=Desc("stanh", {"X": "x"}, attrs={"scale_a": "scale_a", "scale_b": "scale_b"}),
)
def stanh(x: Tensor, scale_a: float = 0.67, scale_b: float = 1.7159) -> Tensor:
    """scale_b * tanh(scale_a * x). Source: LeCun et al. 1998, "Efficient BackProp", section 4.4.

    x: [*]. Returns [*].

    >>> twinoar.to_tensor([0.0]).stanh().tolist()
    [0.0]
    """
    return scale_b * tanh(scale_a * x)


@stanh.grad
def _(g, x, scale_a, scale_b):
    bent = tanh(scale_a * x)
    return g * ((1.0 - bent * bent) * (scale_a * scale_b))


@stanh.samples
def _(s):
    yield from smooth_samples(s)
    yield s(s.randn(2, 3), 0.5, 2.0)

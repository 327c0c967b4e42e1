"""Activations with kinks: relu and its kin. The slope at a kink is Paddle's choice."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, op, primitive
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.ops.activation.smooth import widened
from twinoar.ops.math._unary import unary_desc
from twinoar.ops.math.cast import elementwise, promote_to_floating
from twinoar.ops.math.exponential import exp, expm1
from twinoar.ops.math.select import chosen, clip_op, minimum, select
from twinoar.ops.shape.reshape import reshape_op

SELU_SCALE = 1.0507009873554804934193349852946  # Klambauer et al. 2017, arXiv 1706.02515, eq. 14
SELU_ALPHA = 1.6732632423543772848170429916717


def kinked_samples(s):
    """Calls that every activation with kinks must serve, away from its kinks."""
    yield s(np.linspace(-7.23, 7.31, 12, dtype=np.float32).reshape(3, 4))
    yield s(np.linspace(-2.23, 2.31, 8), tolerance=1e-12)
    yield s(np.array([-1e30, -1000.0, 0.0, 1000.0, 1e30], np.float32), gradient=False)
    yield s(s.uniform(0.1, 0.4))
    yield s(s.zeros(0, 2))


@primitive(
    inplace=True,
    infer=elementwise,
    kernel=lambda x: np.maximum(x, x.dtype.type(0)),
    grad=lambda g, out: select(out > 0.0, g, 0.0),
    scalar=lambda s, x: s.select(x < 0, 0, x),
    desc=unary_desc("relu"),
)
def relu(x: Tensor) -> Tensor:
    """max(x, 0), with slope 0 at 0; nan stays.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.relu(twinoar.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """


@relu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.ints(-3, 3, 5), gradient=False)


@op(
    infer=elementwise,
    kernel=lambda x: np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6)),
    grad=lambda g, out: select((out > 0.0) & (out < 6.0), g, 0.0),
    desc=Desc("relu6", {"X": "x"}),
    samples=kinked_samples,
)
def relu6(x: Tensor) -> Tensor:
    """min(max(x, 0), 6), with slope 0 at 0 and 6.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.relu6(twinoar.to_tensor([-1.0, 2.0, 7.0])).tolist()
    [0.0, 2.0, 6.0]
    """
    return clip_op(x, 0, 6)


@op(
    inplace=True,
    infer=elementwise,
    kernel=widened(lambda x, negative_slope: chosen(x >= 0, x, x * x.dtype.type(negative_slope))),
    promote=promote_to_floating,
    grad=lambda g, x, negative_slope: select(x >= 0.0, g, g * negative_slope),
    desc=Desc("leaky_relu", {"X": "x"}, attrs={"alpha": "negative_slope"}),
)
def leaky_relu(x: Tensor, negative_slope: float = 0.01) -> Tensor:
    """x where x >= 0, negative_slope * x elsewhere; with slope 1 at 0.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.leaky_relu(twinoar.to_tensor([-1.0, 2.0]), 0.5).tolist()
    [-0.5, 2.0]
    """
    return select(x >= 0.0, x, x * negative_slope)


@leaky_relu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), 0.3)
    yield s(s.uniform(-2, -1, 5), -2.0)


Layout = Literal["NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC"]


def _weight_shape(x: Spec, weight: Spec, data_format: str) -> tuple[Any, ...]:
    """The shape of the weight that broadcasts against x. Raises ShapeError."""
    if weight.size == 1:
        return (1,) * x.ndim
    at = 1 if data_format[1] == "C" else x.ndim - 1
    if x.ndim < 2 or weight.shape != (x.shape[at],):
        raise ShapeError(
            f"expected one weight, or one for each channel of {x}, received {weight}",
            cure=f"the channels are along axis {at} for {data_format}",
        )
    return tuple(weight.shape[0] if i == at else 1 for i in range(x.ndim))


def _read_prelu(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    x, weight = slots["X"][0], slots["Alpha"][0]
    if attrs.get("mode") == "element":
        return select(x > 0.0, x, x * weight)
    return prelu(x, reshape_op(weight, (-1,)), attrs.get("data_format", "NCHW"))


@op(
    desc=Desc(
        "prelu",
        {"X": "x", "Alpha": "weight"},
        attrs={"data_format": "data_format"},
        write=lambda attrs, specs: {"mode": "all" if specs[1].size == 1 else "channel"},
        read=_read_prelu,
    ),
)
def prelu(x: Tensor, weight: Tensor, data_format: Layout = "NCHW") -> Tensor:
    """x where x > 0, weight * x elsewhere, with a weight that is learned.

    x: [N,C,*], or [N,*,C] by `data_format`. weight: [1], or [C]. Returns the shape of x. Raises
    ShapeError where the weight does not fit. Source: He et al. 2015, arXiv 1502.01852.

    >>> from twinoar.ops.activation.rectifier import prelu
    >>> prelu(twinoar.to_tensor([-1.0, 2.0]), twinoar.to_tensor([0.25])).tolist()
    [-0.25, 2.0]
    """
    weight = reshape_op(weight, _weight_shape(x.spec, weight.spec, data_format))
    return select(x > 0.0, x, x * weight)


@prelu.samples
def _(s):
    yield s(s.randn(2, 3, 2, 2), s.uniform(0.1, 0.4, 3))
    yield s(s.randn(2, 3, 2, 2), s.uniform(0.1, 0.4, 1))
    yield s(s.randn(2, 2, 3), s.uniform(0.1, 0.4, 3), "NLC")
    yield s(s.randn(2, 3, dtype="float64"), s.uniform(0.1, 0.4, 3, dtype="float64"))
    yield s(s.randn(), s.uniform(0.1, 0.4, 1))
    yield s(s.zeros(0, 3), s.uniform(0.1, 0.4, 3))
    yield s.bad(ShapeError, "expected one weight", s.randn(2, 3), s.randn(2))


@op(
    inplace=True,
    infer=elementwise,
    kernel=widened(
        lambda x, alpha: chosen(x > 0, x, np.expm1(np.minimum(x, 0)) * x.dtype.type(alpha))
    ),
    promote=promote_to_floating,
    grad=lambda g, x, alpha: select(x > 0.0, g, g * (alpha * exp(minimum(x, 0.0)))),
    desc=Desc("elu", {"X": "x"}, attrs={"alpha": "alpha"}),
)
def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """x where x > 0, alpha * (exp(x) - 1) elsewhere. Source: Clevert et al. 2015, arXiv 1511.07289.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.elu(twinoar.to_tensor([-1000.0, 2.0])).tolist()
    [-1.0, 2.0]
    """
    return select(x > 0.0, x, alpha * expm1(minimum(x, 0.0)))


@elu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), 0.3)


@op(desc=Desc("selu", {"X": "x"}, attrs={"scale": "scale", "alpha": "alpha"}))
def selu(x: Tensor, scale: float = SELU_SCALE, alpha: float = SELU_ALPHA) -> Tensor:
    """scale * x where x > 0, scale * alpha * (exp(x) - 1) elsewhere.

    x: [*]. Returns [*]. Raises ArgumentError unless scale > 1 and alpha >= 0. Source: Klambauer et
    al. 2017, arXiv 1706.02515.

    >>> from twinoar.ops.activation.rectifier import selu
    >>> selu(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """
    if scale <= 1.0 or alpha < 0.0:
        raise ArgumentError(f"expected scale > 1 and alpha >= 0, received {scale} and {alpha}")
    return scale * elu(x, alpha)


@selu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), 1.5, 2.0)
    yield s.bad(ArgumentError, "expected scale > 1", s.randn(2), 1.0)


@op(
    grad=lambda g, x, alpha: select(x > 0.0, g, g * exp(_below(x, alpha))),
    desc=Desc("celu", {"X": "x"}, attrs={"alpha": "alpha"}),
)
def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """x where x > 0, alpha * (exp(x / alpha) - 1) elsewhere: its slope has no step.

    x: [*]. Returns [*]. Raises ArgumentError for alpha 0. Source: Barron 2017, arXiv 1704.07483.

    >>> from twinoar.ops.activation.rectifier import celu
    >>> celu(twinoar.to_tensor([-1000.0, 2.0]), alpha=0.5).tolist()
    [-0.5, 2.0]
    """
    if alpha == 0:
        raise ArgumentError("alpha must not be 0")
    return select(x > 0.0, x, alpha * expm1(_below(x, alpha)))


def _below(x: Tensor, alpha: float) -> Tensor:
    return minimum(x, 0.0) / alpha


@celu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), 0.3)
    yield s.bad(ArgumentError, "alpha must not be 0", s.randn(2), 0.0)


@op(
    infer=elementwise,
    grad=lambda g, out, slope: select((out > 0.0) & (out < 1.0), g * slope, 0.0),
    desc=Desc("hard_sigmoid", {"X": "x"}, attrs={"slope": "slope", "offset": "offset"}),
)
def hardsigmoid(x: Tensor, slope: float = 0.1666667, offset: float = 0.5) -> Tensor:
    """slope * x + offset brought into [0, 1]: a sigmoid of straight lines.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.hardsigmoid(twinoar.to_tensor([-4.0, 0.0, 4.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return clip_op(x * slope + offset, 0.0, 1.0)


@hardsigmoid.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), 0.2, 0.45)


@op(
    infer=elementwise,
    desc=Desc("hard_swish", {"X": "x"}, fixed={"threshold": 6.0, "scale": 6.0, "offset": 3.0}),
    samples=kinked_samples,
)
def hardswish(x: Tensor) -> Tensor:
    """x * relu6(x + 3) / 6. Source: Howard et al. 2019, arXiv 1905.02244.

    x: [*]. Returns [*].

    >>> twinoar.nn.functional.hardswish(twinoar.to_tensor([-4.0, 0.0, 4.0])).tolist()
    [-0.0, 0.0, 4.0]
    """
    return x * clip_op(x + 3.0, 0.0, 6.0) / 6.0


@hardswish.grad
def _(g, x):
    falling = select(x >= 3.0, 1.0, x / 3.0 + 0.5)  # nan stays: it is on neither side
    return g * select(x <= -3.0, 0.0, falling)


@op(
    inplace=True,
    infer=elementwise,
    grad=lambda g, x, min, max: select((x > min) & (x < max), g, 0.0),
    desc=Desc("brelu", {"X": "x"}, attrs={"t_min": "min", "t_max": "max"}),
)
def hardtanh(x: Tensor, min: float = -1.0, max: float = 1.0) -> Tensor:
    """x brought into [min, max], with slope 0 at both.

    x: [*]. Returns [*].

    >>> from twinoar.ops.activation.rectifier import hardtanh
    >>> hardtanh(twinoar.to_tensor([-4.0, 0.5])).tolist()
    [-1.0, 0.5]
    """
    return clip_op(x, min, max)


@hardtanh.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(-2, -1, 5), -1.5, 0.0, gradient=False)


@op(
    infer=elementwise,
    grad=lambda g, x, threshold: select((x < threshold) & (x > -threshold), 0.0, g),
    desc=Desc("hard_shrink", {"X": "x"}, attrs={"threshold": "threshold"}),
)
def hardshrink(x: Tensor, threshold: float = 0.5) -> Tensor:
    """x where |x| >= threshold, 0 elsewhere.

    x: [*]. Returns [*].

    >>> from twinoar.ops.activation.rectifier import hardshrink
    >>> hardshrink(twinoar.to_tensor([-1.0, 0.3])).tolist()
    [-1.0, 0.0]
    """
    return select((x < threshold) & (x > -threshold), 0.0, x)


@hardshrink.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(1, 2, 5), 0.3)


@op(
    grad=lambda g, x, threshold: select((x > threshold) | (x < -threshold), g, 0.0),
    desc=Desc("softshrink", {"X": "x"}, attrs={"lambda": "threshold"}),
)
def softshrink(x: Tensor, threshold: float = 0.5) -> Tensor:
    """x moved towards 0 by the threshold, and 0 where it would pass 0.

    x: [*]. Returns [*]. Raises ArgumentError for a negative threshold.

    >>> from twinoar.ops.activation.rectifier import softshrink
    >>> softshrink(twinoar.to_tensor([-1.0, 0.3])).tolist()
    [-0.5, 0.0]
    """
    if threshold < 0:
        raise ArgumentError(f"threshold must not be negative, received {threshold}")
    near = select(x < -threshold, x + threshold, x * 0.0)
    return select(x > threshold, x - threshold, near)


@softshrink.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(1, 2, 5), 0.3)
    yield s.bad(ArgumentError, "must not be negative", s.randn(2), -1.0)


def _write_threshold(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    if attrs["value"] != 0:
        raise UnsupportedError("thresholded_relu with a value has no form in Paddle 2.6's files")
    return {}


@op(
    inplace=True,
    infer=elementwise,
    grad=lambda g, x, threshold: select(x <= threshold, 0.0, g),
    desc=Desc(
        "thresholded_relu", {"X": "x"}, attrs={"threshold": "threshold"}, write=_write_threshold
    ),
)
def thresholded_relu(x: Tensor, threshold: float = 1.0, value: float = 0.0) -> Tensor:
    """x where x > threshold, `value` elsewhere; nan stays.

    x: [*]. Returns [*].

    >>> from twinoar.ops.activation.rectifier import thresholded_relu
    >>> thresholded_relu(twinoar.to_tensor([0.5, 2.0])).tolist()
    [0.0, 2.0]
    """
    return select(x <= threshold, value, x)


@thresholded_relu.samples
def _(s):
    yield from kinked_samples(s)
    yield s(s.uniform(1, 2, 5), 0.3, -1.0)

"""Activations as layers: each is the function of the same name with its arguments kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.nn import functional
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer


class Activation(Layer):
    """Calls `function` with the arguments that it keeps under their names; prints them."""

    function: Callable

    def __init__(self, name: str | None = None, **arguments: Any):
        super().__init__()
        self._arguments = arguments
        self._name = name

    def forward(self, x: Any) -> Any:
        """The function of x."""
        return type(self).function(x, **self._arguments)

    def extra_repr(self) -> str:
        """The arguments."""
        shown = [f"{k}={v}" for k, v in self._arguments.items()]
        return ", ".join([*shown, f"name={self._name}"] if self._name else shown)


class Plain(Activation):
    """An activation without arguments."""

    def __init__(self, name: str | None = None):
        super().__init__(name)


class ReLU(Plain):
    """max(x, 0)."""

    function = functional.relu


class ReLU6(Plain):
    """min(max(x, 0), 6)."""

    function = functional.relu6


class Sigmoid(Plain):
    """1 / (1 + exp(-x))."""

    function = functional.sigmoid


class LogSigmoid(Plain):
    """log(1 / (1 + exp(-x)))."""

    function = functional.log_sigmoid


class Hardsigmoid(Plain):
    """min(max(x / 6 + 1 / 2, 0), 1)."""

    function = functional.hardsigmoid


class Hardswish(Plain):
    """x min(max(x + 3, 0), 6) / 6.

    Source: arXiv 1905.02244, section 5.2.
    """

    function = functional.hardswish


class Swish(Plain):
    """x / (1 + exp(-x)).

    Source: arXiv 1710.05941.
    """

    function = functional.swish


class Mish(Plain):
    """x tanh(log(1 + exp(x))).

    Source: arXiv 1908.08681.
    """

    function = functional.mish


class Tanh(Plain):
    """tanh(x)."""

    function = functional.tanh


class Tanhshrink(Plain):
    """x - tanh(x)."""

    function = functional.tanhshrink


class Softsign(Plain):
    """x / (1 + |x|)."""

    function = functional.softsign


class LeakyReLU(Activation):
    """x where x > 0, negative_slope x elsewhere."""

    function = functional.leaky_relu

    def __init__(self, negative_slope: float = 0.01, name: str | None = None):
        super().__init__(name, negative_slope=negative_slope)


class ELU(Activation):
    """x where x > 0, alpha (exp(x) - 1) elsewhere.

    Source: arXiv 1511.07289.
    """

    function = functional.elu

    def __init__(self, alpha: float = 1.0, name: str | None = None):
        super().__init__(name, alpha=alpha)


class SELU(Activation):
    """scale x where x > 0, scale alpha (exp(x) - 1) elsewhere.

    Source: arXiv 1706.02515.
    """

    function = functional.selu

    def __init__(
        self,
        scale: float = 1.0507009873554804934193349852946,
        alpha: float = 1.6732632423543772848170429916717,
        name: str | None = None,
    ):
        super().__init__(name, scale=scale, alpha=alpha)


class CELU(Activation):
    """max(x, 0) + min(alpha (exp(x / alpha) - 1), 0).

    Source: arXiv 1704.07483.
    """

    function = functional.celu

    def __init__(self, alpha: float = 1.0, name: str | None = None):
        super().__init__(name, alpha=alpha)


class GELU(Activation):
    """x P(X <= x) for a normal X; approximate: by tanh.

    Source: arXiv 1606.08415.
    """

    function = functional.gelu

    def __init__(self, approximate: bool = False, name: str | None = None):
        super().__init__(name, approximate=approximate)


class Hardtanh(Activation):
    """min(max(x, min), max)."""

    function = functional.hardtanh

    def __init__(self, min: float = -1.0, max: float = 1.0, name: str | None = None):
        super().__init__(name, min=min, max=max)


class Hardshrink(Activation):
    """x where |x| > threshold, 0 elsewhere."""

    function = functional.hardshrink

    def __init__(self, threshold: float = 0.5, name: str | None = None):
        super().__init__(name, threshold=threshold)


class Softshrink(Activation):
    """x moved towards 0 by threshold, at most to 0."""

    function = functional.softshrink

    def __init__(self, threshold: float = 0.5, name: str | None = None):
        super().__init__(name, threshold=threshold)


class Softplus(Activation):
    """log(1 + exp(beta x)) / beta, x itself where beta x > threshold."""

    function = functional.softplus

    def __init__(self, beta: float = 1, threshold: float = 20, name: str | None = None):
        super().__init__(name, beta=beta, threshold=threshold)


class ThresholdedReLU(Activation):
    """x where x > threshold, value elsewhere."""

    function = functional.thresholded_relu

    def __init__(self, threshold: float = 1.0, value: float = 0.0, name: str | None = None):
        super().__init__(name, threshold=threshold, value=value)


class Softmax(Activation):
    """exp(x) / sum(exp(x)) along axis."""

    function = functional.softmax

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__(name, axis=axis)


class Softmax2D(Activation):
    """exp(x) / sum(exp(x)) over the channels of images, [N,C,H,W] or [C,H,W]."""

    function = functional.softmax

    def __init__(self, name: str | None = None):
        super().__init__(name, axis=-3)


class LogSoftmax(Activation):
    """log(exp(x) / sum(exp(x))) along axis."""

    function = functional.log_softmax

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__(name, axis=axis)


class GLU(Activation):
    """a / (1 + exp(-b)) for the halves a, b of x along axis.

    Source: arXiv 1612.08083.
    """

    function = functional.glu

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__(name, axis=axis)


class Maxout(Activation):
    """the maximum over each of groups channels along axis.

    Source: arXiv 1302.4389.
    """

    function = functional.maxout

    def __init__(self, groups: int, axis: int = 1, name: str | None = None):
        super().__init__(name, groups=groups, axis=axis)


class Silu(Activation):
    """x / (1 + exp(-x)); inplace: x itself takes the result.

    Source: arXiv 1702.03118.
    """

    function = functional.silu

    def __init__(self, inplace: bool = False, name: str | None = None):
        super().__init__(name, inplace=inplace)


class PReLU(Layer):
    """x where x > 0, a x elsewhere, with a learned, one for all channels or one for each.

    num_parameters: 1 or the number of channels. init: a at the start. Source: arXiv 1502.01852.

    >>> import twinoar
    >>> twinoar.nn.PReLU()(twinoar.to_tensor([-4.0, 2.0])).tolist()
    [-1.0, 2.0]
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__()
        self._dtype = default_dtype().name
        self._num_parameters, self._init = num_parameters, init
        self._data_format, self._name = data_format, name
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x: Any) -> Any:
        """The function of x."""
        return functional.prelu(x, self._weight, data_format=self._data_format)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self._name}" if self._name else ""
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, "
            f"init={self._init}, dtype={self._dtype}{name}"
        )

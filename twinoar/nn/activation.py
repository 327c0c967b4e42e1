"""Activations as layers: each is the function of the same name with its arguments kept."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.core.values import Value as Tensor
from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer


class Activation(FunctionLayer, private=True):
    """A function of one tensor, with its arguments kept as Paddle names them."""

    def forward(self, x: Any) -> Tensor:
        """The function of x."""
        return type(self).function(x, **self._given())


class ReLU(Activation, of=functional.relu):
    """max(x, 0)."""


class ReLU6(Activation, of=functional.relu6):
    """min(max(x, 0), 6)."""


class Sigmoid(Activation, of=functional.sigmoid):
    """1 / (1 + exp(-x))."""


class LogSigmoid(Activation, of=functional.log_sigmoid):
    """log(1 / (1 + exp(-x)))."""


class Hardsigmoid(Activation, of=functional.hardsigmoid, without=("slope", "offset")):
    """min(max(x / 6 + 1 / 2, 0), 1)."""


class Hardswish(Activation, of=functional.hardswish):
    """x min(max(x + 3, 0), 6) / 6.

    Source: arXiv 1905.02244, section 5.2.
    """


class Swish(Activation, of=functional.swish):
    """x / (1 + exp(-x)).

    Source: arXiv 1710.05941.
    """


class Mish(Activation, of=functional.mish):
    """x tanh(log(1 + exp(x))).

    Source: arXiv 1908.08681.
    """


class Tanh(Activation, of=functional.tanh):
    """tanh(x)."""


class Tanhshrink(Activation, of=functional.tanhshrink):
    """x - tanh(x)."""


class Softsign(Activation, of=functional.softsign):
    """x / (1 + |x|)."""


class LeakyReLU(Activation, of=functional.leaky_relu):
    """x where x > 0, negative_slope x elsewhere."""


class ELU(Activation, of=functional.elu):
    """x where x > 0, alpha (exp(x) - 1) elsewhere.

    Source: arXiv 1511.07289.
    """


class SELU(Activation, of=functional.selu):
    """scale x where x > 0, scale alpha (exp(x) - 1) elsewhere.

    Source: arXiv 1706.02515.
    """


class CELU(Activation, of=functional.celu):
    """max(x, 0) + min(alpha (exp(x / alpha) - 1), 0).

    Source: arXiv 1704.07483.
    """


class GELU(Activation, of=functional.gelu):
    """x P(X <= x) for a normal X; approximate: by tanh.

    Source: arXiv 1606.08415.
    """


class Hardtanh(Activation, of=functional.hardtanh):
    """min(max(x, min), max)."""


class Hardshrink(Activation, of=functional.hardshrink):
    """x where |x| > threshold, 0 elsewhere."""


class Softshrink(Activation, of=functional.softshrink):
    """x moved towards 0 by threshold, at most to 0."""


class Softplus(Activation, of=functional.softplus):
    """log(1 + exp(beta x)) / beta, x itself where beta x > threshold."""

    def __init__(self, beta: float = 1, threshold: float = 20, name: str | None = None):
        super().__init__(beta=beta, threshold=threshold, name=name)


class ThresholdedReLU(Activation, of=functional.thresholded_relu):
    """x where x > threshold, value elsewhere."""


class Softmax(Activation, of=functional.softmax, without=("dtype",)):
    """exp(x) / sum(exp(x)) along axis."""


class Softmax2D(Activation, of=functional.softmax, without=("dtype",)):
    """exp(x) / sum(exp(x)) over the channels of images, [N,C,H,W] or [C,H,W]."""

    _axis = -3


class LogSoftmax(Activation, of=functional.log_softmax, without=("dtype",)):
    """log(exp(x) / sum(exp(x))) along axis."""


class GLU(Activation, of=functional.glu):
    """a / (1 + exp(-b)) for the halves a, b of x along axis.

    Source: arXiv 1612.08083.
    """


class Maxout(Activation, of=functional.maxout):
    """the maximum over each of groups channels along axis.

    Source: arXiv 1302.4389.
    """


class Silu(Activation, of=functional.silu):
    """x / (1 + exp(-x)); inplace: x itself takes the result.

    Source: arXiv 1702.03118.
    """


class PReLU(Layer):
    """x where x > 0, a x elsewhere, with a learned, one for all channels or one for each.

    num_parameters: 1 or the number of channels. init: a at the start. Source: arXiv 1502.01852.

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

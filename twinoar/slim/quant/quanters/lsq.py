"""LSQ and LSQ+: how large a step between integers is, is learnt with the weights.

Sources: Esser et al. 2020, "Learned Step Size Quantization", arXiv 1902.08153; Bhalgat et al. 2020,
"LSQ+: Improving low-bit quantization through learnable offsets and better initialization", arXiv
2004.09576.
"""

from __future__ import annotations

import abc
import math
from typing import Any

from twinoar.autograd import no_grad
from twinoar.core import unique_name
from twinoar.core.dim import is_known
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.nn.quant.fake_quant import move, refuse_reduction, state
from twinoar.ops.math.compare import equal, less_than
from twinoar.ops.math.rounding import round_op
from twinoar.ops.math.select import clip_op, maximum, minimum, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant._integers import along, limit_of
from twinoar.ops.reduce.extreme import max_op, min_op
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.reshape import reshape
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.observers.channel import channel_axis

ALL = -1  # the axis that stands for one scale for all elements
LEAST = 1e-8  # a step below it, as one that is 0 or that training has made negative, counts as it
KEPT = 0.9  # of the step of batches before, while steps follow the data; PaddleSlim's
DEVIATIONS = 3  # from the mean, of which the first steps of weights are made


class LearntSteps(BaseQuanter, metaclass=abc.ABCMeta):
    """Rounds values by a step that is learnt; the first batches say where it begins.

    x becomes s * clip(round(x / s)), with the gradients of LSQ's equation 3: to x where it is not
    clipped, and to s in every place. That of s is multiplied by 1 / sqrt(N * largest integer), of
    section 2.2, where N is how many values there are in a weight or in one example. In its first
    `batch_init` steps in training s follows `first_step` as well. Raises ArgumentError for bits
    that are none and for batch_init below 1, UnsupportedError for a reduce_type.
    """

    def __init__(
        self,
        quant_bits: int,
        is_signed: bool,
        batch_init: int,
        channels: int,
        dtype: Any,
        name: str | None,
        reduce_type: str | None,
    ):
        super().__init__()
        self._limit = limit_of(quant_bits)  # refuses what are no bits
        refuse_reduction(reduce_type)
        if batch_init < 1:
            raise ArgumentError(f"batch_init must be 1 or more, received {batch_init!r}")
        self._quant_bits, self._sign, self._batch_init = quant_bits, is_signed, batch_init
        self._prefix, self._dtype = name or "quant_dequant", dtype
        self._scale = parameter(self, f"{self._prefix}.scale", channels, 1.0, dtype)
        self._seen = state(self, f"{self._prefix}.seen", 1, 0.0, dtype)

    @property
    def qmin_qmax(self) -> tuple[int, int]:
        """The least and the greatest integer."""
        half = self._limit + 1
        return (-half, half - 1) if self._sign else (0, 2 * half - 1)

    @property
    def is_unseen(self) -> bool:
        """True while no data has passed in training."""
        return self._seen.item() == 0

    @abc.abstractmethod
    def quant_axis(self) -> int:
        """The axis of the channels with steps of their own; -1 for one step."""

    @abc.abstractmethod
    def first_step(self, x: Any) -> Any:
        """What the step would be by these values alone: [1], or [C]."""

    @abc.abstractmethod
    def count(self, x: Any) -> int:
        """N: how many values share what is learnt of each step."""

    def learnt(self) -> tuple[Any, ...]:
        """The parameters: the step first."""
        return (self._scale,)

    def rounded(self, x: Any, step: Any, offset: Any = None) -> Any:
        """x in whole steps from an offset, of shapes that broadcast with it."""
        if offset is None:
            return self._whole(x / step) * step
        before = straight(offset / step)
        return (self._whole(x / step - before) + before) * step

    def _whole(self, x: Any) -> Any:
        """Integers nearest to x, whose gradient is that of x where it is not clipped."""
        least, greatest = self.qmin_qmax
        return straight(clip_op(x, float(least), float(greatest)))

    def forward(self, input: Any) -> Any:
        """x rounded; in training, of the first batches, the step moves first."""
        factor = 1.0 / math.sqrt(self.count(input) * self.qmin_qmax[1])
        pulls = [scaled_gradient(x, factor) for x in self.learnt()]  # before moving, which has none
        if self.training:
            with no_grad():
                self._follow(input.detach())
        step, *offset = (x.detach() for x in self.learnt())
        values = (maximum(step, LEAST), *offset)
        moved = [value + pull for value, pull in zip(values, pulls, strict=True)]
        axis = self.quant_axis()
        return self.rounded(input, *(x if axis == ALL else along(x, input, axis) for x in moved))

    def _follow(self, x: Any) -> None:
        """Let the step follow the data, of the first batches."""
        self._average(self._scale, self.first_step(x))
        move((self._seen,), (self._seen + 1.0,))

    def _average(self, learnt_value: Any, found: Any) -> None:
        mixed = select(equal(self._seen, 0.0), found, learnt_value * KEPT + found * (1.0 - KEPT))
        is_first = less_than(self._seen, float(self._batch_init))
        move((learnt_value,), (select(is_first, mixed, learnt_value.detach()),))

    def scales(self) -> Any:
        """What the greatest integer with a sign stands for: the step times it."""
        return maximum(self._scale.detach(), LEAST) * float(self._limit)

    def zero_points(self) -> Any:
        """None: 0 is 0."""
        return None

    def bit_length(self) -> int:
        """Bits of the integers."""
        return self._quant_bits


def parameter(layer: Layer, prefix: str, size: int, start: float, dtype: Any) -> Any:
    """A parameter of a layer that is trained, of `size` equal elements."""
    attr = ParamAttr(name=unique_name.generate(prefix), initializer=Constant(start))
    return layer.create_parameter([size], attr, dtype)


def straight(x: Any) -> Any:
    """x rounded, with the gradient of x itself."""
    # The difference is exact, and so is the sum: whole numbers stay whole.
    return x + (round_op(x) - x).detach()


def scaled_gradient(x: Any, factor: float) -> Any:
    """Zeros, whose gradient to x is `factor`."""
    return (x - x.detach()) * factor


class ActLSQplusQuanter(QuanterFactory):
    """Makes quanters of values by a step that is learnt, and an offset where it is not symmetric.

    quant_bits: of the integers. sign: False for integers from 0, as after ReLU. symmetric: False
    for LSQ+, whose offset is a whole number of steps, the zero point. batch_init: how many batches
    move the step by what lies in them. dtype, name: of what is learnt. quant_linear: without
    effect. Raises UnsupportedError for per_channel, as integers of one row have one scale, and for
    reduce_type.

    >>> quanter = ActLSQplusQuanter(quant_bits=4)._instance(None)
    >>> x = twinoar.to_tensor([0.4, -3.0, 7.0], stop_gradient=False)
    >>> quanter(x).tolist(), quanter.scales().tolist()
    ([0.0, -3.0, 7.0], [7.0])
    """

    def __init__(
        self,
        quant_bits: int = 8,
        sign: bool = True,
        symmetric: bool = True,
        per_channel: bool = False,
        batch_init: int = 20,
        quant_linear: bool = False,
        reduce_type: str | None = None,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        if per_channel:
            raise UnsupportedError(
                "values have one step for all channels, so that products are of integers",
                cure="leave per_channel out; WeightLSQplusQuanter has it",
            )
        super().__init__(
            quant_bits=quant_bits,
            sign=sign,
            symmetric=symmetric,
            batch_init=batch_init,
            reduce_type=reduce_type,
            dtype=dtype,
            name=name,
        )

    def _get_class(self) -> type:
        return ActLSQplusQuanterLayer


class ActLSQplusQuanterLayer(LearntSteps):
    """The quanter itself. Its offset is beta of LSQ+, equation 5, rounded to whole steps."""

    def __init__(
        self,
        layer: Any,
        quant_bits: int = 8,
        sign: bool = True,
        symmetric: bool = True,
        batch_init: int = 20,
        reduce_type: str | None = None,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        super().__init__(quant_bits, sign, batch_init, 1, dtype, name, reduce_type)
        self._symmetric = symmetric
        if not symmetric:
            self._beta = parameter(self, f"{self._prefix}.beta", 1, 0.0, dtype)

    def first_step(self, x: Any) -> Any:
        """By which the values, and 0, just are not clipped."""
        least, greatest = self.qmin_qmax
        if self._symmetric:
            return reshape(max_op(magnitude(x)), [1]) / float(greatest)
        low, high = self._range(x)
        return (high - low) / float(greatest - least)

    def _range(self, x: Any) -> tuple[Any, Any]:
        return reshape(minimum(min_op(x), 0.0), [1]), reshape(maximum(max_op(x), 0.0), [1])

    def count(self, x: Any) -> int:
        """Of one example; sizes that are not known count as 1."""
        return math.prod(size for size in x.spec.shape[1:] if is_known(size))

    def learnt(self) -> tuple[Any, ...]:
        """The step, and the offset if there is one."""
        return (self._scale,) if self._symmetric else (self._scale, self._beta)

    def _follow(self, x: Any) -> None:
        if not self._symmetric:
            low, _ = self._range(x)
            self._average(self._beta, low - self.first_step(x) * float(self.qmin_qmax[0]))
        super()._follow(x)

    def zero_points(self) -> Any:
        """The integers that stand for 0, [1]; None for 0 itself."""
        if self._symmetric:
            return None
        return round_op(-self._beta.detach() / maximum(self._scale.detach(), LEAST))

    def quant_axis(self) -> int:
        """-1: there is one step."""
        return ALL


class WeightLSQplusQuanter(QuanterFactory):
    """Makes quanters of weights by steps that are learnt: one, or one for each channel.

    quant_bits: of the integers. per_channel: True for a step for each channel of what the layer
    makes; its class says along which axis they lie. batch_init: how many steps of training move the
    step by the weights as they are. dtype, name: of what is learnt. quant_linear, channel_num:
    without effect. Raises UnsupportedError for weights without a sign or with an offset, and for
    reduce_type; a quanter of a layer without known channels raises ArgumentError.

    >>> layer = twinoar.nn.Linear(4, 3)
    >>> quanter = WeightLSQplusQuanter(per_channel=True)._instance(layer)
    >>> quanter(layer.weight).shape, quanter.scales().shape, quanter.quant_axis()
    ([4, 3], [3], 1)
    """

    def __init__(
        self,
        quant_bits: int = 8,
        sign: bool = True,
        symmetric: bool = True,
        per_channel: bool = False,
        batch_init: int = 20,
        quant_linear: bool = False,
        channel_num: int | None = None,
        reduce_type: str | None = None,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        if not (sign and symmetric):
            raise UnsupportedError(
                "weights are integers with a sign, and 0 is 0",
                cure="leave sign and symmetric out; ActLSQplusQuanter has them",
            )
        super().__init__(
            quant_bits=quant_bits,
            per_channel=per_channel,
            batch_init=batch_init,
            reduce_type=reduce_type,
            dtype=dtype,
            name=name,
        )

    def _get_class(self) -> type:
        return WeightLSQplusQuanterLayer


class WeightLSQplusQuanterLayer(LearntSteps):
    """The quanter itself. Its first steps are those of LSQ+, equation 10."""

    def __init__(
        self,
        layer: Any,
        quant_bits: int = 8,
        per_channel: bool = False,
        batch_init: int = 20,
        reduce_type: str | None = None,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        axis = channel_axis(layer) if per_channel else ALL
        channels = layer.weight.shape[axis] if per_channel else 1
        super().__init__(quant_bits, True, batch_init, channels, dtype, name, reduce_type)
        self._axis = axis

    def first_step(self, x: Any) -> Any:
        """The mean and three deviations, or the largest magnitude where that is less."""
        others = None if self._axis == ALL else [a for a in range(x.ndim) if a != self._axis]
        center = mean(x, others, True)
        spread = mean((x - center) ** 2.0, others, True) ** 0.5 * float(DEVIATIONS)
        edge = maximum(magnitude(center - spread), magnitude(center + spread))
        largest = max_op(magnitude(x), tuple(others or ()), True)
        # Where few weights lie outside three deviations, integers beyond them would stand for none.
        return reshape(minimum(edge, largest), [-1]) / float(self._limit + 1)

    def count(self, x: Any) -> int:
        """Of the whole weight, or of one channel."""
        sizes = list(x.spec.shape)
        if self._axis != ALL:
            del sizes[self._axis]
        return math.prod(sizes)

    def quant_axis(self) -> int:
        """The axis of channels, or -1."""
        return self._axis

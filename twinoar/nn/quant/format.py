"""Quantizing and dequantizing by known scales: what quanters become when training is over."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from twinoar.core import unique_name
from twinoar.core.dtype import dtype_of, float32
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.nn.initializer import Assign
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.math.cast import astype
from twinoar.ops.math.rounding import round_op
from twinoar.ops.math.select import clip_op
from twinoar.ops.quant._integers import limit_of, slope
from twinoar.ops.quant.linear import FLOAT8, dequantize_linear, quantize_linear
from twinoar.ops.shape.reshape import reshape

ALL = -1  # the axis that stands for one scale for all elements
FLOAT8_BITS = {(4, 3): "e4m3", (5, 2): "e5m2"}  # of exponent and mantissa
INT8_BITS = 8  # integers of more bits are kept as floats: Paddle's files have no others


def fake_fp8_quant(input: Any, scale: Any, axis: int = -1, type: str = "e4m3") -> Any:
    """x as floats of 8 bits, by the scale that becomes the largest of them.

    input: [*], floating. scale: one element, or [C] along `axis`. type: "e4m3" or "e5m2". Returns
    [*], dtype of input. Raises UnsupportedError.

    >>> fake_fp8_quant(twinoar.to_tensor([1.0, 0.3]), twinoar.to_tensor(1.0)).tolist()
    [448.0, 128.0]
    """
    largest = _largest_float8(type)
    zero = astype(scale * 0.0, float32)
    made = quantize_linear(astype(input, float32), scale, zero, axis, 8, -largest, largest)
    return astype(made, input.dtype)


def fake_fp8_dequant(input: Any, scale: Any, axis: int = -1, type: str = "e4m3") -> Any:
    """Floats of 8 bits that `fake_fp8_quant` made, in their own size again.

    >>> fake_fp8_dequant(twinoar.to_tensor([448.0]), twinoar.to_tensor(2.0)).tolist()
    [2.0]
    """
    largest = _largest_float8(type)
    zero = astype(scale * 0.0, float32)
    made = dequantize_linear(astype(input, float32), scale, zero, axis, 8, -largest, largest)
    return astype(made, input.dtype)


def _largest_float8(kind: str) -> int:
    if kind not in FLOAT8:
        raise UnsupportedError(f"expected one of {', '.join(FLOAT8)}, received {kind!r}")
    return FLOAT8[kind]


class _ByScales(Layer):
    """Scales and zero points as parameters that are not trained.

    scales: one element; [C] along `quant_axis`; or [G,N] for weights [K,N] in G groups of rows.
    zero_point: the integers for 0, of the same shape, or None for 0 itself. bit_length: bits of the
    integers, or the bits of exponent and mantissa of a float. group_size: that of the groups, which
    the scales tell. Raises ArgumentError for scales that are missing or not finite.
    """

    def __init__(
        self,
        scales: Any,
        zero_point: Any = None,
        quant_axis: int | None = None,
        bit_length: int | tuple[int, int] = 8,
        group_size: int = 128,
    ):
        super().__init__()
        known = _array(scales, "scales")
        points = np.zeros_like(known) if zero_point is None else _array(zero_point, "zero points")
        self._is_shifted = bool(points.any())
        self._scales = self._fixed("scale", known)
        self._zero_point = self._fixed("zero_point", np.broadcast_to(points, known.shape))
        self._quant_axis = ALL if quant_axis is None else quant_axis
        self._group_size = group_size
        if isinstance(bit_length, (tuple, list)):
            kind = FLOAT8_BITS.get((bit_length[0], bit_length[1]))
            if kind is None:
                raise UnsupportedError(
                    f"floats of {bit_length} bits of exponent and mantissa are not served",
                    cure="give (4, 3) or (5, 2)",
                )
            self._bit_length, self._qmax = 8, FLOAT8[kind]
            self._bounds = (-self._qmax, self._qmax)
        else:
            self._bit_length, self._qmax = bit_length, limit_of(bit_length)
            self._bounds = (0, 0)  # those of the bits
        self._qmin = self._bounds[0] or -self._qmax - 1

    def _fixed(self, kind: str, values: np.ndarray) -> Any:
        """A parameter that keeps these values."""
        name = unique_name.generate(f"quant_dequant.{kind}")
        attr = ParamAttr(name=name, initializer=Assign(values), trainable=False)
        return self.create_parameter(values.shape, attr, "float32")

    @property
    def _is_composed(self) -> bool:
        """True for what no operator of Paddle's does: groups of rows, and another zero."""
        return self._is_shifted or len(self._scales.shape) > 1

    def _in_groups(self, x: Any) -> tuple[Any, Any, Any]:
        """x, scales and zero points in shapes that broadcast."""
        scales, points = self._scales, self._zero_point
        if len(scales.shape) > 1:
            groups, columns = scales.shape
            if len(x.shape) != 2 or x.shape[0] % groups or x.shape[1] != columns:
                raise ShapeError(f"scales {scales.spec} do not fit weights {x.spec}")
            x = reshape(x, (groups, -1, columns))
            scales, points = (reshape(t, (groups, 1, columns)) for t in (scales, points))
        elif self._quant_axis != ALL:
            form = [1] * len(x.shape)
            form[self._quant_axis] = -1
            scales, points = reshape(scales, form), reshape(points, form)
        return x, scales, points

    def extra_repr(self) -> str:
        """Bits, and the axis if there is one."""
        axis = f", quant_axis={self._quant_axis}" if self._quant_axis != ALL else ""
        return f"bit_length={self._bit_length}{axis}"


class LinearQuanter(_ByScales):
    """Makes floats whole numbers of few bits, kept as floats. Its arguments are those above.

    >>> LinearQuanter(2.0)(twinoar.to_tensor([0.5, -1.0, 4.0])).tolist()
    [32.0, -64.0, 127.0]
    """

    def forward(self, input: Any) -> Any:
        """x / scale * limit, rounded."""
        wide = astype(input, float32)
        if not self._is_composed:
            given = (self._quant_axis, self._bit_length, *self._bounds)
            made = quantize_linear(wide, self._scales, self._zero_point, *given)
            return astype(made, input.dtype)
        parts, scales, points = self._in_groups(wide)
        whole = round_op(parts * slope(scales, self._qmax)) + points
        made = clip_op(whole, float(self._qmin), float(self._qmax))
        return astype(reshape(made, input.shape) if made.ndim != input.ndim else made, input.dtype)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanter:
        """What does the rounding of a quanter by the scales that it has now."""
        return LinearQuanter(*_told_by(quanter))


class LinearDequanter(_ByScales):
    """Makes whole numbers of few bits floats again. Its arguments are those of LinearQuanter.

    >>> LinearDequanter(2.0)(twinoar.to_tensor([127, -127], dtype="int8")).tolist()
    [2.0, -2.0]
    """

    made_dtype = float32  # of what integers become

    def forward(self, input: Any) -> Any:
        """x * scale / limit."""
        dtype = input.dtype if input.dtype.is_floating else self.made_dtype
        if not self._is_composed:
            given = (self._quant_axis, self._bit_length, *self._bounds)
            wide = astype(input, float32) if input.dtype.is_floating else input
            made = dequantize_linear(wide, self._scales, self._zero_point, *given)
            return astype(made, dtype)
        parts, scales, points = self._in_groups(astype(input, float32))
        made = (parts - points) * scales / self._qmax
        return astype(reshape(made, input.shape) if made.ndim != input.ndim else made, dtype)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearDequanter:
        """What makes floats of what `LinearQuanter.from_quanter` makes."""
        return LinearDequanter(*_told_by(quanter))


class LinearQuanterDequanter(Layer):
    """Quantizes, and dequantizes; either may be None.

    >>> both = LinearQuanterDequanter(LinearQuanter(127.0), LinearDequanter(127.0))
    >>> both(twinoar.to_tensor([1.2, 2.6])).tolist()
    [1.0, 3.0]
    """

    def __init__(self, quanter: Any, dequanter: Any):
        super().__init__()
        self._quanter, self._dequanter = quanter, dequanter

    def forward(self, input: Any) -> Any:
        """x after both."""
        out = input if self._quanter is None else self._quanter(input)
        return out if self._dequanter is None else self._dequanter(out)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanterDequanter:
        """Both by the scales that a quanter has now. Raises ArgumentError where it has none."""
        return LinearQuanterDequanter(
            LinearQuanter.from_quanter(quanter), LinearDequanter.from_quanter(quanter)
        )


class ConvertibleQuantedLayer(Layer, metaclass=abc.ABCMeta):
    """A layer that quantizes in training, and after conversion keeps weights as integers.

    Subclasses say which of their weights have which quanters, and which quanters their inputs have.
    """

    def __init__(self) -> None:
        super().__init__()
        self.converted = False

    @abc.abstractmethod
    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """Names of weights, each with the name of its quanter."""

    @abc.abstractmethod
    def activation_quanters(self) -> list[str]:
        """Names of the quanters of inputs."""

    def _converted_members(self, remain_weight: bool = False) -> dict[str, Any]:
        """What its members are after conversion; nothing changes yet.

        Quanters become operators with fixed scales, and weights integers: int8, of more bits
        floats. remain_weight: leave the weights floats, and quantize them in each call. Raises
        ArgumentError, also for a layer that is converted.
        """
        if self.converted:
            raise ArgumentError("it is converted already", cure="convert what quantize returned")
        made: dict[str, Any] = {"converted": True}
        for weight, name in self.weights_to_quanters():
            quanter = getattr(self, name, None)
            if quanter is not None:
                made[name] = both = _converted(name, quanter)
                if not remain_weight:
                    made[weight] = self._whole(weight, both)
        for name in self.activation_quanters():
            quanter = getattr(self, name, None)
            if quanter is not None:
                made[name] = _converted(name, quanter)
        return made

    def _whole(self, name: str, both: LinearQuanterDequanter) -> Any:
        """The weight as the integers that `both` then only makes floats of."""
        weight, quanter = getattr(self, name), both._quanter
        values = weight.numpy()
        if not np.isfinite(values.astype("f4")).all():
            raise ArgumentError(
                f"{name} is not finite",
                cure="look for nan and inf in training, and convert weights that are finite",
            )
        whole = quanter(weight).numpy()
        is_narrow = quanter._bit_length <= INT8_BITS and quanter._bounds == (0, 0)
        kept = whole.astype("int8") if is_narrow else whole
        both._dequanter.made_dtype = dtype_of(weight.dtype)
        both._quanter = None
        attr = ParamAttr(name=weight.name, initializer=Assign(kept), trainable=False)
        return self.create_parameter(kept.shape, attr, dtype_of(kept.dtype))


def _converted(name: str, quanter: Any) -> LinearQuanterDequanter:
    try:
        return LinearQuanterDequanter.from_quanter(quanter)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error.message}", cure=error.cure) from error


def _told_by(quanter: Any) -> tuple[Any, ...]:
    """What a quanter says of how it rounds."""
    if hasattr(quanter, "cal_thresholds"):
        quanter.cal_thresholds()
    scales = quanter.scales()
    if scales is None:
        raise ArgumentError(
            f"{type(quanter).__name__} has no scales",
            cure="let data pass through the network before it is converted",
        )
    points, bits = quanter.zero_points(), quanter.bit_length()
    least, _ = getattr(quanter, "qmin_qmax", (-1, 0))
    if least >= 0:  # integers without a sign are those with one, moved by half their range
        points = (0.0 if points is None else points) - 2.0 ** (bits - 1)
    return scales, points, quanter.quant_axis(), bits


def _array(given: Any, what: str) -> np.ndarray:
    """Scales as float32. Raises ArgumentError for what is not finite, or negative scales."""
    if given is None:
        raise ArgumentError(f"{what} are missing")
    found = np.asarray(given.numpy() if hasattr(given, "numpy") else given, "float32")
    if not np.isfinite(found).all() or (what == "scales" and (found < 0).any()):
        shown = found.ravel()[:4].tolist()
        raise ArgumentError(
            f"{what} must be finite, and scales not negative, received {shown}",
            cure="look for nan and inf in the weights and in the data",
        )
    return found

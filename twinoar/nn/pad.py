"""Padding as layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer


class _Pad(Layer):
    """Pads the spatial axes on both sides."""

    rank: int
    default_format: str

    def __init__(
        self,
        padding: int | Sequence[int],
        mode: str = "constant",
        value: float = 0.0,
        data_format: str | None = None,
        name: str | None = None,
    ):
        super().__init__()
        sizes = [padding] * (2 * self.rank) if isinstance(padding, int) else padding
        self.padding, self.value = sizes, value
        self._mode, self._name = mode, name
        self._data_format = data_format or self.default_format

    def forward(self, x: Any) -> Any:
        """The padded x."""
        return functional.pad(
            x, self.padding, mode=self._mode, value=self.value, data_format=self._data_format
        )

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self._name}" if self._name else ""
        return (
            f"padding={self.padding}, mode={self._mode}, value={self.value}, "
            f"data_format={self._data_format}{name}"
        )


class Pad1D(_Pad):
    """Pads a sequence. x: [N,C,L]; padding: elements, one number or [left,right].

    >>> twinoar.nn.Pad1D(1)(twinoar.ones([1, 1, 2])).tolist()
    [[[0.0, 1.0, 1.0, 0.0]]]
    """

    rank, default_format = 1, "NCL"


class Pad2D(_Pad):
    """Pads an image.

    x: [N,C,H,W]; NHWC has channels last. padding: pixels, one number or [left,right,top,bottom].
    mode: constant with `value`, reflect, replicate or circular.

    >>> twinoar.nn.Pad2D([1, 2, 0, 0])(twinoar.ones([1, 1, 1, 2])).tolist()
    [[[[0.0, 1.0, 1.0, 0.0, 0.0]]]]
    """

    rank, default_format = 2, "NCHW"


class Pad3D(_Pad):
    """Pads a volume. x: [N,C,D,H,W]; padding: one number or [left,right,top,bottom,front,back].

    >>> twinoar.nn.Pad3D(1)(twinoar.ones([1, 1, 2, 2, 2])).shape
    [1, 1, 4, 4, 4]
    """

    rank, default_format = 3, "NCDHW"


class _FixedPad(_Pad):
    """Pads in the way that the class stands for."""

    mode = "constant"

    def __init__(
        self,
        padding: int | Sequence[int],
        data_format: str | None = None,
        name: str | None = None,
    ):
        super().__init__(padding, self.mode, 0.0, data_format, name)


class _ConstantPad(_Pad):
    """Pads with one number."""

    def __init__(
        self,
        padding: int | Sequence[int],
        value: float,
        data_format: str | None = None,
        name: str | None = None,
    ):
        super().__init__(padding, "constant", value, data_format, name)


class ZeroPad1D(_FixedPad, Pad1D):
    """Pads a sequence with zeros. Arguments as of Pad1D.

    >>> twinoar.nn.ZeroPad1D(1)(twinoar.ones([1, 1, 3])).shape
    [1, 1, 5]
    """


class ZeroPad2D(_FixedPad, Pad2D):
    """Pads an image with zeros. Arguments as of Pad2D.

    >>> twinoar.nn.ZeroPad2D(1)(twinoar.ones([1, 1, 3, 3])).shape
    [1, 1, 5, 5]
    """


class ZeroPad3D(_FixedPad, Pad3D):
    """Pads a volume with zeros. Arguments as of Pad3D.

    >>> twinoar.nn.ZeroPad3D(1)(twinoar.ones([1, 1, 3, 3, 3])).shape
    [1, 1, 5, 5, 5]
    """


class ReflectionPad1D(_FixedPad, Pad1D):
    """Pads a sequence with what lies inside its ends, mirrored. Arguments as of Pad1D.

    >>> twinoar.nn.ReflectionPad1D(1)(twinoar.ones([1, 1, 3])).shape
    [1, 1, 5]
    """

    mode = "reflect"


class ReflectionPad2D(_FixedPad, Pad2D):
    """Pads an image with what lies inside its ends, mirrored. Arguments as of Pad2D.

    >>> twinoar.nn.ReflectionPad2D(1)(twinoar.ones([1, 1, 3, 3])).shape
    [1, 1, 5, 5]
    """

    mode = "reflect"


class ReflectionPad3D(_FixedPad, Pad3D):
    """Pads a volume with what lies inside its ends, mirrored. Arguments as of Pad3D.

    >>> twinoar.nn.ReflectionPad3D(1)(twinoar.ones([1, 1, 3, 3, 3])).shape
    [1, 1, 5, 5, 5]
    """

    mode = "reflect"


class ReplicationPad1D(_FixedPad, Pad1D):
    """Pads a sequence with the elements at its ends. Arguments as of Pad1D.

    >>> twinoar.nn.ReplicationPad1D(1)(twinoar.ones([1, 1, 3])).shape
    [1, 1, 5]
    """

    mode = "replicate"


class ReplicationPad2D(_FixedPad, Pad2D):
    """Pads an image with the elements at its ends. Arguments as of Pad2D.

    >>> twinoar.nn.ReplicationPad2D(1)(twinoar.ones([1, 1, 3, 3])).shape
    [1, 1, 5, 5]
    """

    mode = "replicate"


class ReplicationPad3D(_FixedPad, Pad3D):
    """Pads a volume with the elements at its ends. Arguments as of Pad3D.

    >>> twinoar.nn.ReplicationPad3D(1)(twinoar.ones([1, 1, 3, 3, 3])).shape
    [1, 1, 5, 5, 5]
    """

    mode = "replicate"


class CircularPad1D(_FixedPad, Pad1D):
    """Pads a sequence with what lies at its other end. Arguments as of Pad1D.

    >>> twinoar.nn.CircularPad1D(1)(twinoar.ones([1, 1, 3])).shape
    [1, 1, 5]
    """

    mode = "circular"


class CircularPad2D(_FixedPad, Pad2D):
    """Pads an image with what lies at its other end. Arguments as of Pad2D.

    >>> twinoar.nn.CircularPad2D(1)(twinoar.ones([1, 1, 3, 3])).shape
    [1, 1, 5, 5]
    """

    mode = "circular"


class CircularPad3D(_FixedPad, Pad3D):
    """Pads a volume with what lies at its other end. Arguments as of Pad3D.

    >>> twinoar.nn.CircularPad3D(1)(twinoar.ones([1, 1, 3, 3, 3])).shape
    [1, 1, 5, 5, 5]
    """

    mode = "circular"


class ConstantPad1D(_ConstantPad, Pad1D):
    """Pads a sequence with `value`. Arguments as of Pad1D.

    >>> twinoar.nn.ConstantPad1D(1, 2.0)(twinoar.ones([1, 1, 3])).shape
    [1, 1, 5]
    """


class ConstantPad2D(_ConstantPad, Pad2D):
    """Pads an image with `value`. Arguments as of Pad2D.

    >>> twinoar.nn.ConstantPad2D(1, 2.0)(twinoar.ones([1, 1, 3, 3])).shape
    [1, 1, 5, 5]
    """


class ConstantPad3D(_ConstantPad, Pad3D):
    """Pads a volume with `value`. Arguments as of Pad3D.

    >>> twinoar.nn.ConstantPad3D(1, 2.0)(twinoar.ones([1, 1, 3, 3, 3])).shape
    [1, 1, 5, 5, 5]
    """

"""Tensors of one dtype by name, `FloatTensor` and its kin, and `Size`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, SupportsIndex

from twinoar.core.dtype import (
    DType,
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from twinoar.core.interpreter import placing
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import TypeMismatchError
from twinoar.ops.create.fill import empty
from twinoar.ops.math.cast import astype


class Typed:
    """Base of the makers of tensors: their dtype stands in the class.

    Called with sizes they give a tensor whose elements are arbitrary; with a list, an array or a
    tensor its elements in their dtype; without arguments one without elements. device: where it
    lies.
    """

    made: DType

    def __new__(cls, *args: Any, device: Any = None) -> Any:
        with placing(device):
            return cls._made(args)

    @classmethod
    def _made(cls, args: tuple[Any, ...]) -> Any:
        if all(isinstance(size, int) and not isinstance(size, bool) for size in args):
            return empty(args or [0], cls.made)
        if len(args) != 1 or not (isinstance(args[0], Iterable) and not isinstance(args[0], str)):
            raise TypeMismatchError(
                f"{cls.__name__} takes sizes, or one list, array or tensor, received {args!r}",
                cure=f"{cls.__name__}(2, 3), or {cls.__name__}([1, 2])",
            )
        data = args[0]
        return astype(data, cls.made) if isinstance(data, Tensor) else to_tensor(data, cls.made)


TYPED = {
    f"{name}Tensor": type(
        f"{name}Tensor", (Typed,), {"__doc__": f"Makes a tensor of {made.name}.", "made": made}
    )
    for name, made in {
        "BFloat16": bfloat16,
        "Bool": bool_,
        "Byte": uint8,
        "Char": int8,
        "Double": float64,
        "Float": float32,
        "Half": float16,
        "Int": int32,
        "Long": int64,
        "Short": int16,
    }.items()
}


class Size(list[int]):
    """The sizes of a tensor's dimensions: a list that knows how many elements they make.

    Raises TypeMismatchError for what is no integer.

    >>> Size([2, 3]).numel()
    6
    >>> Size([2, 3])[1:]
    paddle.Size([3])
    """

    def __init__(self, sizes: Iterable[int] = ()):
        super().__init__(sizes)
        for size in self:
            if not isinstance(size, int):
                raise TypeMismatchError(f"sizes are integers, received {size!r}")

    def numel(self) -> int:
        """The product of the sizes."""
        return math.prod(self)

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Size:  # type: ignore[override]  # of any sequence
        return Size([*self, *other])

    def __radd__(self, other: Any) -> Size:
        return Size([*other, *self])

    def __mul__(self, times: SupportsIndex) -> Size:
        return Size(super().__mul__(times))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple)) and list(self) == list(other)

    __hash__ = None  # as of lists

    def __repr__(self) -> str:
        return f"paddle.Size({super().__repr__()})"

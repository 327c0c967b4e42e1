"""The enumerations of Paddle Inference, with its numbers."""

from __future__ import annotations

from enum import IntEnum

from twinoar.core.dtype import DType, dtype_of
from twinoar.errors import DTypeError, TypeMismatchError
from twinoar.version import __version__


class PrecisionType(IntEnum):
    """What a model computes in."""

    Float32, Int8, Half, Bfloat16 = range(4)


class PlaceType(IntEnum):
    """Where data lies."""

    UNK, CPU, GPU, XPU = -1, 0, 1, 2
    CUSTOM = 4


class DataType(IntEnum):
    """The element type of an input or output."""

    FLOAT32, INT64, INT32, UINT8, INT8, FLOAT16, BOOL, FLOAT64 = range(8)

    @property
    def dtype(self) -> DType:
        """The dtype that it stands for."""
        return dtype_of(self.name.lower())

    @classmethod
    def of(cls, dtype: DType) -> DataType:
        """The member for a dtype. Raises DTypeError where Paddle Inference has none."""
        if dtype.name.upper() not in cls.__members__:
            raise DTypeError(
                f"Paddle Inference has no data type for {dtype.name}",
                cure=f"it has {', '.join(cls.__members__)}",
            )
        return cls[dtype.name.upper()]


def get_num_bytes_of_data_type(dtype: DataType) -> int:
    """The bytes of one element. Raises TypeMismatchError for what is no DataType.

    >>> get_num_bytes_of_data_type(DataType.INT64)
    8
    """
    if not isinstance(dtype, DataType):
        raise TypeMismatchError(
            f"expected a DataType, received {type(dtype).__name__}",
            cure="such as inference.DataType.FLOAT32",
        )
    return dtype.dtype.itemsize


def get_version() -> str:
    """The version of twinoar, as a line."""
    return f"version: {__version__}\n"

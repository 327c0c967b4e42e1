"""Element types: their names, their NumPy form and how they promote."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from twinoar.core.settings import announce, count_setting
from twinoar.core.stored import NAMES as STORED_NAMES
from twinoar.core.stored import watch
from twinoar.errors import DTypeError, MissingModuleError, UnsupportedError


def require_numpy(found: str) -> None:
    """Raise MissingModuleError for a NumPy whose promotion looks at values.

    NumPy 1 gives float64 for a 0-d float32 array times a Python number, which kernels rely upon to
    be float32.
    """
    if found.startswith(("0.", "1.")):
        raise MissingModuleError(
            f"expected NumPy 2 or newer, received NumPy {found}",
            cure="pip install 'numpy>=2'",
        )


require_numpy(np.__version__)


class DType:
    """An element type such as `float32`; equal to its own name and to its NumPy form.

    >>> twinoar.float32 == "float32"
    True
    >>> twinoar.float32.itemsize
    4
    """

    __slots__ = ("category", "name", "numpy", "short")

    def __init__(self, name: str, short: str, numpy: Any, category: int):
        self.name, self.short, self.category = name, short, category
        self.numpy: np.dtype[Any] = np.dtype(numpy)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.numpy.itemsize

    @property
    def is_floating(self) -> bool:
        """True for float16, bfloat16, float32 and float64."""
        return self.category == FLOATING

    @property
    def is_integer(self) -> bool:
        """True for the integer types; False for bool."""
        return self.category == INTEGER

    @property
    def is_whole(self) -> bool:
        """True for the integer types and bool."""
        return self.category in (BOOLEAN, INTEGER)

    @property
    def is_complex(self) -> bool:
        """True for complex64 and complex128."""
        return self.category == COMPLEX

    @property
    def is_stored(self) -> bool:
        """True for float8, which tensors hold and operators move and convert: none computes."""
        return self.category == STORED

    @property
    def is_differentiable(self) -> bool:
        """True where gradients exist: floating and complex types."""
        return self.category >= FLOATING

    def __eq__(self, other: object) -> bool:
        return self is other or BY_KEY.get(_key(other)) is self

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)


class NamedDType(DType):
    """An element type that has a name, and limits where it is of numbers, and that no tensor has.

    A class of its own, so that where a DType is taken as it is, this is looked at.
    """

    __slots__ = ()


class StoredDType(DType):
    """An element type that tensors hold and operators only move and convert."""

    __slots__ = ()


NAMED, STORED, BOOLEAN, INTEGER, FLOATING, COMPLEX = range(-2, 4)

bool_ = DType("bool", "b8", np.bool_, BOOLEAN)
uint8 = DType("uint8", "u8", np.uint8, INTEGER)
int8 = DType("int8", "i8", np.int8, INTEGER)
int16 = DType("int16", "i16", np.int16, INTEGER)
int32 = DType("int32", "i32", np.int32, INTEGER)
int64 = DType("int64", "i64", np.int64, INTEGER)
float16 = DType("float16", "f16", np.float16, FLOATING)
bfloat16 = DType("bfloat16", "bf16", ml_dtypes.bfloat16, FLOATING)
float32 = DType("float32", "f32", np.float32, FLOATING)
float64 = DType("float64", "f64", np.float64, FLOATING)
complex64 = DType("complex64", "c64", np.complex64, COMPLEX)
complex128 = DType("complex128", "c128", np.complex128, COMPLEX)

float8_e4m3fn = StoredDType("float8_e4m3fn", "f8e4m3fn", ml_dtypes.float8_e4m3fn, STORED)
float8_e5m2 = StoredDType("float8_e5m2", "f8e5m2", ml_dtypes.float8_e5m2, STORED)

uint16 = NamedDType("uint16", "u16", np.uint16, NAMED)
uint32 = NamedDType("uint32", "u32", np.uint32, NAMED)
uint64 = NamedDType("uint64", "u64", np.uint64, NAMED)
pstring = NamedDType("pstring", "str", np.object_, NAMED)
raw = NamedDType("raw", "raw", np.void, NAMED)

ALL = (
    bool_, uint8, int8, int16, int32, int64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip
FLOAT8: tuple[DType, ...] = (float8_e4m3fn, float8_e5m2)
HELD = (*ALL, *FLOAT8)  # by tensors
BY_NAME = {d.name: d for d in HELD}
BY_SHORT = {d.short: d for d in HELD}
BY_NUMPY = {d.numpy: d for d in HELD}
REAL_OF = {complex64: float32, complex128: float64}  # the dtype of the parts
COMPLEX_OF = {part: whole for whole, part in REAL_OF.items()}
BY_KEY: dict[Any, DType] = {
    **BY_NAME,
    **BY_NUMPY,
    bool: bool_,
    int: int64,
    float: float32,
    complex: complex64,
    "int": int64,  # and other names of NumPy's
    "long": int64,
    "double": float64,
    "half": float16,
}
STORED_NAMES.update(d.name for d in FLOAT8)
NAMES = (uint16, uint32, uint64, pstring, raw)
# What to take in place of those that no tensor has.
INSTEAD: dict[DType, str] = {
    uint16: "use int32; Paddle means bfloat16 by uint16",
    uint32: "use int64",
    uint64: "use int64",
    pstring: "keep text in a list, and give tensors its numbers",
    raw: "use uint8",
}
BY_KEY |= {d.name: d for d in NAMES} | {d.numpy: d for d in NAMES[:-2]}
BY_KEY |= {d.numpy.type: d for d in (*HELD, *NAMES[:-2])} | {
    f"{package}.{d.name}": d for d in (*HELD, *NAMES) for package in ("paddle", "twinoar")
}


def limits(dtype: DType) -> Any:
    """NumPy's `finfo` of a floating type, of 8 bits too."""
    return ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]


def converted(x: Any, dtype: DType) -> np.ndarray:
    """An array as `dtype`, on every machine as x86 does it and Paddle there.

    Floats are cut towards zero and brought into 32 bits, for int64 into 64; nan and what lies
    outside become the least integer of those, from which narrower integers take the low bits.
    Complex numbers leave their imaginary parts, except for bool, which any part makes true. What
    float8 does not reach becomes its largest number; nan stays.
    """
    if x.dtype.kind == "c" and not dtype.is_complex and dtype is not bool_:
        x = x.real
    if dtype.is_stored:
        largest = float(limits(dtype).max)
        wide = x if x.dtype in (np.float32, np.float64) else x.astype(np.float32)
        return np.clip(wide, -largest, largest).astype(dtype.numpy)  # type: ignore[no-any-return]
    if dtype.is_integer and x.dtype.kind in "fV":  # V: bfloat16
        return _cut(np.asarray(x), np.int64 if dtype is int64 else np.int32, dtype.numpy)
    if dtype.is_floating and dtype.itemsize < x.dtype.itemsize:
        with np.errstate(all="ignore"):  # of what overflows
            return x.astype(dtype.numpy)  # type: ignore[no-any-return]
    return x.astype(dtype.numpy)  # type: ignore[no-any-return]


def _cut(x: np.ndarray, wide: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """Floats as integers; what NumPy gives outside the range depends on the machine."""
    least = np.iinfo(wide).min
    with np.errstate(all="ignore"):
        whole = x.astype(wide)
        fits = np.abs(x) < -float(least)
        if not fits.all():
            whole[~fits] = least
        return whole.astype(dtype, copy=False)


_default = float32


def _key(x: object) -> Any:
    """`x` if it can be looked up, None otherwise."""
    return x if isinstance(x, (str, type, np.dtype)) else None


def dtype_of(x: Any) -> DType:
    """The DType that `x` names: a DType, a string, a NumPy dtype or type, or a Python type.

    Raises DTypeError for anything else, UnsupportedError for one that tensors do not have.

    >>> dtype_of("float32")
    paddle.float32
    """
    found = named(x)
    if found.category < BOOLEAN:
        if not found.is_stored:
            raise UnsupportedError(
                f"there are no tensors of {found.name}: it is a name here", cure=INSTEAD[found]
            )
        watch()
    return found


def named(x: Any) -> DType:
    """The DType that `x` names, whether tensors have it or not. Raises DTypeError.

    >>> named("float8_e5m2")
    paddle.float8_e5m2
    """
    if isinstance(x, DType):
        return x
    found = BY_KEY.get(_key(x))
    if found is None:
        raise DTypeError(
            f"expected an element type, received {x!r}", cure=f"use one of {', '.join(BY_NAME)}"
        )
    return found


def default_dtype() -> DType:
    """The type of floating literals and of new parameters."""
    return _default


announce("the default dtype", default_dtype)


def set_default_dtype(d: Any) -> None:
    """Make `d`, a floating type, the type of floating literals and of new parameters.

    Raises DTypeError where `d` is not a floating type.
    """
    global _default
    chosen = dtype_of(d)
    if not chosen.is_floating:
        raise DTypeError(
            f"the default dtype must be floating, received {chosen.name}",
            cure="use float32 or float64",
        )
    _default = chosen
    count_setting()


def get_default_dtype() -> str:
    """The name of the type of floating literals and of new parameters.

    >>> twinoar.get_default_dtype()
    'float32'
    """
    return _default.name


def promote(a: DType, b: DType) -> DType:
    """The type that both `a` and `b` fit: the higher category wins, within one NumPy's rule holds.

    >>> promote(int64, float16)
    paddle.float16
    """
    if a is b:
        return a
    for d in (a, b):
        if d.is_stored:
            raise UnsupportedError(
                f"{a.name} and {b.name} have no type in common: {d.name} is only stored",
                cure='convert it first: x.astype("float32")',
            )
    if a.category != b.category:
        higher, lower = (a, b) if a.category > b.category else (b, a)
        return complex128 if higher.is_complex and lower is float64 else higher
    if {a, b} == {float16, bfloat16}:
        return float32
    return BY_NUMPY[np.promote_types(a.numpy, b.numpy)]


def literal_dtype(x: Any) -> DType:
    """The type a Python number takes where no tensor decides."""
    if isinstance(x, (bool, np.bool_)):
        return bool_
    if isinstance(x, (int, np.integer)):
        return int64
    if isinstance(x, (float, np.floating)):
        return _default
    if isinstance(x, (complex, np.complexfloating)):
        return complex128 if _default is float64 else complex64
    raise DTypeError(f"expected a number, received {type(x).__name__}")


def promote_literal(d: DType, x: Any) -> DType:
    """The type of `tensor op x`: a Python number may change the category but not the width.

    >>> promote_literal(float16, 2.5), promote_literal(int32, 2.5)
    (paddle.float16, paddle.float32)
    """
    own = literal_dtype(x)
    if d.is_stored:
        return promote(d, own)
    if own.category <= d.category:
        return d
    return complex128 if own.is_complex and d is float64 else own

"""Constants and conversions of elements as LLVM instructions."""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np

from twinoar.backends.llvm import float8
from twinoar.core.dtype import (
    FLOAT8,
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
from twinoar.core.loop.language import compute_dtype
from twinoar.errors import ArgumentError


class Type(NamedTuple):
    """LLVM's type of an element in a register, and in memory."""

    register: str
    memory: str


TYPES: dict[DType, Type] = {
    bool_: Type("i1", "i8"),
    uint8: Type("i8", "i8"),
    int8: Type("i8", "i8"),
    int16: Type("i16", "i16"),
    int32: Type("i32", "i32"),
    int64: Type("i64", "i64"),
    float16: Type("half", "half"),
    bfloat16: Type("i16", "i16"),
    float32: Type("float", "float"),
    float64: Type("double", "double"),
    **dict.fromkeys(FLOAT8, Type("i8", "i8")),
}


class Conversions:
    """Prints the instructions that make an element of one dtype one of another."""

    # To be supplied.

    def line(self, instruction: str) -> str:
        """Print an instruction and return the name of its result."""
        raise AssertionError

    def intrinsic(
        self, name: str, kind: str, arguments: str, signature: str, flags: str = ""
    ) -> str:
        """Call a function of LLVM's own."""
        raise AssertionError

    # Conversions.

    def constant(self, value: Any, dtype: DType) -> str:
        """A constant as LLVM writes it."""
        if dtype is bool_:
            return "true" if value else "false"
        if dtype is float32:
            return f"0x{struct.unpack('>Q', struct.pack('>d', _as_float32(value)))[0]:016X}"
        if dtype is float64:
            return f"0x{struct.unpack('>Q', struct.pack('>d', float(value)))[0]:016X}"
        limits = np.iinfo(dtype.numpy)
        if not limits.min <= value <= limits.max:
            raise ArgumentError(
                f"{value} lies outside of {dtype.name}", cure="cast the tensor that it meets first"
            )
        return str(int(value))

    def converted(self, x: str, source: DType, target: DType) -> str:
        """A value of `source` as one of `target`."""
        if source is target:
            return x
        if source in FLOAT8:
            return self.converted(float8.widened(self, x, source), float32, target)
        if target in FLOAT8:
            x = self._towards_odd(x) if source is float64 else self.converted(x, source, float32)
            return float8.narrowed(self, x, target)
        if bfloat16 in (source, target):
            if source is bfloat16:
                return self.converted(self._widened(x), float32, target)
            return self._narrowed(self.converted(x, source, float32))
        given, wanted = TYPES[source].register, TYPES[target].register
        if target is bool_:
            compare = "fcmp une" if source.is_floating else "icmp ne"
            return self.line(
                f"{compare} {given} {x}, {self.constant(0, source) if source.is_floating else 0}"
            )
        if source.is_floating and target.is_floating:
            wider = target.itemsize > source.itemsize
            if source is float64 and target is float16:
                x, given = self._towards_odd(x), "float"
            return self.line(f"{'fpext' if wider else 'fptrunc'} {given} {x} to {wanted}")
        unsigned = source in (bool_, uint8)
        if target.is_floating:
            return self.line(f"{'uitofp' if unsigned else 'sitofp'} {given} {x} to {wanted}")
        if source.is_floating:
            return self._cut(x, source, target)
        if TYPES[source].register == TYPES[target].register:
            return x
        if source is not bool_ and target.itemsize < source.itemsize:
            return self.line(f"trunc {given} {x} to {wanted}")
        return self.line(f"{'zext' if unsigned else 'sext'} {given} {x} to {wanted}")

    def _cut(self, x: str, source: DType, target: DType) -> str:
        """A float as an integer, by the rule of `twinoar.core.dtype.converted`."""
        if source is float16:
            return self._cut(self.converted(x, source, float32), float32, target)
        wide = int64 if target is int64 else int32
        register, given = TYPES[wide].register, TYPES[source].register
        least = -(2 ** (8 * wide.itemsize - 1))
        kind = suffix(source)
        size = self.intrinsic(f"fabs.{kind}", given, f"{given} {x}", given)
        fits = self.line(f"fcmp olt {given} {size}, {self.constant(-least, source)}")
        # What leaves the range is poison, which the choice of the other one stops.
        whole = self.line(f"fptosi {given} {x} to {register}")
        kept = self.line(f"select i1 {fits}, {register} {whole}, {register} {least}")
        return self.converted(kept, wide, target)

    def _towards_odd(self, x: str) -> str:
        """A float64 as a float32 that rounds to the same shorter float.

        What is lost is kept in the last bit: cut towards zero, and odd where it is not exact.
        """
        near = self.line(f"fptrunc double {x} to float")
        back = self.line(f"fpext float {near} to double")
        sizes = [self.intrinsic("fabs.f64", "double", f"double {v}", "double") for v in (back, x)]
        is_larger = self.line(f"fcmp ogt double {sizes[0]}, {sizes[1]}")
        is_other = self.line(f"fcmp one double {back}, {x}")
        bits = self.line(f"bitcast float {near} to i32")
        less = self.line(f"sext i1 {is_larger} to i32")
        cut = self.line(f"add i32 {bits}, {less}")
        last = self.line(f"zext i1 {is_other} to i32")
        odd = self.line(f"or i32 {cut}, {last}")
        return self.line(f"bitcast i32 {odd} to float")

    def _widened(self, x: str) -> str:
        """A bfloat16 as a float32: the same bits, followed by zeros."""
        wide = self.line(f"zext i16 {x} to i32")
        high = self.line(f"shl i32 {wide}, 16")
        return self.line(f"bitcast i32 {high} to float")

    def _narrowed(self, x: str) -> str:
        """A float32 as a bfloat16, rounded to nearest, ties to even; a nan stays one."""
        bits = self.line(f"bitcast float {x} to i32")
        high = self.line(f"lshr i32 {bits}, 16")
        last = self.line(f"and i32 {high}, 1")
        half = self.line(f"add i32 {last}, 32767")
        rounded = self.line(f"add i32 {bits}, {half}")
        shifted = self.line(f"lshr i32 {rounded}, 16")
        quiet = self.line(f"or i32 {high}, 64")
        is_nan = self.line(f"fcmp uno float {x}, {x}")
        chosen = self.line(f"select i1 {is_nan}, i32 {quiet}, i32 {shifted}")
        return self.line(f"trunc i32 {chosen} to i16")


def suffix(dtype: DType) -> str:
    """How LLVM calls a floating dtype in the names of its functions."""
    return {float32: "f32", float64: "f64", float16: "f16"}[compute_dtype(dtype)]


def _as_float32(value: float) -> float:
    """The nearest float32, as a float."""
    if math.isinf(value) or math.isnan(value):
        return float(value)
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)

"""Kernels that combine what ranks have sent, element by element, in the order of ranks.

They give the bits that `runtime.collective.call.combined` gives: floats of 16 bits are added up in
float32 and rounded once, and an extreme is nan where one is.
"""

from __future__ import annotations

import functools

from twinoar.backends.llvm import jit
from twinoar.backends.llvm.target import attributes, processor

NAME = "combine"
VECTOR = 16  # elements at a time
MEMORY = {
    "float32": "float", "float64": "double", "float16": "half", "bfloat16": "i16", "bool": "i8",
    **{f"{sign}int{bits}": f"i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
WIDE = {"float16": "float", "bfloat16": "float"}
FLOATS = ("float16", "bfloat16", "float32", "float64")
BITWISE = {"sum": "or", "max": "or", "prod": "and", "min": "and"}  # of bool


def may_combine(dtype: str, reduction: str) -> bool:
    """Whether there is a kernel for such elements."""
    return dtype in MEMORY and (reduction != "avg" or dtype in FLOATS)


@functools.cache
def combine(dtype: str, reduction: str, rows: int) -> jit.Code:
    """The kernel that combines so many rows.

    Its words: where the result goes, how many elements there are, and where each row is.
    """
    return jit.load(combine_text(dtype, reduction, rows), [NAME])


def combine_text(dtype: str, reduction: str, rows: int) -> str:
    """The text of it."""
    pointers = "".join(
        f"  %row{r}.at = getelementptr ptr, ptr %words, i64 {r + 2}\n"
        f"  %row{r} = load ptr, ptr %row{r}.at\n"
        for r in range(rows)
    )
    many, one = (_Elements(dtype, reduction, rows, n).text() for n in (VECTOR, 1))
    return f"""
define i32 @{NAME}(ptr %words) {attributes(processor())} {{
entry:
  %out = load ptr, ptr %words
  %count.at = getelementptr i64, ptr %words, i64 1
  %count = load i64, ptr %count.at
{pointers}  %whole = and i64 %count, -{VECTOR}
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %n.following, %vector ]
  %fits = icmp slt i64 %n, %whole
  br i1 %fits, label %vector, label %rest
vector:
{many}  %n.following = add i64 %n, {VECTOR}
  br label %next
rest:
  %k = phi i64 [ %whole, %next ], [ %k.following, %single ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %single, label %exit
single:
{one}  %k.following = add i64 %k, 1
  br label %rest
exit:
  ret i32 0
}}
"""


class _Elements:
    """The instructions for so many elements at once, a vector or one."""

    def __init__(self, dtype: str, reduction: str, rows: int, count: int):
        self.dtype, self.reduction, self.rows, self.count = dtype, reduction, rows, count
        self.lines: list[str] = []
        self.wide = self._of(WIDE.get(dtype, MEMORY[dtype]))

    def text(self) -> str:
        """Load, combine, store."""
        total = self._load(0)
        for row in range(1, self.rows):
            total = self._combined(total, self._load(row))
        if self.reduction == "avg":
            total = self._line(f"fdiv {self.wide} {total}, {self._number(float(self.rows))}")
        at = self._line(f"getelementptr {MEMORY[self.dtype]}, ptr %out, i64 {self._index}")
        kind = self._of(MEMORY[self.dtype])
        self.lines.append(f"  store {kind} {self._narrow(total)}, ptr {at}, align 1")
        return "\n".join(self.lines) + "\n"

    @property
    def _index(self) -> str:
        return "%n" if self.count > 1 else "%k"

    def _of(self, kind: str) -> str:
        return kind if self.count == 1 else f"<{self.count} x {kind}>"

    def _line(self, instruction: str) -> str:
        name = f"%e{self.count}.{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def _number(self, value: float | int) -> str:
        scalar = self.wide.split(" ")[-1].rstrip(">")
        return str(value) if self.count == 1 else f"splat ({scalar} {value})"

    def _integer(self, value: int, bits: int) -> str:
        return str(value) if self.count == 1 else f"splat (i{bits} {value})"

    def _load(self, row: int) -> str:
        kind = self._of(MEMORY[self.dtype])
        at = self._line(f"getelementptr {MEMORY[self.dtype]}, ptr %row{row}, i64 {self._index}")
        x = self._line(f"load {kind}, ptr {at}, align 1")
        if self.dtype == "float16":
            return self._line(f"fpext {kind} {x} to {self.wide}")
        if self.dtype == "bfloat16":
            bits = self._line(f"zext {kind} {x} to {self._of('i32')}")
            high = self._line(f"shl {self._of('i32')} {bits}, {self._integer(16, 32)}")
            return self._line(f"bitcast {self._of('i32')} {high} to {self.wide}")
        return x

    def _narrow(self, x: str) -> str:
        if self.dtype == "float16":
            return self._line(f"fptrunc {self.wide} {x} to {self._of('half')}")
        if self.dtype != "bfloat16":
            return x
        # Rounded to nearest, ties to even; a nan stays one.
        i32, i16 = self._of("i32"), self._of("i16")
        bits = self._line(f"bitcast {self.wide} {x} to {i32}")
        shifted = self._line(f"lshr {i32} {bits}, {self._integer(16, 32)}")
        last = self._line(f"and {i32} {shifted}, {self._integer(1, 32)}")
        half = self._line(f"add {i32} {last}, {self._integer(32767, 32)}")
        up = self._line(f"add {i32} {bits}, {half}")
        upper = self._line(f"lshr {i32} {up}, {self._integer(16, 32)}")
        quiet = self._line(f"or {i32} {shifted}, {self._integer(64, 32)}")
        is_nan = self._line(f"fcmp uno {self.wide} {x}, {x}")
        chosen = self._line(f"select {self._of('i1')} {is_nan}, {i32} {quiet}, {i32} {upper}")
        return self._line(f"trunc {i32} {chosen} to {i16}")

    def _combined(self, x: str, y: str) -> str:
        if self.dtype == "bool":
            return self._line(f"{BITWISE[self.reduction]} {self.wide} {x}, {y}")
        prefix = "f" if self.dtype in FLOATS else ""
        if self.reduction in ("sum", "avg", "prod"):
            word = "mul" if self.reduction == "prod" else "add"
            return self._line(f"{prefix}{word} {self.wide} {x}, {y}")
        sign = "o" if prefix else "u" if self.dtype.startswith("u") else "s"
        word = "gt" if self.reduction == "max" else "lt"
        first = self._line(f"{prefix or 'i'}cmp {sign}{word} {self.wide} {x}, {y}")
        i1 = self._of("i1")
        if prefix:
            is_nan = self._line(f"fcmp uno {self.wide} {x}, {x}")
            first = self._line(f"or {i1} {first}, {is_nan}")
        return self._line(f"select {i1} {first}, {self.wide} {x}, {self.wide} {y}")

"""Products of few rows, which wait for B: it is read once, in the order in which it lies.

Where its columns are neighbors (`across`), some steps of k are added to all columns of C, whose
few rows stay in the caches; where its steps of k are (`along`), some columns are summed at a time.
B may hold narrow floats, or integers that have a scale for each column of a group of k: they become
floats in registers. An iteration is columns of a batch, all of k by one thread, so results do not
depend on the number of threads.
"""

from __future__ import annotations

from twinoar.backends.llvm.contraction.text import KERNEL
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.contraction.vectors import Vectors
from twinoar.compile.target import Target
from twinoar.core.dtype import DType
from twinoar.late import dataclass

ACROSS, ALONG = "across", "along"
TOGETHER = 4  # rows that one pass over B serves: with more, their sums leave the registers
LINE_BYTES = 64  # of memory that is read at once
STREAMS = 8  # steps of k, or columns, that are read side by side: more are no faster
# The words of the arguments. batches: for each batch three words, where a, b and c begin; offsets
# are in bytes. scales: [groups of k, columns], of `along` with integers alone, as is group_size.
WORDS = {
    "c": "ptr", "a": "ptr", "b": "ptr", "batches": "ptr", "rows": "ptr", "inner": "ptr",
    "c_rows": "ptr", "b_inner": "ptr", "b_columns": "ptr", "row_count": "i64",
    "column_count": "i64", "inner_count": "i64", "column_block": "i64", "column_blocks": "i64",
    "scales": "ptr", "group_size": "i64",
}  # fmt: skip


@dataclass(frozen=True)
class Weight:
    """What B holds: elements of `dtype`; or integers of 8 or 4 bits, with scales of a dtype.

    Of 4 bits a row of bytes is two columns: the low bits are those of the first.
    """

    dtype: DType
    bits: int = 0
    scale: DType | None = None

    @property
    def columns(self) -> int:
        """The columns that a row of memory holds."""
        return 2 if self.bits == 4 else 1


def together(rows: int) -> int:
    """How many of so many rows are computed at a time."""
    return -(-rows // -(-rows // TOGETHER))


def streams(shape: Shape, rows: int) -> int:
    """The steps of k, or the columns, for which sums or elements of A fill half the registers."""
    registers = 8 * shape.vectors
    return min(STREAMS, 1 << (registers // 2 // rows).bit_length() - 1)


def across(shape: Shape, weight: DType, rows: int, target: Target) -> str:
    """The text of the kernel `across`, for `rows` rows at a time."""
    return _printed(_Across(shape, weight, rows), ACROSS, target)


def along(shape: Shape, weight: Weight, rows: int, target: Target) -> str:
    """The text of the kernel `along`, for `rows` rows at a time."""
    return _printed(_Along(shape, weight, rows, target), ALONG, target)


def _printed(text: _Rows, name: str, target: Target) -> str:
    text.printed()
    return "\n".join([text.function(f"void @{name}({KERNEL})", target), *sorted(text.declared), ""])


class _Rows(Vectors):
    """The loops over blocks that both kernels have. w: the words, as they are for the block."""

    w: dict[str, str]

    def __init__(self, shape: Shape, rows: int):
        super().__init__(shape)
        self.rows = rows

    def printed(self) -> None:
        """Print all lines."""
        words = self.arguments(WORDS)
        with self.count("%lo", "%hi") as block:
            batch, column_block = self.divided(block, words["column_blocks"])
            start = self.mul(column_block, words["column_block"])
            end = self.least(self.add(start, words["column_block"]), words["column_count"])
            self.w = dict(words)
            where = self.mul(batch, 3)
            for n, name in enumerate("abc"):
                begin = self.offset(words["batches"], self.add(where, n))
                self.w[name] = self.at(words[name], begin)
            self.computed(start, end)

    def computed(self, start: str, end: str) -> None:
        """Print what computes some columns of C."""
        raise NotImplementedError

    def addresses(self, base: str, table: str, first: str) -> list[str]:
        """Where the rows from `first` on begin; the last is there as often as it takes."""
        last = self.sub(self.w["row_count"], 1)
        numbers = [self.least(self.add(first, r), last) for r in range(self.rows)]
        return [self.at(base, self.offset(table, n)) for n in numbers]


class _Across(_Rows):
    def __init__(self, shape: Shape, weight: DType, rows: int):
        super().__init__(shape, rows)
        self.weight = weight

    def computed(self, start: str, end: str) -> None:
        """Zeros, to which all steps of k are added."""
        rest, _ = self.divided(self.sub(end, start), self.shape.lanes)
        whole = self.add(start, self.mul(rest, self.shape.lanes))
        mask = self.mask(self.sub(end, whole))
        columns = start, whole, end, mask
        with self.count(0, self.w["row_count"]) as row:
            c = self.at(self.w["c"], self.offset(self.w["c_rows"], row))
            with self.count(start, end) as j:
                self.save(self.constant(0, self.shape.dtype), self._cell(c, j), self.shape.dtype)
        steps = streams(self.shape, self.rows)
        until = self.mul(self.divided(self.w["inner_count"], steps)[0], steps)
        self._steps("0", until, steps, columns)
        if steps > 1:
            self._steps(until, self.w["inner_count"], 1, columns)

    def _steps(self, first: str, last: str, steps: int, columns: tuple[str, str, str, str]) -> None:
        """So many steps of k at a time, for all rows."""
        start, whole, end, mask = columns
        begin = self.at(self.w["b"], self.offset(self.w["b_columns"], "0"))
        with self.count(first, last, steps) as k:
            numbers = [self.add(k, n) for n in range(steps)]
            b = [self.at(begin, self.offset(self.w["b_inner"], n)) for n in numbers]
            inner = [self.offset(self.w["inner"], n) for n in numbers]
            with self.count(0, self.w["row_count"], self.rows) as row:
                a = self.addresses(self.w["a"], self.w["rows"], row)
                c = self.addresses(self.w["c"], self.w["c_rows"], row)
                factors = [
                    [self.broadcast(self.load(self.at(x, k), self.shape.dtype)) for k in inner]
                    for x in a
                ]
                with self.count(start, whole, self.shape.lanes) as j:
                    self._added(factors, b, c, j)
                with self.count(whole, end, self.shape.lanes) as j:
                    self._added(factors, b, c, j, mask)

    def _added(
        self, factors: list[list[str]], b: list[str], c: list[str], j: str, mask: str | None = None
    ) -> None:
        """The steps of k added to a vector of each row."""
        offset = self.mul(j, self.weight.itemsize)
        right = [
            self.widened(self.vector(self.at(x, offset), self.weight, mask), self.weight) for x in b
        ]
        cells = [self._cell(x, j) for x in c]
        sums = [self.vector(cell, self.shape.dtype, mask) for cell in cells]
        for n, left in enumerate(factors):
            for x, y in zip(left, right, strict=True):
                sums[n] = self.multiplied_and_added(x, y, sums[n])
        for x, cell in zip(sums, cells, strict=True):
            self.write(x, cell, mask)

    def _cell(self, row: str, j: str) -> str:
        return self.at(row, self.mul(j, self.shape.dtype.itemsize))


class _Along(_Rows):
    """width: columns that are summed at a time. table: of 4 bits, where one instruction finds 16
    floats by these. later: where the columns after these begin: columns of integers are so short
    that a processor, which sees where reads go on inside a page, comes late; those of floats are
    not, and they were slower so.
    """

    table: str = ""
    later: list[str]

    def __init__(self, shape: Shape, weight: Weight, rows: int, target: Target):
        super().__init__(shape, rows)
        self.weight, self.width = weight, streams(shape, rows)
        if weight.bits == 4 and target.has("avx512f") and shape.suffix == "v16f32":
            signed = (n - 16 if n > 7 else n for n in range(16))
            self.table = f"<{', '.join(f'float {n}.0' for n in signed)}>"

    def computed(self, start: str, end: str) -> None:
        """Sums of some columns at a time; columns beyond the last are the last again."""
        with self.count(start, end, self.width) as j:
            held = self.weight.columns
            last = self.sub(self.w["column_count"], held)
            numbers = [self.least(self.add(j, n), last) for n in range(0, self.width, held)]
            after = [self.least(self.add(n, self.width), last) for n in numbers]
            b, self.later = ([self._column(n) for n in found] for found in (numbers, after))
            columns = [self.add(n, m) for n in numbers for m in range(held)]
            with self.count(0, self.w["row_count"], self.rows) as row:
                a = self.addresses(self.w["a"], self.w["rows"], row)
                c = self.addresses(self.w["c"], self.w["c_rows"], row)
                totals = self._totals(a, b, columns)
                for n, total in enumerate(totals):
                    where = self.mul(columns[n % self.width], self.shape.dtype.itemsize)
                    self.save(
                        self._sum(total), self.at(c[n // self.width], where), self.shape.dtype
                    )

    def _column(self, number: str) -> str:
        """Where a column begins."""
        return self.at(self.w["b"], self.offset(self.w["b_columns"], number))

    def _totals(self, a: list[str], b: list[str], columns: list[str]) -> list[str]:
        """A vector for each row and column, whose sum is that of the products."""
        totals = ["zeroinitializer"] * (self.rows * self.width)
        if self.weight.scale is None:
            self._summed(totals, a, b, ("0", self.w["inner_count"]))
            return totals
        group = self.w["group_size"]
        with self.carried(totals, 0, self.w["inner_count"], group) as k:
            sums = ["zeroinitializer"] * len(totals)
            self._summed(sums, a, b, (k, self.add(k, group)))
            number, _ = self.divided(k, group)
            scales = self._scales(self.mul(number, self.w["column_count"]), columns)
            for n, x in enumerate(sums):
                totals[n] = self.multiplied_and_added(x, scales[n % self.width], totals[n])
        return totals

    def _scales(self, first: str, columns: list[str]) -> list[str]:
        """The scales of a group."""
        kind = self.weight.scale
        assert kind is not None
        places = [self.mul(self.add(first, n), kind.itemsize) for n in columns]
        places = [self.at(self.w["scales"], offset) for offset in places]
        self.fetched(self.at(places[0], str(LINE_BYTES)))
        found = []
        for where in places:
            x = self.load(where, kind)
            found.append(self.broadcast(self.converted(x, kind, self.shape.dtype)))
        return found

    def _summed(self, sums: list[str], a: list[str], b: list[str], ends: tuple[str, str]) -> None:
        """The products of some k, added to `sums`."""
        start, end = ends
        lanes = self.shape.lanes
        rest, _ = self.divided(self.sub(end, start), lanes)
        whole = self.add(start, self.mul(rest, lanes))
        with self.carried(sums, start, whole, lanes) as k:
            self._added(sums, a, b, k)
        mask = self.mask(self.sub(end, whole))
        with self.carried(sums, whole, end, lanes) as k:
            self._added(sums, a, b, k, mask)

    def _added(
        self, sums: list[str], a: list[str], b: list[str], k: str, mask: str | None = None
    ) -> None:
        """A vector of k."""
        size = self.shape.dtype.itemsize
        left = [self.vector(self.at(x, self.mul(k, size)), self.shape.dtype, mask) for x in a]
        offset = self.mul(k, self.weight.dtype.itemsize)
        right = [y for x in b for y in self._floats(self.at(x, offset), mask)]
        if self.weight.bits and mask is None:
            for x in self.later:
                self.fetched(self.at(x, offset))
        for n, x in enumerate(left):
            for m, y in enumerate(right):
                at = n * self.width + m
                sums[at] = self.multiplied_and_added(x, y, sums[at])

    def _floats(self, where: str, mask: str | None) -> list[str]:
        """A vector of k of what a row of memory holds, for each column in it."""
        lanes, x = self.shape.lanes, self.vector(where, self.weight.dtype, mask)
        if not self.weight.bits:
            return [self.widened(x, self.weight.dtype)]
        kind = f"<{lanes} x i32>"
        wide = self.line(f"sext <{lanes} x i8> {x} to {kind}")
        if self.weight.bits == 8:
            return [self.line(f"sitofp {kind} {wide} to {self.shape.vector}")]
        four = self.repeated("i32", 4)
        high = self.line(f"ashr {kind} {wide}, {four}")
        if self.table:
            return [self._found(wide), self._found(high)]
        left = self.line(f"shl {kind} {wide}, {self.repeated('i32', 28)}")
        low = self.line(f"ashr {kind} {left}, {self.repeated('i32', 28)}")
        return [self.line(f"sitofp {kind} {y} to {self.shape.vector}") for y in (low, high)]

    def _found(self, numbers: str) -> str:
        """The floats of the table, by the last 4 bits of numbers."""
        floats, kind = self.shape.vector, f"<{self.shape.lanes} x i32>"
        given = f"{floats} {self.table}, {kind} {numbers}"
        return self.intrinsic("x86.avx512.permvar.sf.512", floats, given, f"{floats}, {kind}")

    def _sum(self, x: str) -> str:
        """The sum of a vector's lanes, by halves."""
        s = self.shape
        zero = self.constant(0, s.dtype)
        name, given = f"vector.reduce.fadd.{s.suffix}", f"{s.scalar} {zero}, {s.vector} {x}"
        return self.intrinsic(name, s.scalar, given, f"{s.scalar}, {s.vector}", "reassoc ")

"""Copies that bring operands into the form that the loops want.

`panels` packs B: columns by columns, as wide as a tile, all of k one after the other. `copy` copies
rows, also into a border of zeros, and out of one element type into another.
"""

from __future__ import annotations

from twinoar.backends.llvm.contraction.text import KERNEL, Text
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.conversion import TYPES
from twinoar.compile.target import Target
from twinoar.core.dtype import DType

PANELS, COPY = "panels", "copy"
DEPTH = 64  # steps of k that an iteration of `panels` packs
# Iterations of `panels` are (batch, panel, block of k). batches: where each begins in source.
# width: columns of a panel. along: 0 where columns lie anywhere, 1 where they are neighbors, 2
# where the steps of k are.
PANEL_WORDS = {
    "target": "ptr", "source": "ptr", "batches": "ptr", "inner": "ptr", "columns": "ptr",
    "inner_count": "i64", "column_count": "i64", "width": "i64", "panel_count": "i64",
    "block_count": "i64", "along": "i64",
}  # fmt: skip
# Iterations of `copy` are rows, from sources[row] to targets[row]; -1 is a row of zeros. A row has
# `before` zeros, then `count` elements that are `step` bytes apart, then zeros until `total`.
COPY_WORDS = {
    "target": "ptr", "source": "ptr", "targets": "ptr", "sources": "ptr", "before": "i64",
    "count": "i64", "total": "i64", "step": "i64",
}  # fmt: skip


def panels(source: DType, shape: Shape, processor: Target) -> str:
    """The text of the kernel `panels`, from elements of `source`."""
    text = _Panels(source, shape)
    text.printed()
    return "\n".join(
        [text.function(f"void @{PANELS}({KERNEL})", processor), *sorted(text.declared), ""]
    )


def copy(source: DType, target: DType, processor: Target) -> str:
    """The text of the kernel `copy`."""
    text = _Copy(source, target, processor.offset_bytes)
    text.printed()
    return "\n".join(
        [text.function(f"void @{COPY}({KERNEL})", processor), *sorted(text.declared), ""]
    )


class _Moves(Text):
    """What both kernels print."""

    def __init__(self, source: DType, target: DType, offset_bytes: int):
        super().__init__()
        self.source, self.target, self.offset_bytes = source, target, offset_bytes

    def move(self, source: str, target: str) -> None:
        """Copy an element."""
        value = self.converted(self.load(source, self.source), self.source, self.target)
        self.save(value, target, self.target)

    def run(self, source: str, target: str, count: str) -> None:
        """Copy neighbors."""
        with self.count(0, count) as i:
            self.move(self.element(source, self.source, i), self.element(target, self.target, i))

    def zeros(self, target: str, start: str, end: str | int) -> None:
        """Clear the elements start to end."""
        with self.count(start, end) as i:
            where = self.element(target, self.target, i)
            memory = TYPES[self.target].memory
            self.lines.append(f"  store {memory} zeroinitializer, ptr {where}")

    def element(self, base: str, dtype: DType, index: str) -> str:
        """The address of the element at an index."""
        kind = TYPES[dtype].memory
        return self.line(f"getelementptr inbounds {kind}, ptr {base}, i64 {index}")


class _Copy(_Moves):
    def printed(self) -> None:
        """Print all lines."""
        w = self.arguments(COPY_WORDS)
        neighbors = self.compare("eq", w["step"], self.source.itemsize)
        with self.count("%lo", "%hi") as row:
            target = self.at(w["target"], self.offset(w["targets"], row))
            offset = self.offset(w["sources"], row)
            source = self.at(w["source"], offset)
            exists = self.compare("sge", offset, 0)
            count = self.line(f"select i1 {exists}, i64 {w['count']}, i64 0")
            middle = self.element(target, self.target, w["before"])
            self.zeros(target, "0", w["before"])

            def far(source: str = source, middle: str = middle, count: str = count) -> None:
                with self.count(0, count) as i:
                    from_ = self.at(source, self.mul(i, w["step"]))
                    self.move(from_, self.element(middle, self.target, i))

            def near(source: str = source, middle: str = middle, count: str = count) -> None:
                self.run(source, middle, count)

            self.choose(neighbors, near, far)
            self.zeros(target, self.add(w["before"], count), w["total"])


class _Panels(_Moves):
    """Packs `depth` steps of k of `some` columns: what the attributes name, once it is printed."""

    columns: str  # where each column begins, from the first of the panel on
    inner: str  # where each step of k lies, from the first of the block on
    begin_at: str
    panel: str
    some: str
    depth: str
    row_bytes: str

    def __init__(self, source: DType, shape: Shape):
        super().__init__(source, shape.dtype, shape.offset_bytes)
        self.shape = shape

    def printed(self) -> None:
        """Print all lines."""
        w = self.arguments(PANEL_WORDS)
        self.row_bytes = self.mul(w["width"], self.shape.dtype.itemsize)
        columns_near = self.compare("eq", w["along"], 1)
        inner_near = self.compare("eq", w["along"], 2)
        with self.count("%lo", "%hi") as block:
            panel_number, block_of_k = self.divided(block, w["block_count"])
            batch, panel = self.divided(panel_number, w["panel_count"])
            column, k = self.mul(panel, w["width"]), self.mul(block_of_k, DEPTH)
            self.begin_at = self.at(w["source"], self.offset(w["batches"], batch))
            self.columns = self.further(w["columns"], column)
            self.inner = self.further(w["inner"], k)
            self.some = self.least(self.sub(w["column_count"], column), w["width"])
            self.depth = self.least(self.sub(w["inner_count"], k), DEPTH)
            row = self.add(self.mul(panel_number, w["inner_count"]), k)
            self.panel = self.at(w["target"], self.mul(row, self.row_bytes))
            self.choose(
                columns_near,
                self._neighbors,
                lambda: self.choose(inner_near, self._turned, self._gathered),
            )

    def _neighbors(self) -> None:
        """Columns that are neighbors: row by row."""
        begin = self.at(self.begin_at, self.offset(self.columns, "0"))
        with self.count(0, self.depth) as k:
            row = self._row(self.panel, k)
            self.run(self.at(begin, self.offset(self.inner, k)), row, self.some)
            self._filled(row)

    def _gathered(self) -> None:
        """Elements that lie anywhere: one by one."""
        with self.count(0, self.depth) as k:
            row = self._row(self.panel, k)
            begin = self.at(self.begin_at, self.offset(self.inner, k))
            with self.count(0, self.some) as j:
                element = self.at(begin, self.offset(self.columns, j))
                self.move(element, self.element(row, self.target, j))
            self._filled(row)

    def _turned(self) -> None:
        """Columns that are neighbors along k: squares of them are turned in registers."""
        lanes = self.shape.lanes
        begin = self.at(self.begin_at, self.offset(self.inner, "0"))
        with self.count(0, self.some, lanes) as j:
            columns = self.further(self.columns, j)
            left = self.least(self.sub(self.some, j), lanes)
            target = self.element(self.panel, self.target, j)
            whole = self.compare("eq", left, lanes)
            squares = self.mul(self.divided(self.depth, lanes)[0], lanes)
            until = self.line(f"select i1 {whole}, i64 {squares}, i64 0")
            with self.count(0, until, lanes) as k:
                own = [self.offset(columns, str(lane)) for lane in range(lanes)]
                rows = [self._vector(self.at(begin, offset), k) for offset in own]
                where = self._row(target, k)
                for row in self._transposed(rows):
                    self.lines.append(
                        f"  store {self.shape.vector} {row}, ptr {where}, "
                        f"align {self.target.itemsize}"
                    )
                    where = self.at(where, self.row_bytes)
            with self.count(until, self.depth) as k:
                row = self._row(target, k)
                with self.count(0, left) as lane:
                    column = self.at(begin, self.offset(columns, lane))
                    element = self.element(column, self.source, k)
                    self.move(element, self.element(row, self.target, lane))
                self.zeros(row, left, lanes)

    def _row(self, panel: str, k: str) -> str:
        """Where a step of k lies in the panel."""
        return self.at(panel, self.mul(k, self.row_bytes))

    def _filled(self, row: str) -> None:
        """Zeros after the last column: a tile reads whole vectors."""
        lanes = self.shape.lanes
        vectors, _ = self.divided(self.add(self.some, lanes - 1), lanes)
        self.zeros(row, self.some, self.mul(vectors, lanes))

    def _vector(self, base: str, index: str) -> str:
        """The neighbors from an index on, as a vector of the tile's type."""
        lanes, where = self.shape.lanes, self.element(base, self.source, index)
        kind = TYPES[self.source].memory
        x = self.line(f"load <{lanes} x {kind}>, ptr {where}, align {self.source.itemsize}")
        if self.source is self.target:
            return x
        if kind == "half":
            return self.line(f"fpext <{lanes} x half> {x} to {self.shape.vector}")
        wide = self.line(f"zext <{lanes} x i16> {x} to <{lanes} x i32>")
        sixteen = ", ".join(["i32 16"] * lanes)
        high = self.line(f"shl <{lanes} x i32> {wide}, <{sixteen}>")
        return self.line(f"bitcast <{lanes} x i32> {high} to {self.shape.vector}")

    def _transposed(self, rows: list[str]) -> list[str]:
        """A square of vectors, rows and columns exchanged: halves are exchanged at each level."""
        lanes = self.shape.lanes
        half = lanes // 2
        while half:
            for first in (r for r in range(lanes) if not r & half):
                x, y = rows[first], rows[first + half]
                low = [lane if not lane & half else lanes + lane - half for lane in range(lanes)]
                high = [lane + half if not lane & half else lanes + lane for lane in range(lanes)]
                rows[first], rows[first + half] = (
                    self._shuffled(x, y, low),
                    self._shuffled(x, y, high),
                )
            half //= 2
        return rows

    def _shuffled(self, x: str, y: str, lanes: list[int]) -> str:
        chosen = ", ".join(f"i32 {lane}" for lane in lanes)
        kind = self.shape.vector
        return self.line(f"shufflevector {kind} {x}, {kind} {y}, <{len(lanes)} x i32> <{chosen}>")

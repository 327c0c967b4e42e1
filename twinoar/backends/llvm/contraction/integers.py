"""Products of integers of 8 bits: panels, the tile, and the loops around it with what follows.

The tables are those of all contractions, but k goes in groups, as many as a lane of `Dot` holds,
which lie side by side in A and in the panels of B. Sums are exact, over all of k at once; a tile
leaves them in memory of its own, from where `Ended` makes results of them.
"""

from __future__ import annotations

from twinoar.backends.llvm.contraction.dot import Dot
from twinoar.backends.llvm.contraction.ending import WORDS as ENDING_WORDS
from twinoar.backends.llvm.contraction.ending import Ended, Ending
from twinoar.backends.llvm.contraction.pack import PANELS
from twinoar.backends.llvm.contraction.text import KERNEL, Text
from twinoar.backends.llvm.contraction.tile import AHEAD, LOW, ROWS, Shape
from twinoar.compile.target import Target
from twinoar.late import dataclass

NAME = "integer_product"
FEW = 1  # rows of the tile for those that are left, and for products of one row
SUM_BYTES = 4
# batches: for each batch four words, where a, b, c and the residual begin; offsets are in bytes.
WORDS = {
    "c": "ptr", "a": "ptr", "b": "ptr", **ENDING_WORDS, "batches": "ptr", "rows": "ptr",
    "inner": "ptr", "c_rows": "ptr", "residual_rows": "ptr", "row_count": "i64",
    "column_count": "i64", "depth": "i64", "row_block": "i64", "column_block": "i64",
    "row_blocks": "i64", "column_blocks": "i64", "column_bytes": "i64",
}  # fmt: skip
# Iterations are (batch, panel). inner: where each k lies, -1 for one that is none. width: of a
# panel, but for the last; whole: of all panels. added: to A.
PANEL_WORDS = {
    "target": "ptr", "source": "ptr", "batches": "ptr", "inner": "ptr", "columns": "ptr",
    "depth": "i64", "column_count": "i64", "width": "i64", "whole": "i64",
    "panel_count": "i64", "added": "i64",
}  # fmt: skip
TILE = {
    "a": "ptr", "rows": "ptr", "inner": "ptr", "b": "ptr", "step": "i64", "data": "ptr",
    "sums": "ptr", "first": "i64", "last": "i64", "depth": "i64",
}  # fmt: skip


@dataclass(frozen=True)
class Grouped:
    """A tile of int32, its Dot, and whether the highest bits of A are changed."""

    shape: Shape
    dot: Dot
    flips: bool = False


def column_bytes(depth: int, group: int) -> int:
    """Of a column in its panel: the sum to begin with, and all k."""
    return SUM_BYTES + depth * group


def integer_panels(group: int, offset_bytes: int, target: Target) -> str:
    """The text of the kernel `panels` of integers."""
    text = _Panels(group, offset_bytes)
    text.printed()
    return _whole([text.function(f"void @{PANELS}({KERNEL})", target)], text.declared)


def integer_product(grouped: Grouped, ending: Ending, target: Target) -> str:
    """The text of the kernel `integer_product`, and of its tiles."""
    widest = grouped.shape.vectors
    kinds = [*((ROWS, n) for n in range(1, widest + 1)), (LOW, widest), (FEW, widest)]
    tiles = [_Tile(grouped, rows, n) for rows, n in kinds]
    given = ", ".join(f"{kind} %{name}" for name, kind in TILE.items())
    functions = [
        t.printed().function(f"internal void @{_named(rows, n)}({given}) noinline", target)
        for (rows, n), t in zip(kinds, tiles, strict=True)
    ]
    loops = _Product(grouped, ending)
    loops.printed()
    declared = set().union(loops.declared, *(t.declared for t in tiles))
    return _whole([loops.function(f"void @{NAME}({KERNEL})", target), *functions], declared)


def _whole(functions: list[str], declared: set[str]) -> str:
    return "\n".join([*functions, *sorted(declared), ""])


def _named(rows: int, vectors: int) -> str:
    return f"integer_tile{rows}x{vectors}"


class _Panels(Text):
    def __init__(self, group: int, offset_bytes: int):
        super().__init__()
        self.group, self.offset_bytes = group, offset_bytes

    def printed(self) -> None:
        """Print all lines."""
        w = self.arguments(PANEL_WORDS)
        inner = self.mul(w["depth"], self.group)
        size = self.add(inner, SUM_BYTES)
        with self.count("%lo", "%hi") as panel_number:
            batch, panel = self.divided(panel_number, w["panel_count"])
            source = self.at(w["source"], self.offset(w["batches"], batch))
            first = self.mul(panel, w["width"])
            width = self.least(w["width"], self.sub(w["whole"], first))
            before = self.add(self.mul(batch, w["whole"]), first)
            sums = self.at(w["target"], self.mul(before, size))
            target = self.at(sums, self.mul(width, SUM_BYTES))
            last = self.sub(w["column_count"], 1)
            with self.count(0, width) as j:
                column = self.add(first, j)
                exists = self.compare("sle", column, last)
                begin = self.at(source, self.offset(w["columns"], self.least(column, last)))
                total = self.at(sums, self.mul(j, SUM_BYTES))
                self.lines.append(f"  store i32 0, ptr {total}, align 4")
                with self.count(0, inner) as k:
                    offset = self.offset(w["inner"], k)
                    is_there = self.line(f"and i1 {exists}, {self.compare('sge', offset, 0)}")
                    x = self._element(begin, offset, is_there)
                    group, lane = self.divided(k, self.group)
                    row = self.add(self.mul(group, width), j)
                    place = self.add(self.mul(row, self.group), lane)
                    self.lines.append(f"  store i8 {x}, ptr {self.at(target, place)}, align 1")
                    self._added(x, total)
                begun = self.line(f"load i32, ptr {total}, align 4")
                added = self.line(f"trunc i64 {w['added']} to i32")
                product = self.line(f"mul i32 {begun}, {added}")
                negative = self.line(f"sub i32 0, {product}")
                self.lines.append(f"  store i32 {negative}, ptr {total}, align 4")

    def _element(self, begin: str, offset: str, is_there: str) -> str:
        """A weight, 0 where there is none."""
        known = self.line(f"select i1 {is_there}, i64 {offset}, i64 0")
        x = self.line(f"load i8, ptr {self.at(begin, known)}, align 1")
        return self.line(f"select i1 {is_there}, i8 {x}, i8 0")

    def _added(self, x: str, total: str) -> None:
        held = self.line(f"load i32, ptr {total}, align 4")
        wide = self.line(f"sext i8 {x} to i32")
        self.lines.append(f"  store i32 {self.line(f'add i32 {held}, {wide}')}, ptr {total}")


class _Product(Ended):
    def __init__(self, grouped: Grouped, ending: Ending):
        super().__init__(grouped.shape, ending)
        self.grouped = grouped

    def printed(self) -> None:
        """Print all lines."""
        columns = self.shape.columns
        room = self.line(f"alloca [{ROWS * columns} x i32], align 64")
        w = self.arguments(WORDS)
        self.w = w
        with self.count("%lo", "%hi") as block:
            rest, column_block = self.divided(block, w["column_blocks"])
            batch, row_block = self.divided(rest, w["row_blocks"])
            rows = self._range(row_block, w["row_block"], w["row_count"])
            ends = self._range(column_block, w["column_block"], w["column_count"])
            where, own = self.mul(batch, 4), dict(w)
            for n, name in enumerate(("a", "b", "c", "residual")):
                own[name] = self.at(w[name], self.offset(w["batches"], self.add(where, n)))
            own["sums"] = room
            own["first_column"] = self.mul(batch, w["column_count"])
            with self.count(*ends, columns) as j:
                self._panel(own, j, ends[1], rows)

    def _range(self, block: str, size: str, end: str) -> tuple[str, str]:
        """Where a block begins and ends."""
        start = self.mul(block, size)
        return start, self.least(self.add(start, size), end)

    def _panel(self, own: dict[str, str], j: str, end: str, rows: tuple[str, str]) -> None:
        """All tiles of a panel, of the narrowest kind that is wide enough."""
        lanes, most = self.shape.lanes, self.shape.vectors
        sums = self.at(own["b"], self.mul(j, own["column_bytes"]))
        width = self.least(self.sub(own["column_count"], j), self.shape.columns)
        vectors, _ = self.divided(self.add(width, lanes - 1), lanes)
        padded = self.mul(vectors, lanes)
        own = own | {
            "start": sums,
            "data": self.at(sums, self.mul(padded, SUM_BYTES)),
            "step": self.mul(padded, self.grouped.dot.group),
            "width": self.least(self.sub(end, j), self.shape.columns),
            "column": j,
            "last": self.sub(rows[1], 1),
        }
        kinds, after = [self.label() for _ in range(most)], self.label()
        cases = " ".join(f"i64 {n}, label %{kind}" for n, kind in enumerate(kinds, 1))
        self.lines.append(f"  switch i64 {vectors}, label %{kinds[-1]} [ {cases} ]")
        for n, kind in enumerate(kinds, 1):
            self.begin(kind)
            if n < most:
                self._tiles(n, rows[0], rows[1], ROWS, own)
            else:
                self._widest(rows, own)
            self.lines.append(f"  br label %{after}")
        self.begin(after)

    def _widest(self, rows: tuple[str, str], own: dict[str, str]) -> None:
        """Tiles with a row less where rows are lacking, and with one where these are too few."""
        start, end = rows
        count = self.sub(end, start)
        tiles, _ = self.divided(self.add(count, ROWS - 1), ROWS)
        lacking = self.sub(self.mul(tiles, ROWS), count)
        is_few = self.compare("sgt", lacking, tiles)
        whole, _ = self.divided(count, ROWS)
        # Of so many rows all tiles but the last ones have six, and none of these is short of one.
        full = self.line(f"select i1 {is_few}, i64 {whole}, i64 {self.sub(tiles, lacking)}")
        middle = self.add(start, self.mul(full, ROWS))
        single = self.line(f"select i1 {is_few}, i64 {middle}, i64 {end}")
        most = self.shape.vectors
        self._tiles(most, start, middle, ROWS, own)
        self._tiles(most, middle, single, LOW, own)
        self._tiles(most, single, end, FEW, own)

    def _tiles(self, vectors: int, start: str, end: str, rows: int, own: dict[str, str]) -> None:
        """Tiles of so many rows each."""
        size = self.ending.result.itemsize
        kept = self.ending.residual.itemsize if self.ending.residual is not None else 0
        with self.count(start, end, rows) as i:
            passed = own | {"b": own["start"], "first": i}
            listed = ", ".join(f"{kind} {passed[key]}" for key, kind in TILE.items())
            self.lines.append(f"  call void @{_named(rows, vectors)}({listed})")
            with self.count(0, self.least(self.sub(end, i), rows)) as r:
                row = self.add(i, r)
                sums = self.at(own["sums"], self.mul(r, vectors * self.shape.lanes * SUM_BYTES))
                target = self.at(own["c"], self.offset(own["c_rows"], row))
                target = self.at(target, self.mul(own["column"], size))
                residual = target
                if kept:
                    residual = self.at(own["residual"], self.offset(own["residual_rows"], row))
                    residual = self.at(residual, self.mul(own["column"], kept))
                column = self.add(own["first_column"], own["column"])
                self.ended(sums, column, residual, target, own["width"])


class _Tile(Text):
    """Sums of `height` rows, some vectors wide, over all of k, written to `sums`."""

    def __init__(self, grouped: Grouped, height: int, vectors: int):
        super().__init__()
        self.shape, self.dot, self.flips = grouped.shape, grouped.dot, grouped.flips
        self.height, self.vectors = height, vectors
        self.offset_bytes = grouped.shape.offset_bytes
        self.cells = [(r, v) for r in range(height) for v in range(vectors)]
        self.sums = f"<{self.shape.lanes} x i32>"

    def printed(self) -> _Tile:
        """This function, with all its lines."""
        rows = []
        for r in range(self.height):
            row = self.least(self.add("%first", r), "%last")
            rows.append(self.at("%a", self.offset("%rows", row)))
        begun = [self._loaded("%b", v, self.sums, 4) for v in range(self.vectors)]
        start = [begun[v] for _, v in self.cells]
        for (r, v), x in zip(self.cells, self._summed(rows, start), strict=True):
            where = self.at("%sums", str((r * self.vectors + v) * self.shape.lanes * SUM_BYTES))
            self.lines.append(f"  store {self.sums} {x}, ptr {where}, align 4")
        return self

    def _summed(self, rows: list[str], start: list[str]) -> list[str]:
        """The sums after all of k."""
        before, head, inside, after = self.block, *(self.label() for _ in range(3))
        counter, following, b, b_following = (self.fresh() for _ in range(4))
        sums = [self.fresh() for _ in start]
        ahead = self.mul("%step", AHEAD)
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        place = len(self.lines)
        self.branch(self.compare("slt", counter, "%depth"), inside, after)
        self.begin(inside)
        offset = self.offset("%inner", counter)
        added = self._step([self.at(row, offset) for row in rows], b, ahead, sums)
        self.lines += [
            f"  {following} = add nuw nsw i64 {counter}, 1",
            f"  {b_following} = getelementptr i8, ptr {b}, i64 %step",
            f"  br label %{head}",
        ]
        ways = [("i64", counter, "0", following), ("ptr", b, "%data", b_following)]
        ways += [(self.sums, *way) for way in zip(sums, start, added, strict=True)]
        self.lines[place:place] = [
            f"  {name} = phi {kind} [ {x}, %{before} ], [ {y}, %{inside} ]"
            for kind, name, x, y in ways
        ]
        self.begin(after)
        return sums

    def _step(self, elements: list[str], b: str, ahead: str, sums: list[str]) -> list[str]:
        """A group of k: the sums with its products."""
        self.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        later = self.at(b, ahead)
        columns = [self._columns(b, v) for v in range(self.vectors)]
        for v in range(0, self.vectors * self.shape.lanes * self.dot.group, 64):
            where = self.at(later, str(v))
            self.lines.append(f"  call void @llvm.prefetch.p0(ptr {where}, i32 0, i32 3, i32 1)")
        left = [self._repeated(where) for where in elements]
        return [
            self._added(left[r], columns[v], x) for (r, v), x in zip(self.cells, sums, strict=True)
        ]

    def _loaded(self, b: str, v: int, kind: str, size: int) -> str:
        where = self.at(b, str(v * self.shape.lanes * size))
        return self.line(f"load {kind}, ptr {where}, align 1")

    def _columns(self, b: str, v: int) -> str:
        """A vector of B, as it is multiplied."""
        count = self.shape.lanes * self.dot.group
        x = self._loaded(b, v, f"<{count} x i8>", self.dot.group)
        if self.dot.group == 4:
            return x
        return self.line(f"sext <{count} x i8> {x} to <{count} x {self._element}>")

    @property
    def _element(self) -> str:
        """LLVM's type of what is multiplied."""
        return {4: "i8", 2: "i16", 1: "i32"}[self.dot.group]

    def _repeated(self, where: str) -> str:
        """A group of A in all lanes."""
        kind = "i16" if self.dot.group == 1 else "i32"
        x = self.line(f"load {kind}, ptr {where}, align 1")
        if self.flips:
            x = self.line(f"xor i32 {x}, {0x80808080 - (1 << 32)}")
        vector = f"<{self.shape.lanes} x {kind}>"
        one = self.line(f"insertelement {vector} poison, {kind} {x}, i64 0")
        zeros = f"<{self.shape.lanes} x i32> zeroinitializer"
        all_ = self.line(f"shufflevector {vector} {one}, {vector} poison, {zeros}")
        if self.dot.group == 1:
            return self.line(f"sext {vector} {all_} to {self.sums}")
        count = self.shape.lanes * self.dot.group
        return self.line(f"bitcast {vector} {all_} to <{count} x {self._element}>")

    def _added(self, x: str, y: str, total: str) -> str:
        """The sums of a vector with the products of a group."""
        kind = f"<{self.shape.lanes * self.dot.group} x {self._element}>"
        if not self.dot.name:
            product = self.line(f"mul {kind} {x}, {y}")
        elif self.dot.adds:
            given = f"{self.sums} {total}, {kind} {x}, {kind} {y}"
            return self.intrinsic(self.dot.name, self.sums, given, f"{self.sums}, {kind}, {kind}")
        else:
            given = f"{kind} {x}, {kind} {y}"
            product = self.intrinsic(self.dot.name, self.sums, given, f"{kind}, {kind}")
        return self.line(f"add {self.sums} {total}, {product}")

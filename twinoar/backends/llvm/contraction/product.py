"""The loops around the tile: blocks of rows and of k that fit the caches, panels of columns.

An iteration of the kernel is a block of C: of one batch, some rows and some columns. It is computed
over all of k by one thread, so results do not depend on how blocks are divided among threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.backends.llvm.contraction.finish import Finishing, Step
from twinoar.backends.llvm.contraction.text import KERNEL
from twinoar.backends.llvm.contraction.tile import FINISHING, LOW, PARAMETERS, ROWS, Shape, tile
from twinoar.compile.target import Target

NAME = "product"
# The words of the arguments. batches: for each batch three words, where a, b and c begin; offsets
# and steps are in bytes, sizes in elements. After them stand the operands of what finishes sums.
WORDS = {
    "a": "ptr", "b": "ptr", "c": "ptr", "batches": "ptr", "rows": "ptr", "inner": "ptr",
    "c_rows": "ptr", "row_count": "i64", "column_count": "i64", "inner_count": "i64",
    "row_block": "i64", "column_block": "i64", "inner_block": "i64", "row_blocks": "i64",
    "column_blocks": "i64", "b_step": "i64", "b_panel": "i64", "scale": "ptr",
}  # fmt: skip


def product(
    shape: Shape, updates: bool, target: Target, steps: Sequence[Step] = (), part: str = ""
) -> str:
    """The text of the kernel `product`, and of its tiles.

    updates: it subtracts the product, scaled, from what C holds; then k has one block alone. steps:
    what is done to each sum, of a batch of one. part: its name as a part of another kernel.
    """
    kinds = [*((ROWS, n) for n in range(1, shape.vectors + 1)), (LOW, shape.vectors)]
    tiles = [tile(shape, rows, n, updates, steps) for rows, n in kinds]
    loops = _Product(shape, steps, part)
    loops.printed()
    given = ", ".join(f"{kind} %{name}" for name, kind in loops.parameters.items())
    functions = [
        t.function(f"internal void @{part}tile{rows}x{n}({given}) noinline", target)
        for (rows, n), t in zip(kinds, tiles, strict=True)
    ]
    declared = set().union(loops.declared, *(t.declared for t in tiles))
    head = f"internal void @{part}({KERNEL}) noinline" if part else f"void @{NAME}({KERNEL})"
    whole = loops.function(head, target)
    return "\n".join([whole, *functions, *sorted(declared), ""])


class _Product(Finishing):
    def __init__(self, shape: Shape, steps: Sequence[Step], part: str):
        super().__init__()
        self.shape, self.offset_bytes = shape, shape.offset_bytes
        self.steps, self.part = steps, part
        self.parameters = {**PARAMETERS, **FINISHING} if steps else PARAMETERS

    def printed(self) -> None:
        """Print all lines."""
        w = self.arguments(WORDS)
        with self.count("%lo", "%hi") as block:
            rest, column_block = self.divided(block, w["column_blocks"])
            batch, row_block = self.divided(rest, w["row_blocks"])
            rows = self._range(row_block, w["row_block"], w["row_count"])
            columns = self._range(column_block, w["column_block"], w["column_count"])
            where = self.mul(batch, 3)
            for n, name in enumerate("abc"):
                w[f"{name} begins"] = self.offset(w["batches"], self.add(where, n))
                w[name] = self.at(w[name], w[f"{name} begins"])
            # A sum over nothing is 0, which has to be written: there is always one block of k.
            with self.count(0, self.most(w["inner_count"], 1), w["inner_block"]) as k:
                self._panels(w, k, rows, columns)

    def _range(self, block: str, size: str, end: str) -> tuple[str, str]:
        """Where a block begins and ends."""
        start = self.mul(block, size)
        return start, self.least(self.add(start, size), end)

    def _panels(
        self, w: dict[str, str], k: str, rows: tuple[str, str], columns: tuple[str, str]
    ) -> None:
        """All panels of a block, over a block of k."""
        passed = {
            "a": w["a"],
            "rows": w["rows"],
            "inner": self.further(w["inner"], k),
            "step": w["b_step"],
            "c_rows": w["c_rows"],
            "last": self.sub(rows[1], 1),
            "depth": self.least(w["inner_block"], self.sub(w["inner_count"], k)),
            "adds": self.compare("ne", k, 0),
            "scale": w["scale"],
        }
        if self.steps:
            reached = self.add(k, w["inner_block"])
            passed["ends"] = self.compare("sge", reached, w["inner_count"])
            passed["operands"] = self.table(len(WORDS))
        b = self.at(w["b"], self.mul(k, w["b_step"]))
        with self.count(*columns, self.shape.columns) as j:
            panel, _ = self.divided(j, self.shape.columns)
            passed["b"] = self.at(b, self.mul(panel, w["b_panel"]))
            passed["column"] = self.mul(j, self.shape.dtype.itemsize)
            passed["c"] = self.at(w["c"], passed["column"])
            passed["place"] = self.add(w["c begins"], passed["column"])
            passed["width"] = self.least(self.sub(columns[1], j), self.shape.columns)
            self._rows(*rows, passed)

    def _rows(self, start: str, end: str, passed: dict[str, str]) -> None:
        """All tiles of a panel, of the narrowest kind that is wide enough."""
        lanes = self.shape.lanes
        before = self.add(passed["width"], lanes - 1)
        vectors, _ = self.divided(before, lanes)
        kinds = [self.label() for _ in range(self.shape.vectors)]
        after = self.label()
        cases = " ".join(f"i64 {n}, label %{kind}" for n, kind in enumerate(kinds, 1))
        self.lines.append(f"  switch i64 {vectors}, label %{kinds[-1]} [ {cases} ]")
        for n, kind in enumerate(kinds, 1):
            self.begin(kind)
            middle = self._middle(start, end) if n == self.shape.vectors else end
            self._tiles(f"tile{ROWS}x{n}", start, middle, ROWS, passed)
            if middle != end:
                self._tiles(f"tile{LOW}x{n}", middle, end, LOW, passed)
            self.lines.append(f"  br label %{after}")
        self.begin(after)

    def _middle(self, start: str, end: str) -> str:
        """Where the rows begin that low tiles have: as many tiles as rows lack, if there are."""
        rows = self.sub(end, start)
        tiles, _ = self.divided(self.add(rows, ROWS - 1), ROWS)
        lacking = self.least(self.sub(self.mul(tiles, ROWS), rows), tiles)
        return self.add(start, self.mul(self.sub(tiles, lacking), ROWS))

    def _tiles(self, name: str, start: str, end: str, rows: int, passed: dict[str, str]) -> None:
        """Tiles of so many rows each."""
        with self.count(start, end, rows) as i:
            given = {**passed, "first": i}
            listed = ", ".join(f"{t} {given[key]}" for key, t in self.parameters.items())
            self.lines.append(f"  call void @{self.part}{name}({listed})")

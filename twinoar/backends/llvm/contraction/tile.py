"""The innermost kernel: ROWS rows of C, some vectors wide, stay in registers over all of k.

For each k the vectors of B are loaded, and each element of A is broadcast. Rows beyond the last are
the last row again, columns beyond the width are masked, so edges need no other code. The widest
tiles may have LOW rows, with which none are left over from 20 on: of 49 rows, the pixels of many a
network's last layers, four tiles have six and five have five; nine of six took a tenth longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from twinoar.backends.llvm.contraction.finish import Finishing, Step
from twinoar.backends.llvm.contraction.text import WORD_BYTES, Text
from twinoar.backends.llvm.conversion import TYPES
from twinoar.compile.target import Target
from twinoar.core.dtype import DType
from twinoar.late import dataclass

ROWS = 6
LOW = ROWS - 1
AHEAD = 8  # steps of k before its turn, B is fetched: a panel is larger than the first cache
MANY_REGISTERS = ("avx512f", "neon")  # 32 vector registers; others have 16
IN_HALVES = ("znver4",)  # processors whose widest vectors are computed as two halves
PARAMETERS = {
    "a": "ptr", "rows": "ptr", "inner": "ptr", "b": "ptr", "step": "i64", "c": "ptr",
    "c_rows": "ptr", "first": "i64", "last": "i64", "depth": "i64", "width": "i64", "adds": "i1",
    "scale": "ptr",
}  # fmt: skip
# Of tiles that finish sums: where the operands of steps begin; bytes to c from where the result
# begins, and to this column from the first; whether these steps of k are the last.
FINISHING = {"operands": "ptr", "place": "i64", "column": "i64", "ends": "i1"}


@dataclass(frozen=True)
class Shape:
    """Sizes of a tile: `lanes` elements of `dtype` in a vector, at most `vectors` of them.

    offset_bytes: of a word in tables of offsets.
    """

    dtype: DType
    lanes: int
    vectors: int
    offset_bytes: int = WORD_BYTES

    @property
    def columns(self) -> int:
        """The width of the widest tile."""
        return self.lanes * self.vectors

    @property
    def scalar(self) -> str:
        """LLVM's type of an element."""
        return TYPES[self.dtype].register

    @property
    def vector(self) -> str:
        """LLVM's type of a vector."""
        return f"<{self.lanes} x {self.scalar}>"

    @property
    def suffix(self) -> str:
        """What the names of LLVM's intrinsics for a vector end with."""
        return f"v{self.lanes}f{8 * self.dtype.itemsize}"


def shape_of(dtype: DType, target: Target) -> Shape:
    """The tile that suits the registers of a processor: 6 times 4 vectors, or 6 times 2."""
    lanes = max(2, target.vector_bytes // dtype.itemsize)
    vectors = 4 if any(map(target.has, MANY_REGISTERS)) else 2
    return Shape(dtype, lanes, vectors, target.offset_bytes)


def fitted(shape: Shape, columns: int, target: Target) -> Shape:
    """The tile for a product of so many columns: with vectors half as wide where these fit better.

    Only where that loses nothing, as the processor has units of half the width, and two of them.
    """
    half = shape.lanes // 2
    whole, halves = (-(-columns // lanes) * lanes for lanes in (shape.lanes, half))
    if target.cpu not in IN_HALVES or halves * 8 > whole * 7:
        return shape
    count = halves // half
    return replace(shape, lanes=half, vectors=-(-count // -(-count // shape.vectors)))


def tile(
    shape: Shape, height: int, vectors: int, updates: bool, steps: Sequence[Step] = ()
) -> Text:
    """The function that computes a tile of `height` rows, `vectors` wide.

    Its parameters are PARAMETERS, with steps also FINISHING.

    a, b, c: where k, and the columns, begin. rows, c_rows: the tables of all rows, of which first
    to last are meant. inner: where each k lies in a. step: bytes from one k to the next in b. adds:
    the products are added to what c holds. updates: they are multiplied by the number at scale and
    subtracted from it instead. steps: what is done to each sum over all of k.
    """
    return _Tile(shape, height, vectors, updates, steps).printed()


class _Tile(Finishing):
    def __init__(
        self, shape: Shape, height: int, vectors: int, updates: bool, steps: Sequence[Step]
    ):
        super().__init__()
        self.shape, self.height, self.steps = shape, height, steps
        self.vectors, self.updates = vectors, updates
        self.offset_bytes = shape.offset_bytes
        self.cells = [(r, v) for r in range(height) for v in range(vectors)]

    def printed(self) -> Text:
        """This function, with all its lines."""
        rows = self._addresses("%a", "%rows")
        operands = ", ".join([self.shape.vector] * 3)
        name = f"llvm.fmuladd.{self.shape.suffix}"
        self.declared.add(f"declare {self.shape.vector} @{name}({operands})")
        self.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        if self.updates:
            zeros = ["zeroinitializer"] * len(self.cells)
            self._stored(self._updated(self._multiplied(rows, zeros)))
            return self
        sums = self._multiplied(rows, self._start())
        if self.steps:
            self.choose("%ends", lambda: self._finished(sums), lambda: self._stored(sums))
        else:
            self._stored(sums)
        return self

    def _addresses(self, base: str, table: str) -> list[str]:
        """Where the rows begin."""
        rows = [self.least(self.add("%first", r), "%last") for r in range(self.height)]
        return [self.at(base, self.offset(table, row)) for row in rows]

    def _start(self) -> list[str]:
        """What the sums begin with: zeros, or what C holds."""
        s = self.shape
        from_zero = self.block
        loading, after = self.label(), self.label()
        self.branch("%adds", loading, after)
        self.begin(loading)
        held = self._held()
        self.lines.append(f"  br label %{after}")
        self.begin(after)
        return [
            self.line(f"phi {s.vector} [ zeroinitializer, %{from_zero} ], [ {x}, %{loading} ]")
            for x in held
        ]

    def _held(self) -> list[str]:
        """What C holds."""
        s = self.shape
        where = self._addresses("%c", "%c_rows")
        masks = self._masks()
        mask = f"<{s.lanes} x i1>"
        signature = f"ptr, i32, {mask}, {s.vector}"
        held = []
        for r, v in self.cells:
            cell = f"ptr {self._cell(where[r], v)}, i32 {s.dtype.itemsize}"
            given = f"{cell}, {mask} {masks[v]}, {s.vector} zeroinitializer"
            held.append(self.intrinsic(f"masked.load.{s.suffix}.p0", s.vector, given, signature))
        return held

    def _updated(self, sums: list[str]) -> list[str]:
        """What C holds less the scaled sums, each step rounded."""
        vector, scale = self.shape.vector, self._broadcast("%scale")
        changes = [self.line(f"fmul {vector} {scale}, {x}") for x in sums]
        pairs = zip(self._held(), changes, strict=True)
        return [self.line(f"fsub {vector} {old}, {change}") for old, change in pairs]

    def _multiplied(self, rows: list[str], start: list[str]) -> list[str]:
        """The sums after all of k."""
        before, head, inside, after = self.block, *(self.label() for _ in range(3))
        counter, following, b, b_following = (self.fresh() for _ in range(4))
        sums, added = ([self.fresh() for _ in start] for _ in range(2))
        ahead = self.mul("%step", AHEAD)
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        self._phi(counter, "i64", "0", before, following, inside)
        self._phi(b, "ptr", "%b", before, b_following, inside)
        for name, x, y in zip(sums, start, added, strict=True):
            self._phi(name, self.shape.vector, x, before, y, inside)
        self.branch(self.compare("slt", counter, "%depth"), inside, after)
        self.begin(inside)
        offset = self.offset("%inner", counter)
        self._step([self.at(row, offset) for row in rows], b, ahead, sums, added)
        self.lines += [
            f"  {following} = add nuw nsw i64 {counter}, 1",
            f"  {b_following} = getelementptr i8, ptr {b}, i64 %step",
            f"  br label %{head}",
        ]
        self.begin(after)
        return sums

    def _step(
        self, elements: list[str], b: str, ahead: str, sums: list[str], added: list[str]
    ) -> None:
        """One k: its row of B times the elements of A, which `added` names with the sums."""
        s = self.shape
        columns = [
            self.line(f"load {s.vector}, ptr {self._cell(b, v)}, align {s.dtype.itemsize}")
            for v in range(self.vectors)
        ]
        later = self.at(b, ahead)
        for v in range(self.vectors):
            self.lines.append(
                f"  call void @llvm.prefetch.p0(ptr {self._cell(later, v)}, i32 0, i32 3, i32 1)"
            )
        scalars = [self._broadcast(where) for where in elements]
        for (r, v), x, y in zip(self.cells, sums, added, strict=True):
            given = f"{s.vector} {scalars[r]}, {s.vector} {columns[v]}, {s.vector} {x}"
            self.lines.append(f"  {y} = call {s.vector} @llvm.fmuladd.{s.suffix}({given})")

    def _finished(self, sums: list[str]) -> None:
        """Write what becomes of the sums."""
        self.operands("%operands")
        rows = [self.least(self.add("%first", r), "%last") for r in range(self.height)]
        places = [self.add("%place", self.offset("%c_rows", row)) for row in rows]
        wide = self.shape.lanes * self.shape.dtype.itemsize

        def finished(masks: list[str] | None) -> list[str]:
            return [
                self.finished(
                    x, self.add(places[r], v * wide), self.add("%column", v * wide),
                    None if masks is None else masks[v],
                )
                for (r, v), x in zip(self.cells, sums, strict=True)
            ]  # fmt: skip

        self._stored(finished)

    def _stored(self, given: list[str] | Callable[[list[str] | None], list[str]]) -> None:
        """Write sums; only the last vectors of a row need masks, and these only at the edge.

        given: them, or what makes them, with masks or without.
        """
        s = self.shape
        where = self._addresses("%c", "%c_rows")
        whole = self.compare("eq", "%width", self.vectors * s.lanes)

        def plain() -> None:
            sums = given if isinstance(given, list) else given(None)
            for (r, v), x in zip(self.cells, sums, strict=True):
                self.lines.append(
                    f"  store {s.vector} {x}, ptr {self._cell(where[r], v)}, "
                    f"align {s.dtype.itemsize}"
                )

        def masked() -> None:
            self.declared.add(
                f"declare void @llvm.masked.store.{s.suffix}.p0"
                f"({s.vector}, ptr, i32, <{s.lanes} x i1>)"
            )
            masks = self._masks()
            sums = given if isinstance(given, list) else given(masks)
            for (r, v), x in zip(self.cells, sums, strict=True):
                self.lines.append(
                    f"  call void @llvm.masked.store.{s.suffix}.p0({s.vector} {x}, "
                    f"ptr {self._cell(where[r], v)}, i32 {s.dtype.itemsize}, "
                    f"<{s.lanes} x i1> {masks[v]})"
                )

        self.choose(whole, plain, masked)

    def _masks(self) -> list[str]:
        """For each vector of a row which of its lanes are columns."""
        lanes = self.shape.lanes
        one = self.line(f"insertelement <{lanes} x i64> poison, i64 %width, i64 0")
        width = self.line(
            f"shufflevector <{lanes} x i64> {one}, <{lanes} x i64> poison, "
            f"<{lanes} x i32> zeroinitializer"
        )
        masks = []
        for v in range(self.vectors):
            numbers = ", ".join(f"i64 {v * lanes + lane}" for lane in range(lanes))
            masks.append(self.line(f"icmp slt <{lanes} x i64> <{numbers}>, {width}"))
        return masks

    def _cell(self, row: str, v: int) -> str:
        return self.at(row, str(v * self.shape.lanes * self.shape.dtype.itemsize)) if v else row

    def _broadcast(self, where: str) -> str:
        s = self.shape
        x = self.line(f"load {s.scalar}, ptr {where}, align {s.dtype.itemsize}")
        one = self.line(f"insertelement {s.vector} poison, {s.scalar} {x}, i64 0")
        return self.line(
            f"shufflevector {s.vector} {one}, {s.vector} poison, <{s.lanes} x i32> zeroinitializer"
        )

    def _phi(self, name: str, kind: str, x: str, before: str, y: str, inside: str) -> None:
        self.lines.append(f"  {name} = phi {kind} [ {x}, %{before} ], [ {y}, %{inside} ]")

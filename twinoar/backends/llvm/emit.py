"""A loop nest as LLVM IR: a function that runs the rows lo <= r < hi.

Its arguments are one block of 8-byte words: the addresses of what it reads and writes, then those
sizes and strides that are not written into the code, so that kernels that differ only in size are
one. Loops are plain; LLVM vectorises them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from twinoar.backends.llvm.conversion import TYPES
from twinoar.backends.llvm.strips import strips
from twinoar.backends.llvm.target import BRIEF
from twinoar.backends.llvm.values import Total, Values
from twinoar.compile.kernel import PART, Root
from twinoar.compile.pattern import adds_blocks
from twinoar.compile.schedule import Loop, Nest, Reduce, Statement, Store
from twinoar.compile.storage import Storage
from twinoar.core.dtype import REAL_OF, DType
from twinoar.core.loop.expression import Axis, Expr, walk
from twinoar.core.varying import greater, hint_of, is_varying
from twinoar.late import dataclass

LONG = 1 << 32  # iterations, about a second: from here on loops ask whether to end
MANY = 1 << 20  # rows of a sum of blocks, where any number may come
BAKED = 32  # sizes and strides up to this are written into the code
# Instructions of a whole kernel, half a microsecond: all of LLVM's passes save a third of that in
# each run and take 20 ms, so a kernel pays for them in 100,000 runs.
FEW = 1024
LONG_BODY = 8  # stores
NAME = "kernel"
HOISTED = ("bounded", "call", "div", "load")  # LLVM moves what else a loop computes in vain


@dataclass(frozen=True)
class Emitted:
    """The text of a kernel, and what its block of arguments holds: places, then numbers.

    checks: the indices that the kernel checks, in the order of their flags. polls: its loops ask
    whether to end.
    """

    text: str
    places: tuple[int, ...]
    numbers: tuple[int, ...]
    checks: tuple[Expr, ...]
    polls: bool = False


def emit(
    nest: Nest,
    place: Callable[[Storage], int],
    attributes: str,
    *,
    repeated: bool = False,
) -> Emitted:
    """The kernel of a nest.

    place: a number for the memory of each value; values of one place share their memory.
    attributes: of LLVM functions, for the processor at hand. repeated: a loop of commands may run
    it, so it is made to be fast even where it is brief.
    """
    emitter = _Emitter(nest, place)
    emitter.print()
    return emitter.emitted(BRIEF if emitter.is_brief and not repeated else attributes)


def _gather(s: Statement, roots: list[Expr], axes: set[Axis]) -> None:
    """The expressions of a statement, and the axes of its loops."""
    if isinstance(s, Loop):
        axes.add(s.axis)
        for inner in (*s.reductions, *s.body):
            _gather(inner, roots, axes)
    elif isinstance(s, Reduce):
        axes.update(s.axes)
        roots += [term for _, _, term in s.items]
    else:
        roots += [s.root.offset, s.root.value]


def _iterations(nest: Nest) -> int:
    """How often the innermost body of the nest is run."""
    return nest.row.size * _most(nest.body)


def _most(body: Sequence[Statement]) -> int:
    found = 1
    for s in body:
        if isinstance(s, Loop):
            found = greater(found, s.axis.size * _most((*s.reductions, *s.body)))
        elif isinstance(s, Reduce):
            found = greater(found, math.prod(a.size for a in s.axes))
    return found


def _roots(body: Sequence[Statement]) -> Iterator[Root]:
    """What statements write."""
    for s in body:
        if isinstance(s, Loop):
            yield from _roots(s.body)
        elif isinstance(s, Store):
            yield s.root


class _Emitter(Values):
    """Prints statements, and keeps the pointers and numbers that they ask for."""

    def __init__(self, nest: Nest, place: Callable[[Storage], int]):
        super().__init__()
        self.nest, self.place = nest, place
        self.polls = _iterations(nest) >= LONG
        self.places: list[int] = []
        self.numbers: dict[int, int] = {}  # and which argument each is
        self.checks: list[Expr] = []
        self.entry: list[str] = []
        self.sums: dict[int, str] = {}  # accumulators of roots that are one number for all rows
        self.totals: list[Total] = []  # of these
        self.far: list[tuple[Root, list[Axis]]] = []  # roots whose totals lie in memory, by columns
        self.notes: list[str] = []  # what loops say to LLVM
        roots = list(_roots(nest.body))
        self.is_stored = not any(root.combine for root in roots)
        self.is_long = len(roots) >= LONG_BODY

    def print(self) -> None:
        """Print the statements of the nest."""
        self._rows(self.nest)

    @property
    def is_brief(self) -> bool:
        """True where the nest, printed, runs few instructions whatever its sizes are."""
        return len(self.lines) + self.again <= FEW

    def emitted(self, attributes: str) -> Emitted:
        """The printed nest as a text."""
        pointers = [f"ptr noalias %p{k}" for k in range(len(self.places))]
        numbers = [f"i64 %n{k}" for k in range(len(self.numbers))]
        given = [*pointers, "ptr noalias %flags", *numbers, "i64 %lo", "i64 %hi", "i64 %part"]
        loads = []
        for k, name in enumerate(
            [
                *(f"p{k}" for k in range(len(pointers))),
                "flags",
                *(f"n{k}" for k in range(len(numbers))),
            ]
        ):
            kind = "i64" if name.startswith("n") else "ptr"
            loads.append(f"  %w{k} = getelementptr i64, ptr %arguments, i64 {k}")
            loads.append(f"  %{name} = load {kind}, ptr %w{k}")
        text = "\n".join(
            [
                f"define void @{NAME}(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {{",
                *loads,
                f"  call void @body({', '.join(g.replace(' noalias', '') for g in given)})",
                "  ret void",
                "}",
                f"define internal void @body({', '.join(given)}) noinline {attributes} {{",
                "entry:",
                *self.entry,
                *self.lines,
                "  ret void",
                "}",
                *sorted(self.declared),
                *self.notes,
                "",
            ]
        )
        return Emitted(
            text, tuple(self.places), tuple(self.numbers), tuple(self.checks), self.polls
        )

    # What expressions ask for.

    def number(self, value: int) -> str:
        """An integer of a position: written out, or an argument."""
        if not is_varying(value) and abs(value) <= BAKED:
            return str(value)
        at = self.numbers.setdefault(value, len(self.numbers))
        return f"%n{at}"

    def pointer(self, storage: Storage, offset: Expr, part: int | None = None) -> str:
        """The address of an element, or of a part of a complex one."""
        position, place = self.value(offset), self.place(storage)
        if place not in self.places:
            self.places.append(place)
        base = f"%p{self.places.index(place)}"
        if part is not None:
            memory = TYPES[REAL_OF[storage.dtype]].memory
            pair, at = f"{{ {memory}, {memory} }}", f"i64 {position}, i32 {part}"
            return self.line(f"getelementptr inbounds {pair}, ptr {base}, {at}")
        memory = TYPES[storage.dtype].memory
        return self.line(f"getelementptr inbounds {memory}, ptr {base}, i64 {position}")

    def counter(self, axis: Axis) -> str:
        """The value of a loop's counter."""
        return "%part" if axis is PART else self.counters[axis]

    def bounded(self, e: Expr) -> str:
        """An index, or 0 and a raised flag where it lies outside."""
        index, size, _ = e.args
        i = self.value(index)
        inside = self.line(f"icmp ult i64 {i}, {self.number(size or 1)}")
        self.checks.append(e)
        flag = len(self.checks) - 1
        bad, after = self.label(), self.label()
        self.lines.append(f"  br i1 {inside}, label %{after}, label %{bad}")
        self.begin(bad)
        where = self.line(f"getelementptr i8, ptr %flags, i64 {flag}")
        self.lines += [f"  store i8 1, ptr {where}", f"  br label %{after}"]
        self.begin(after)
        return self.line(f"select i1 {inside}, i64 {i}, i64 0")

    # Statements.

    def _rows(self, nest: Nest) -> None:
        """The loop over rows: in blocks, where sums over rows are long."""
        self._prepare(nest.body)
        self._hoist(nest.body, frozenset((nest.row,)))

        def rows(lo: str, hi: str) -> None:
            self.loop(nest.row, lambda: self._statements(nest.body), (lo, hi), self._note())

        if self.totals or self.far:
            # As many blocks as rows in one; where rows vary, few enough for float32 to count them.
            count = nest.row.size
            count = max(hint_of(count), MANY) if is_varying(count) else count
            size = 1 << (count.bit_length() // 2)
            self.in_strips("%lo", "%hi", size, lambda lo, hi: self._block(rows, lo, hi))
        else:
            rows("%lo", "%hi")
        for total in self.totals:
            total.finish()
        self._finish(nest.body)

    def _block(self, rows: Callable[[str, str], None], lo: str, hi: str) -> None:
        """A block of rows, whose sums are then added to the totals."""
        rows(lo, hi)
        for total in self.totals:
            total.add()
        for root, columns in self.far:
            self._nested(columns, partial(self._add_block, root))()

    def _add_block(self, root: Root) -> None:
        """An element of the sums of a block is added to its total, and begins anew."""
        dtype = root.dtype
        block = self.pointer(root.storage, root.offset)
        total = self.pointer(root.storage, root.offset + root.total)
        new = self.combined("sum", self.load(total, dtype), self.load(block, dtype), dtype)
        self.save(new, total, dtype)
        self.save(self.identity("sum", dtype), block, dtype)

    def _statements(self, body: Sequence[Statement]) -> None:
        """All that is read is read before anything is written: they may share places."""
        made = []
        for s in body:
            if isinstance(s, Loop):
                self._hoist([s], frozenset())
                inside = partial(self._statements, s.body)
                if s.reductions:
                    strips(self, s, inside)
                else:
                    self.loop(s.axis, inside, note=self._note())
            elif isinstance(s, Reduce):
                self._hoist([s], frozenset())
                self._reduce(s)
            elif id(s.root) in self.sums:
                self._accumulate(self.sums[id(s.root)], s.root.combine, s.root.value)
            else:
                made.append(self._made(s.root))
        for value, where, dtype in made:
            self.save(value, where, dtype)

    def _note(self) -> str:
        """What a loop over elements says: no iteration reads or writes what another one writes.

        LLVM would find that out while it runs, and only where few addresses are to be compared. A
        long loop has work enough for the units without iterations side by side, which would take
        three times as long to compile.
        """
        if not self.is_stored:
            return ""
        self.access = ", !llvm.access.group !0"
        self.notes = self.notes or [
            "!0 = distinct !{}",
            '!1 = !{!"llvm.loop.parallel_accesses", !0}',
            '!2 = !{!"llvm.loop.interleave.count", i32 1}',
        ]
        name = f"!{len(self.notes)}"
        self.notes.append(f"{name} = distinct !{{{name}, !1{', !2' if self.is_long else ''}}}")
        return f", !llvm.loop {name}"

    def _hoist(self, body: Sequence[Statement], axes: frozenset[Axis]) -> None:
        """Compute before a loop what is costly in it and the same each time."""
        roots: list[Expr] = []
        inner = set(axes)
        for s in body:
            _gather(s, roots, inner)
        nodes = list(walk(*roots))
        for e in nodes:
            if e.kind == "reduce":
                inner.update(e.args[1])
        for e in nodes:
            if e.kind in HOISTED and not e.free & inner and not self._waits(e):
                self.value(e)

    def _waits(self, e: Expr) -> bool:
        """True for what needs a reduction that is still to come."""
        return any(x.kind == "var" and x.args[0] not in self.names for x in walk(e))

    def _made(self, root: Root) -> tuple[str, str, DType]:
        """What is to be written for a root, and where."""
        dtype = root.dtype
        where = self.pointer(root.storage, root.offset, root.part)
        new = self.stored(root.value, dtype)
        if root.combine:
            new = self.combined(root.combine, self.load(where, dtype), new, dtype)
        return new, where, dtype

    def _reduce(self, s: Reduce) -> None:
        for name, value in zip(
            [name for name, _, _ in s.items],
            self.reduced(s.axes, [(kind, term) for _, kind, term in s.items]),
            strict=True,
        ):
            self.names[name] = value

    def allocate(self, kind: str) -> str:
        """Memory of the function's own, which LLVM turns into registers."""
        name = f"%a{len(self.entry)}"
        self.entry.append(f"  {name} = alloca {kind}")
        return name

    # Accumulators of partial results: set before the rows, written after them.

    def _prepare(self, body: Sequence[Statement], columns: tuple[Axis, ...] = ()) -> None:
        for s in body:
            if isinstance(s, Loop):
                self._prepare(s.body, (*columns, s.axis))
            elif isinstance(s, Store) and s.root.combine:
                self._begin(s.root, columns)

    def _begin(self, root: Root, columns: tuple[Axis, ...]) -> None:
        dtype = root.storage.dtype
        initial = self.identity(root.combine, dtype)
        if not root.offset.free & set(columns):
            where = self.allocate(TYPES[dtype].register)
            self.lines.append(f"  store {TYPES[dtype].register} {initial}, ptr {where}")
            self.sums[id(root)] = where
            if adds_blocks(root.combine, dtype, self.nest.row.size):
                self.totals.append(Total(self, where, dtype))
            return

        def body() -> None:
            self.save(initial, self.pointer(root.storage, root.offset), dtype)
            if root.total:
                self.save(initial, self.pointer(root.storage, root.offset + root.total), dtype)

        own = [a for a in columns if a in root.offset.free]
        self._nested(own, body)()
        if root.total:
            self.far.append((root, own))

    def _finish(self, body: Sequence[Statement]) -> None:
        for s in body:
            if isinstance(s, Loop):
                self._finish(s.body)
            elif isinstance(s, Store) and id(s.root) in self.sums:
                dtype = s.root.storage.dtype
                total = self.line(f"load {TYPES[dtype].register}, ptr {self.sums[id(s.root)]}")
                self.save(total, self.pointer(s.root.storage, s.root.offset), dtype)

"""A translated procedure as LLVM IR: a function that runs the rows lo <= r < hi.

Its arguments are one block of 8-byte words, as those of kernels are: the addresses of its arrays,
of a flag, then numbers. Variables are memory of the function's own, which becomes registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from twinoar.backends.llvm.conversion import TYPES
from twinoar.backends.llvm.emit import NAME
from twinoar.backends.llvm.target import CACHE_LINE_BYTES
from twinoar.backends.llvm.tile_products import print_products
from twinoar.backends.llvm.values import Values
from twinoar.compile.target import Target
from twinoar.core.loop.expression import Expr, const
from twinoar.core.loop.procedure import (
    Cell,
    For,
    Get,
    If,
    Leave,
    Load,
    Memory,
    Products,
    Put,
    Set,
    Statement,
    Translated,
    While,
)


def emit_procedure(
    made: Translated,
    homes: Sequence[int],
    target: Target,
    attributes: str,
    *,
    polls: bool = False,
) -> str:
    """The text of a procedure.

    homes: for each array the number of its memory, which some may share. polls: rows and their
    outer loops ask whether to end. attributes: of the function.
    """
    return _Printer(made, homes, target, polls).text(attributes)


class _Printer(Values):
    """Prints statements. ends: where `break`, `continue` and `return` go to at this moment."""

    def __init__(self, made: Translated, homes: Sequence[int], target: Target, polls: bool):
        super().__init__()
        self.made, self.homes, self.target, self.polls = made, homes, target, polls
        self.cells: dict[Cell, str] = {}
        self.own: dict[int, str] = {}
        self.entry: list[str] = []
        self.ends: list[tuple[str, str]] = []
        self.row_end = ""

    def text(self, attributes: str) -> str:
        """All of it."""
        shared = Counter(self.homes)
        given = [
            f"ptr {'noalias ' if shared[home] == 1 else ''}%p{k}"
            for k, home in enumerate(self.homes)
        ]
        given += ["ptr %flags", *(f"i64 %n{k}" for k in range(len(self.made.numbers)))]
        self.names.update({name: f"%n{k}" for k, name in enumerate(self.made.numbers)})
        self._rows()
        loads = []
        for k, one in enumerate(given):
            kind, name = one.split()[0], one.split()[-1]
            loads.append(f"  %w{k} = getelementptr i64, ptr %arguments, i64 {k}")
            loads.append(f"  {name} = load {kind}, ptr %w{k}")
        plain = [g.replace(" noalias", "") for g in given]
        return "\n".join(
            [
                f"define void @{NAME}(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {{",
                *loads,
                f"  call void @body({', '.join([*plain, 'i64 %lo', 'i64 %hi'])})",
                "  ret void",
                "}",
                f"define internal void @body({', '.join([*given, 'i64 %lo', 'i64 %hi'])}) "
                f"noinline {attributes} {{",
                "entry:",
                *self.entry,
                *self.lines,
                "  ret void",
                "}",
                *sorted(self.declared),
                "",
            ]
        )

    def number(self, value: int) -> str:
        """An integer of a position."""
        return str(value)

    def allocate(self, kind: str) -> str:
        """Memory of the function's own."""
        name = f"%a{len(self.entry)}"
        self.entry.append(f"  {name} = alloca {kind}")
        return name

    # Statements.

    def _rows(self) -> None:
        head, inside, latch, after = (self.label() for _ in range(4))
        row = self.allocate("i64")
        self.lines += [f"  store i64 %lo, ptr {row}", f"  br label %{head}"]
        self.begin(head)
        now = self.line(f"load i64, ptr {row}")
        self._branch(self.line(f"icmp slt i64 {now}, %hi"), inside, after)
        self.begin(inside)
        self.names[self.made.row], self.row_end = now, latch
        if self.polls:
            self._poll()
        self._statements(self.made.body)
        self._jump(latch)
        self.begin(latch)
        self.lines.append(f"  store i64 {self.line(f'add nsw i64 {now}, 1')}, ptr {row}")
        self._jump(head)
        self.begin(after)

    def _branch(self, condition: str, yes: str, no: str) -> None:
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}")

    def _jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def _statements(self, body: Sequence[Statement]) -> None:
        """What is computed in a body is known in it alone."""
        self.known.append({})
        for s in body:
            match s:
                case Get(name, cell):
                    self.names[name] = self.line(f"load {_register(cell)}, ptr {self._cell(cell)}")
                case Set(cell, value):
                    self._keep(cell, value)
                case Load(name, memory, position):
                    self.names[name] = self.load(self._address(memory, position), memory.dtype)
                case Put(memory, position, value):
                    new = self.stored(value, memory.dtype)
                    self.save(new, self._address(memory, position), memory.dtype)
                case Products():
                    places = (
                        self._address(s.total, s.position),
                        self._address(s.left, s.begin),
                        self._address(s.right, const(0)),
                    )
                    print_products(self, s, places, self.target)
                case For():
                    self._for(s)
                case While():
                    self._while(s)
                case If():
                    self._if(s)
                case Leave():
                    self._leave(s.how)
        self.known.pop()

    def _cell(self, cell: Cell) -> str:
        if cell not in self.cells:
            self.cells[cell] = self.allocate(_register(cell))
            zero = self.constant(0, cell.dtype)
            self.entry.append(f"  store {_register(cell)} {zero}, ptr {self.cells[cell]}")
        return self.cells[cell]

    def _keep(self, cell: Cell, value: Expr) -> None:
        new = self.value(value)
        self.lines.append(f"  store {_register(cell)} {new}, ptr {self._cell(cell)}")

    def _address(self, memory: Memory, position: Expr) -> str:
        kind = TYPES[memory.dtype].memory
        if memory.count:
            if memory.number not in self.own:
                self.own[memory.number] = self.allocate(
                    f"[{memory.count} x {kind}], align {CACHE_LINE_BYTES}"
                )
            base = self.own[memory.number]
        else:
            base = f"%p{memory.number}"
        return self.line(f"getelementptr inbounds {kind}, ptr {base}, i64 {self.value(position)}")

    def _for(self, s: For) -> None:
        head, inside, latch, after = (self.label() for _ in range(4))
        start, stop, counter = self.value(s.start), self.value(s.stop), self.allocate("i64")
        self.lines.append(f"  store i64 {start}, ptr {counter}")
        self._jump(head)
        self.begin(head)
        now = self.line(f"load i64, ptr {counter}")
        order = "slt" if s.step > 0 else "sgt"
        self._branch(self.line(f"icmp {order} i64 {now}, {stop}"), inside, after)
        self.begin(inside)
        self.names[s.counter] = now
        self._looped(s.body, after, latch)
        self.begin(latch)
        self.lines.append(f"  store i64 {self.line(f'add nsw i64 {now}, {s.step}')}, ptr {counter}")
        self._jump(head)
        self.begin(after)

    def _while(self, s: While) -> None:
        head, inside, after = (self.label() for _ in range(3))
        self._jump(head)
        self.begin(head)
        self.known.append({})
        self._statements(s.test)
        self._branch(self.value(s.condition), inside, after)
        self.known.pop()
        self.begin(inside)
        self._looped(s.body, after, head)
        self.begin(after)

    def _looped(self, body: Sequence[Statement], after: str, again: str) -> None:
        self.ends.append((after, again))
        if self.polls and len(self.ends) == 1 and any(isinstance(s, (For, While)) for s in body):
            self._poll()
        self._statements(body)
        self.ends.pop()
        self._jump(again)

    def _if(self, s: If) -> None:
        then, otherwise, after = (self.label() for _ in range(3))
        self._branch(self.value(s.condition), then, otherwise if s.otherwise else after)
        for label, body in ((then, s.then), (otherwise, s.otherwise)):
            if body or label is then:
                self.begin(label)
                self._statements(body)
                self._jump(after)
        self.begin(after)

    def _leave(self, how: str) -> None:
        if how == "fail":
            self.lines.append("  store i8 1, ptr %flags")
        end = {"break": 0, "continue": 1}.get(how)
        self._jump(self.row_end if end is None else self.ends[-1][end])
        self.begin(self.label())  # what follows is never reached


def _register(cell: Cell) -> str:
    return TYPES[cell.dtype].register

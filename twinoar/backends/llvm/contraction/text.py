"""Printing of loops, branches and memory accesses as LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from twinoar.backends.llvm.target import attributes
from twinoar.backends.llvm.values import Values
from twinoar.compile.target import Target

WORD_BYTES = 8
KERNEL = "ptr %arguments, i64 %lo, i64 %hi, i64 %part"


class Text(Values):
    """The lines of one function; `function` gives them with head and end.

    offset_bytes: of a word in tables of offsets.
    """

    offset_bytes = WORD_BYTES

    def function(self, head: str, target: Target) -> str:
        """The whole definition: `head` says linkage, name and parameters."""
        body = "\n".join(self.lines)
        return f"define {head} {attributes(target)} {{\nentry:\n{body}\n  ret void\n}}\n"

    def arguments(self, kinds: Mapping[str, str]) -> dict[str, str]:
        """The words that a kernel is given, by name; kinds are ptr or i64."""
        return {
            name: self.entry(kind, "%arguments", str(place))
            for place, (name, kind) in enumerate(kinds.items())
        }

    def entry(self, kind: str, table: str, index: str) -> str:
        """The word at an index of a table."""
        where = self.line(f"getelementptr inbounds i64, ptr {table}, i64 {index}")
        return self.line(f"load {kind}, ptr {where}, align 8")

    def offset(self, table: str, index: str) -> str:
        """The offset at an index of a table."""
        if self.offset_bytes == WORD_BYTES:
            return self.entry("i64", table, index)
        kind = f"i{8 * self.offset_bytes}"
        where = self.line(f"getelementptr inbounds {kind}, ptr {table}, i64 {index}")
        word = self.line(f"load {kind}, ptr {where}, align {self.offset_bytes}")
        return self.line(f"sext {kind} {word} to i64")

    def further(self, table: str, count: str) -> str:
        """The table from an index on."""
        return self.at(table, self.mul(count, self.offset_bytes))

    def at(self, pointer: str, offset: str) -> str:
        """The address so many bytes further on."""
        return self.line(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def add(self, x: str, y: str | int) -> str:
        """A sum of integers."""
        return self.line(f"add nsw i64 {x}, {y}")

    def sub(self, x: str, y: str | int) -> str:
        """A difference of integers."""
        return self.line(f"sub nsw i64 {x}, {y}")

    def mul(self, x: str, y: str | int) -> str:
        """A product of integers."""
        return self.line(f"mul nsw i64 {x}, {y}")

    def divided(self, x: str, y: str | int) -> tuple[str, str]:
        """The quotient and the rest of integers that are not negative."""
        return self.line(f"udiv i64 {x}, {y}"), self.line(f"urem i64 {x}, {y}")

    def least(self, x: str, y: str | int) -> str:
        """The smaller integer."""
        return self.intrinsic("smin.i64", "i64", f"i64 {x}, i64 {y}", "i64, i64")

    def most(self, x: str, y: str | int) -> str:
        """The larger integer."""
        return self.intrinsic("smax.i64", "i64", f"i64 {x}, i64 {y}", "i64, i64")

    def compare(self, relation: str, x: str, y: str | int) -> str:
        """Whether integers are so related: eq, slt, sge."""
        return self.line(f"icmp {relation} i64 {x}, {y}")

    @contextmanager
    def count(self, start: str | int, end: str | int, step: str | int = 1) -> Iterator[str]:
        """A loop over start, start + step, ... below end; gives the counter."""
        head, inside, after = (self.label() for _ in range(3))
        before, counter, following = self.block, self.fresh(), self.fresh()
        latch = self.label()
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        self.lines.append(
            f"  {counter} = phi i64 [ {start}, %{before} ], [ {following}, %{latch} ]"
        )
        self.branch(self.compare("slt", counter, end), inside, after)
        self.begin(inside)
        yield counter
        self.lines.append(f"  br label %{latch}")
        self.begin(latch)
        self.lines += [f"  {following} = add nsw i64 {counter}, {step}", f"  br label %{head}"]
        self.begin(after)

    def choose(self, condition: str, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """A branch with two sides."""
        first, second, after = (self.label() for _ in range(3))
        self.branch(condition, first, second)
        for label, side in ((first, yes), (second, no)):
            self.begin(label)
            side()
            self.lines.append(f"  br label %{after}")
        self.begin(after)

    def branch(self, condition: str, yes: str, no: str) -> None:
        """The end of a block."""
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}")

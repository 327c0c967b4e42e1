"""Lines of LLVM IR of one function that calls kernels: names, labels, addresses, loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Lines:
    """The lines of one function, and of memory that it takes when it is entered."""

    def __init__(self) -> None:
        self.entry: list[str] = []
        self.lines: list[str] = []
        self._count = 0
        self.block = "entry"

    def fresh(self) -> str:
        """A name that nothing has."""
        self._count += 1
        return f"%v{self._count}"

    def line(self, text: str) -> str:
        """A line that makes a value; its name."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """A line that makes none."""
        self.lines.append(f"  {text}")

    def at(self, base: str, offset: int | str) -> str:
        """The address so many bytes further on."""
        return base if offset == 0 else self.line(f"getelementptr i8, ptr {base}, i64 {offset}")

    def room(self, words: int) -> str:
        """Memory of so many words of 8 bytes, until the function ends."""
        name = self.fresh()
        self.entry.append(f"  {name} = alloca [{max(1, words)} x i64], align 8")
        return name

    def label(self) -> str:
        """A label that nothing has."""
        return self.fresh()[1:]

    def begin(self, label: str) -> None:
        """The lines that follow are a block of their own."""
        self.lines.append(f"{label}:")
        self.block = label

    def jump(self, label: str) -> None:
        """The end of a block."""
        self.do(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """The end of a block, with two ways to go on."""
        self.do(f"br i1 {condition}, label %{yes}, label %{no}")

    def leave_if(self, condition: str, code: str) -> None:
        """Return a code where the condition holds."""
        left, on = self.label(), self.label()
        self.branch(condition, left, on)
        self.begin(left)
        self.do(f"ret i32 {code}")
        self.begin(on)

    def leave_if_failed(self, status: str) -> None:
        """Return the code of what was called, where it is one of a failure."""
        self.leave_if(self.line(f"icmp ne i32 {status}, 0"), status)

    @contextmanager
    def count(self, end: int | str) -> Iterator[str]:
        """A loop over 0, 1, ... below end; gives the counter."""
        head, body, after, before = self.label(), self.label(), self.label(), self.block
        counter, following = self.fresh(), self.fresh()
        self.jump(head)
        self.begin(head)
        hole = len(self.lines)
        self.branch(self.line(f"icmp slt i64 {counter}, {end}"), body, after)
        self.begin(body)
        yield counter
        self.do(f"{following} = add i64 {counter}, 1")
        latch = self.block
        self.jump(head)
        self.lines.insert(
            hole, f"  {counter} = phi i64 [ 0, %{before} ], [ {following}, %{latch} ]"
        )
        self.begin(after)

    def copy_strided(
        self, target: str, source: str, shape: Sequence[int], strides: Sequence[int], size: int
    ) -> None:
        """Elements of `size` bytes, so many bytes apart, to where they lie in row-major order."""
        kind = f"i{8 * size}"
        offsets, places = [], []
        step = size
        steps: list[int] = []
        for n in reversed(shape):
            steps.insert(0, step)
            step *= n

        def inner(axis: int) -> None:
            if axis < len(shape):
                with self.count(shape[axis]) as k:
                    offsets.append(self.line(f"mul i64 {k}, {strides[axis]}"))
                    places.append(self.line(f"mul i64 {k}, {steps[axis]}"))
                    inner(axis + 1)
                    offsets.pop()
                    places.pop()
                return
            from_, to = source, target
            for offset, place in zip(offsets, places, strict=True):
                from_, to = self.at(from_, offset), self.at(to, place)
            x = self.line(f"load {kind}, ptr {from_}, align 1")
            self.do(f"store {kind} {x}, ptr {to}, align 1")

        inner(0)

    def function(self, head: str, status: str = "0") -> str:
        """The whole definition: `head` says linkage, type, name and parameters."""
        body = "\n".join([*self.entry, *self.lines])
        return f"define {head} {{\nentry:\n{body}\n  ret i32 {status}\n}}\n"

"""Random functions of nested branches, loops and jumps, as source; each ends on any input."""

from __future__ import annotations

import random
from collections.abc import Sequence

NAMES = ("a", "b", "c")
DEPTH = 3


class Writer:
    """Writes one function; the same seed gives the same source.

    unassigned: names that it uses besides its parameters, which have a value on some paths alone.
    """

    def __init__(self, seed: int, unassigned: Sequence[str] = (), depth: int = DEPTH):
        self.choose = random.Random(seed)
        self.unassigned, self.names, self.depth = unassigned, (*NAMES, *unassigned), depth
        self.lines: list[str] = []
        self.counters = 0

    def source(self) -> str:
        """A function of a, b and c that returns what comes of them."""
        self.lines = ["def function(a, b, c):"]
        for name in self.unassigned:
            self.lines += ["    if a is None:", f"        {name} = a"]
        self.block(1, in_loop=False)
        self.lines.append(f"    return {self.result()}")
        return "\n".join(self.lines) + "\n"

    def block(self, depth: int, in_loop: bool) -> None:
        """One to four statements, one level deeper than the line before."""
        for _ in range(self.choose.randint(1, 4 if depth == 1 else 3)):
            self.statement(depth, in_loop)

    def statement(self, depth: int, in_loop: bool) -> None:
        """An assignment, or, while it is not too deep, something with a body."""
        kinds = [self.assignment] * 3
        if depth < self.depth + 1:
            kinds += [self.branch, self.branch, self.while_loop, self.for_loop]
        if depth > 1:
            kinds.append(self.leave)
        self.choose.choice(kinds)(depth, in_loop)

    def write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def expression(self) -> str:
        """A value that stays small."""
        x, y = self.choose.choices(self.names, k=2)
        forms = (f"{x} + 1", f"{x} - {y}", f"{x} * 0.5 + {y} * 0.5", f"{x} * -0.5", x, f"{y} - 2")
        return self.choose.choice(forms)

    def test(self) -> str:
        x, y = self.choose.choices(self.names, k=2)
        forms = (
            f"{x} > {self.choose.randint(-2, 3)}",
            f"{x} > 0 and {y} < 2",
            f"{x} < 0 or not {y} < 1",
            f"{x} + {y} <= 1",
            f"-2 < {x} <= 2",
            f"{self.choose.randint(0, 1)} == 1",
        )
        return self.choose.choice(forms)

    def result(self) -> str:
        x, y = self.choose.choices(self.names, k=2)
        return self.choose.choice((f"{x} + {y} * 2, {y} - {x}", f"{x} * 1, {y} * 1"))

    def assignment(self, depth: int, in_loop: bool) -> None:
        name = self.choose.choice(self.names)
        forms = (
            f"{name} = {self.expression()}",
            f"{name} += {self.choose.randint(-1, 2)}",
            f"{name}, {self.choose.choice(self.names)} = {self.expression()}, {self.expression()}",
            f"{name} = {self.expression()} if {self.test()} else {self.expression()}",
        )
        self.write(depth, self.choose.choice(forms))

    def branch(self, depth: int, in_loop: bool) -> None:
        self.write(depth, f"if {self.test()}:")
        self.block(depth + 1, in_loop)
        if self.choose.random() < 0.3:
            self.write(depth, f"elif {self.test()}:")
            self.block(depth + 1, in_loop)
        if self.choose.random() < 0.5:
            self.write(depth, "else:")
            self.block(depth + 1, in_loop)

    def while_loop(self, depth: int, in_loop: bool) -> None:
        counter = self.counter()
        self.write(depth, f"{counter} = 0")
        limit = self.choose.randint(1, 3)
        self.write(depth, f"while {counter} < {limit} and ({self.test()}):")
        self.write(depth + 1, f"{counter} += 1")
        self.block(depth + 1, in_loop=True)
        self.otherwise(depth, in_loop)

    def for_loop(self, depth: int, in_loop: bool) -> None:
        counter = self.counter()
        self.write(depth, f"for {counter} in range({self.choose.randint(0, 3)}):")
        self.write(depth + 1, f"{self.choose.choice(self.names)} += {counter}")
        self.block(depth + 1, in_loop=True)
        self.otherwise(depth, in_loop)

    def otherwise(self, depth: int, in_loop: bool) -> None:
        if self.choose.random() < 0.2:
            self.write(depth, "else:")
            self.block(depth + 1, in_loop)

    def leave(self, depth: int, in_loop: bool) -> None:
        """A jump; a test before it, most of the time."""
        jumps = [f"return {self.result()}"]
        if in_loop:
            jumps += ["break", "continue"]
        if self.choose.random() < 0.7:
            self.write(depth, f"if {self.test()}:")
            depth += 1
        self.write(depth, self.choose.choice(jumps))

    def counter(self) -> str:
        self.counters += 1
        return f"i{self.counters}"

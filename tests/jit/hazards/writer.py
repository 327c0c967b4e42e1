"""Writes a random function over what is hazardous to convert, and what it finds around it."""

from __future__ import annotations

import random
import re

from tests.jit.hazards.outside import OUTSIDE
from tests.jit.hazards.phrases import FLOATS, INNER, INTS, OUTER, PLAIN_TESTS, TENSORS, TESTS

CONSTANTS = ("-1.0", "0.0", "0.5", "1.0", "2.0", "-0.5")
PLACE = re.compile(r"<(v2|test|[tvnmkjc])>")
NAME = re.compile(r"[A-Za-z_]+")
DEPTH = 3
RETURN = "return a, b, m, j, items[0], items[-1], len(found), sum(numbers), words.getvalue()"
ASSIGNED = re.compile(r"^\s*([A-Z]+) (?:=|\+=) |; ([A-Z]+) (?:=|\+=) ", re.M)


class Writer:
    """Writes one module; the same seed gives the same text."""

    def __init__(self, seed: int):
        self.choose = random.Random(seed)
        self.counters = self.within = 0

    def module(self) -> str:
        """Its text: `function(x, y)`, `change(i)` and `seen()`."""
        lines = self.function()
        body = "\n".join(lines)
        needed = self.needed(body)
        changes = [c for name in needed for c in OUTSIDE[name].changes]
        chosen = [self.choose.choice(changes) for _ in range(3)] if changes else []
        seen = [OUTSIDE[name].seen for name in needed if OUTSIDE[name].seen]
        texts = [OUTSIDE[name].text for name in needed]
        told = [f"    if i == {i}:\n        {c}" for i, c in enumerate(chosen)]
        return "\n\n".join(
            [
                *texts,
                body,
                "\n".join(["def change(i):", *told, "    return None"]),
                "def seen():\n    return " + "".join(f"({s}), " for s in seen) + "None",
            ]
        )

    def needed(self, text: str) -> list[str]:
        """The names of `OUTSIDE` that a text uses, in the order in which they can be defined."""
        found: dict[str, None] = {}

        def add(name: str) -> None:
            for other in OUTSIDE[name].needs:
                add(other)
            found[name] = None

        for name in dict.fromkeys(NAME.findall(text)):
            if name in OUTSIDE:
                add(name)
        if self.choose.random() < 0.03:
            add("DTYPE")
        return list(found)

    def function(self) -> list[str]:
        """The function's lines."""
        body: list[str] = []
        for _ in range(self.choose.randint(2, 6)):
            body += self.statement(1, in_loop=False)
        text = "\n".join(body)
        globals_ = sorted({a or b for a, b in ASSIGNED.findall(text)} & OUTSIDE.keys())
        start = [
            "    a, b = x * 1, y + x",
            "    m, j = 1.5, 2",
            "    items, found, numbers, words = [a, b], {'o': a}, [2.0], io.StringIO()",
        ]
        end = f"    {RETURN}"
        head = [f"    global {', '.join(globals_)}"] if globals_ else []
        return ["def function(x, y):", *head, *start, *body, end]

    def fill(self, phrase: str, depth: int = 0) -> str:
        """A phrase with its places filled."""
        return PLACE.sub(lambda found: self.word(found[1], depth + 1), phrase)

    def word(self, kind: str, depth: int) -> str:
        """What fills one place. Deep inside, what is simple."""
        choose = self.choose
        if kind in ("v", "v2"):
            return choose.choice("ab")
        if kind in "mjc":
            return {"m": "m", "j": "j", "c": choose.choice(CONSTANTS)}[kind]
        if depth > DEPTH:
            return {"t": choose.choice("abxy"), "n": "m", "k": "j", "test": "a.sum() > 1"}[kind]
        tests = PLAIN_TESTS if choose.random() < 0.3 else TESTS
        phrases = {"t": TENSORS, "n": FLOATS, "k": INTS, "test": tests}[kind]
        simple = {"t": "<v>", "n": "<c>", "k": "<j>", "test": "<t>.sum() > <c>"}[kind]
        phrase = simple if choose.random() < 0.35 else choose.choice(phrases)
        made = self.fill(phrase, depth)
        is_atom = re.fullmatch(r"[\w.]+", made)
        return made if is_atom or kind == "test" and depth <= 1 else f"({made})"

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        """One statement, or several lines of one with a body."""
        pad = "    " * depth
        if self.choose.random() < (0.5, 0.3, 0.15)[min(depth, 3) - 1]:
            return self.compound(depth, in_loop)
        if depth > 1 and self.choose.random() < 0.12:
            jumps = [RETURN if not self.within else "return a + b", "raise ValueError('left')"]
            jumps += ["break", "continue"] * 2 if in_loop else []
            return [f"{pad}if {self.word('test', 1)}:", f"{pad}    {self.choose.choice(jumps)}"]
        is_outer = self.choose.random() < (0.5 if depth == 1 else 0.15)
        phrase = self.choose.choice(OUTER if is_outer else INNER)
        return [pad + line for line in self.fill(phrase).split("; ")]

    def block(self, depth: int, in_loop: bool) -> list[str]:
        """One to three statements."""
        made = [self.statement(depth, in_loop) for _ in range(self.choose.randint(1, 3))]
        return [line for lines in made for line in lines]

    def counter(self) -> str:
        self.counters += 1
        return f"i{self.counters}"

    def compound(self, depth: int, in_loop: bool) -> list[str]:
        """A statement with a body."""
        makers = [self.branch] * 5 + [self.while_loop, self.for_loop, self.for_loop]
        makers += [self.try_statement, self.with_statement, self.nested_function]
        return self.choose.choice(makers)(depth, in_loop)

    def branch(self, depth: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}if {self.word('test', 1)}:", *self.block(depth + 1, in_loop)]
        if self.choose.random() < 0.2:
            lines += [f"{pad}elif {self.word('test', 1)}:", *self.block(depth + 1, in_loop)]
        if self.choose.random() < 0.4:
            lines += [f"{pad}else:", *self.block(depth + 1, in_loop)]
        return lines

    def while_loop(self, depth: int, in_loop: bool) -> list[str]:
        pad, i = "    " * depth, self.counter()
        start = self.choose.choice((f"{i} = 0", f"{i} = paddle.to_tensor(0)"))
        test = self.choose.choice((f"{i} < 3", f"{i} < 3 and ({self.word('test', 1)})"))
        head = [f"{pad}{start}", f"{pad}while {test}:", f"{pad}    {i} += 1"]
        return [*head, *self.block(depth + 1, True), *self.otherwise(depth, in_loop)]

    def for_loop(self, depth: int, in_loop: bool) -> list[str]:
        pad, i = "    " * depth, self.counter()
        over, use = self.choose.choice(
            (
                (f"{i} in range(3)", f"a = a + {i}"),
                (f"{i} in range(int(paddle.abs(a).sum()) % 4)", f"a = a + {i}"),
                (f"{i} in a", f"b = b + {i}"),
                (f"{i} in b * 1", f"m = float({i})"),
                (f"{i}, u in enumerate([a, b])", "a = u + 1"),
                (f"{i}, u in zip(a, b)", f"b = b * 0.5 + u * {i}"),
                (f"{i} in list(items)", f"a = a * 0.5 + {i}"),
                (f"{i} in reversed([1.0, 2.0])", f"m = m + {i}"),
                (f"{i}, u in found.items()", "b = b + u"),
                (f"{i} in sorted(TABLE)", f"m = TABLE[{i}] + 0.5"),
                (f"{i} in rows_of(a)", f"b = b + {i}"),
                (f"{i} in (u * 0.5 for u in b)", f"a = a + {i}"),
                (f"{i} in NET.parameters()", f"a = a + {i}.sum().detach()"),
                (f"{i} in BOX", f"a = a + {i}"),
            )
        )
        head = [f"{pad}for {over}:", f"{pad}    {use}"]
        return [*head, *self.block(depth + 1, True), *self.otherwise(depth, in_loop)]

    def otherwise(self, depth: int, in_loop: bool) -> list[str]:
        if self.choose.random() > 0.15:
            return []
        return ["    " * depth + "else:", *self.block(depth + 1, in_loop)]

    def try_statement(self, depth: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}try:", *self.block(depth + 1, False)]
        risk = ("found['none']", "items[9]", "raise KeyError('k')", "1 // 0", "pass")
        lines.append(f"{pad}    {self.choose.choice(risk)}")
        kinds = ("LookupError", "(KeyError, ZeroDivisionError)", "Exception as error", "IndexError")
        lines += [f"{pad}except {self.choose.choice(kinds)}:", *self.block(depth + 1, False)]
        if self.choose.random() < 0.3:
            lines += [f"{pad}else:", *self.block(depth + 1, False)]
        if self.choose.random() < 0.3:
            lines += [f"{pad}finally:", *self.block(depth + 1, False)]
        return lines

    def with_statement(self, depth: int, in_loop: bool) -> list[str]:
        managers = (
            "paddle.no_grad()", "paddle.enable_grad()", "BOX as box", "tracked('t') as j",
            "contextlib.suppress(KeyError)", "contextlib.nullcontext(a) as b",
            "contextlib.ExitStack() as stack", "tracked('u'), BOX",
        )  # fmt: skip
        pad, manager = "    " * depth, self.choose.choice(managers)
        first = ["stack.enter_context(BOX)"] if "ExitStack" in manager else []
        head = [f"{pad}with {manager}:", *(f"{pad}    {line}" for line in first)]
        return [*head, *self.block(depth + 1, in_loop)]

    def nested_function(self, depth: int, in_loop: bool) -> list[str]:
        pad, name = "    " * depth, self.counter().replace("i", "inner")
        default = self.choose.choice(("", ", k=2.0", ", k=a", ", *rest, **named"))
        self.within += 1
        body = self.block(depth + 1, False)
        self.within -= 1
        starts = {"a": "a = u * 1", "b": "b = u + 1", "m": "m = 0.5", "j": "j = 1"}
        for shared in self.choose.choice(("am", "bj", "")):
            starts[shared] = f"nonlocal {shared}"
        first = [f"{pad}    {line}" for line in sorted(starts.values(), reverse=True)]
        lines = [f"{pad}def {name}(u{default}):", *first, *body]
        call = self.choose.choice((f"{name}(a)", f"{name}({self.word('t', 2)})"))
        return [*lines, f"{pad}    return a + b", f"{pad}b = {call} * 0.5"]

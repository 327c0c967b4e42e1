"""Commands as text, a line for each, and back: what is kept on disk and what one reads.

    place 0 feed "x" f32[4,8]
    kernel 0 llvm "kernel" "5e88..."
    launch 0 parts 2 grain 1 at once
      block 4: 0+0:128 -1+0:128 8

A span is place+offset:size; -1 is the arena, -2 the tables, -3 the flags. Arrays are compressed.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar, get_args

import numpy as np

from twinoar.compile.commands import (
    TABLES,
    Arrive,
    Block,
    Call,
    Check,
    Checked,
    Clear,
    Command,
    Commands,
    Copy,
    Host,
    If,
    Inner,
    Kernel,
    Launch,
    Place,
    Poke,
    Pop,
    Push,
    Repeat,
    Role,
    Span,
    Travel,
    Unless,
    Value,
    While,
    spans_of,
)
from twinoar.compile.target import Target
from twinoar.core.dtype import BY_KEY
from twinoar.core.op.library import Collective
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError

FORMAT = 6
END = "end"
Record = TypeVar("Record", Push, Pop)


def printed(commands: Commands) -> str:
    """The text of all of it."""
    return "\n".join(_lines(commands)) + "\n"


def derivation(c: Commands, does: Callable[[Kernel], str]) -> str:
    """What setup and packing do: equal for Commands that derive the same from the same states.

    does: what a kernel does.
    """
    used: dict[int, int] = {}  # the numbers of their kernels, and those of these alone
    lines: list[str] = []
    for at, found in (("setup", c.setup), *c.packing.items()):
        lines.append(str(at))
        for command in found:
            if isinstance(command, (Launch, Call)):
                number = used.setdefault(command.kernel, len(used))
                command = replace(command, kernel=number)
            tables = [s for s in spans_of(command) if s.place == TABLES]
            if isinstance(command, Launch):  # what a table holds counts, not where it lies
                command = replace(command, blocks=tuple(map(_anywhere, command.blocks)))
                held = c.tables.view(np.uint8)
                lines += [array_text(held[s.offset : s.offset + s.size]) for s in tables]
            elif tables:
                lines.append(array_text(c.tables))
            lines += _commands([command])
    lines += [f"{n} {_place(c.places[n])}" for n in sorted(c.sources)]
    return "\n".join([*lines, *(does(c.kernels[k]) for k in used)])


def _anywhere(block: Block) -> Block:
    """A block that does not tell where in memory its tables lie."""
    words = (
        w._replace(offset=0) if isinstance(w, Span) and w.place == TABLES else w
        for w in block.words
    )
    return replace(block, words=tuple(words))


def _lines(c: Commands) -> Iterator[str]:
    yield f"commands {FORMAT} {_quoted(c.name)}"
    yield f"target {_quoted(asdict(c.target))}"
    yield f"arena {c.arena} {c.needed}"
    yield f"tables {array_text(c.tables)}"
    yield from map(_kernel, c.kernels)
    yield from map(_place, c.places)
    for place, array in c.constants.items():
        yield f"constant {place} {array_text(array)}"
    for row in c.checked:
        yield f"checked {_quoted([row.names, row.sizes])}"
    yield "setup"
    yield from _commands(c.setup)
    for place, found in c.packing.items():
        yield f"packing {place}"
        yield from _commands(found)
    for found in c.batches:
        yield "batch"
        yield from _commands(found)
    for output in c.outputs:
        yield f"output {_result(output)}"
    for name, update in c.updates.items():
        yield f"update {_result(update)} {_quoted(name)}"
    yield END


def _kernel(k: Kernel) -> str:
    return f"kernel {k.kind} {int(k.polls)} {_quoted([k.name, k.source])}"


def _place(p: Place) -> str:
    head = f"place {p.role} {int(p.is_written)} {_numbers(p.order)} {_spec(p.spec)}"
    return f"{head} {_quoted(p.name)}"


def _commands(commands: Sequence[Command]) -> Iterator[str]:
    for c in commands:
        if isinstance(c, Launch):
            yield f"launch {c.kernel} {c.parts} {c.grain} {int(c.at_once)}"
            for b in c.blocks:
                words = (_span(w) if isinstance(w, Span) else str(w) for w in b.words)
                yield " ".join(["block", str(b.size), *words])
        elif isinstance(c, Call):
            yield " ".join(
                ["call", str(c.kernel), *(f"{name}={_span(s)}" for name, s in c.arguments)]
            )
        elif isinstance(c, Copy):
            yield f"copy {_span(c.target)} {_span(c.source)}"
        elif isinstance(c, Clear):
            yield f"clear {_span(c.target)}"
        elif isinstance(c, Check):
            yield "check"
        elif isinstance(c, Host):
            yield _host(c)
        elif isinstance(c, Travel):
            yield _travel(c)
            yield _host(c.host)
        elif isinstance(c, Arrive):
            yield f"arrive {c.flight}"
        elif isinstance(c, Poke):
            yield f"poke {_numbers(c.flights)}"
        elif isinstance(c, Unless):
            yield f"unless {_span(c.condition)}"
            yield _host(c.host)
        elif isinstance(c, Repeat):
            yield f"repeat {c.count}"
            for place, span, step in c.given:
                yield f"given {place} {_span(span)} {step}"
            yield from _lines(c.body)
        else:
            sides = (c.then, c.orelse) if isinstance(c, If) else (c.test, c.body)
            yield f"{'if' if isinstance(c, If) else 'while'} {_span(c.condition)}"
            if isinstance(c, While) and c.before is not None:
                yield _record("before", c.before)
            if isinstance(c, While) and c.after is not None:
                yield _record("after", c.after)
            for inner in sides:
                if isinstance(inner, Pop):
                    yield _record("pop", inner)
                else:
                    yield from (f"given {place} {_span(span)}" for place, span in inner.given)
                    yield from _lines(inner.body)


def _host(c: Host) -> str:
    both = [*map(_result, c.operands), *map(_result, c.results)]
    return " ".join(["host", str(c.kernel), str(len(c.operands)), *both])


def _travel(c: Travel) -> str:
    spans = f"{_span(c.source)} {_span(c.target)}"
    asked = _quoted([getattr(c.asked, f.name) for f in fields(c.asked)])
    return f"travel {c.flight} {int(c.is_awaited)} {_spec(c.given)} {spans} {asked}"


def _record(word: str, x: Push | Pop) -> str:
    return " ".join([word, str(x.stack), *map(_span, x.spans)])


def _quoted(x: object) -> str:
    return json.dumps(x, ensure_ascii=True, separators=(",", ":"))


def _span(s: Span) -> str:
    return f"{s.place}+{s.offset}:{s.size}"


def _numbers(numbers: Sequence[int] | None) -> str:
    return "-" if numbers is None else "[" + ",".join(map(str, numbers)) + "]"


def _spec(spec: Spec) -> str:
    return f"{spec.dtype.name}{_numbers(spec.shape)}"  # type: ignore[arg-type]  # known sizes


def array_text(array: np.ndarray) -> str:
    data = base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes(), 1)).decode()
    return f"{BY_KEY[array.dtype].name}{_numbers(array.shape)} {data}"


def _result(x: object) -> str:
    """A place, a value, a known array or none: one word."""
    if x is None:
        return "none"
    if isinstance(x, Value):
        return f"at;{_span(x.span)};{_spec(x.spec)};{_numbers(x.strides)}"
    if isinstance(x, np.ndarray):
        return "known;" + array_text(x).replace(" ", ";")
    return f"place;{x}"


def parsed(text: str) -> Commands:
    """What `printed` has printed. Raises ArgumentError for another text."""
    lines = _Lines(text.split("\n"))
    try:
        return _parsed(lines)
    except (ValueError, KeyError, IndexError, zlib.error) as error:
        raise ArgumentError(f"line {lines.at} is no line of commands: {error}") from None


class _Lines:
    """The lines, and which is next."""

    def __init__(self, lines: list[str]):
        self.lines, self.at = lines, 0

    def next(self) -> tuple[str, str]:
        """The first word of a line, and the rest."""
        word, _, rest = self.lines[self.at].partition(" ")
        self.at += 1
        return word, rest

    def is_next(self, *words: str) -> bool:
        """Whether the next line begins with one of the words."""
        return self.lines[self.at].partition(" ")[0] in words


def _parsed(lines: _Lines) -> Commands:
    word, rest = lines.next()
    version, name = rest.split(" ", 1)
    if word != "commands" or int(version) != FORMAT:
        raise ValueError(f"expected commands {FORMAT}, got {word} {version}")
    target = Target(**json.loads(lines.next()[1]))
    arena, needed = map(int, lines.next()[1].split(" "))
    tables = read_array(lines.next()[1])
    kernels, places, checked, outputs = [], [], [], []
    constants, packing, updates = {}, {}, {}
    setup: tuple[Command, ...] = ()
    batches = []
    while True:
        word, rest = lines.next()
        if word == "kernel":
            kind, polls, both = rest.split(" ", 2)
            called, source = json.loads(both)
            kernels.append(Kernel(kind, called, source, polls == "1"))
        elif word == "place":
            places.append(_read_place(rest))
        elif word == "constant":
            place, array = rest.split(" ", 1)
            constants[int(place)] = read_array(array)
        elif word == "checked":
            names, sizes = json.loads(rest)
            checked.append(Checked(tuple(names), tuple(sizes)))
        elif word == "setup":
            setup = _read_commands(lines)
        elif word == "packing":
            packing[int(rest)] = _read_commands(lines)
        elif word == "batch":
            batches.append(_read_commands(lines))
        elif word == "output":
            outputs.append(_read_result(rest))
        elif word == "update":
            where, quoted = rest.split(" ", 1)
            updates[json.loads(quoted)] = _read_result(where)
        elif word == END:
            break
        else:
            raise ValueError(f"got {word}")
    return Commands(
        json.loads(name), target, tuple(kernels), tuple(places), arena, needed, tables, constants,
        tuple(checked), setup, packing, tuple(batches), tuple(outputs), updates,
    )  # fmt: skip


COMMANDS = (
    "launch", "call", "copy", "clear", "check", "host", "travel", "arrive", "poke", "unless",
    "repeat", "if", "while",
)  # fmt: skip


def _read_commands(lines: _Lines) -> tuple[Command, ...]:
    found: list[Command] = []
    while lines.is_next(*COMMANDS):
        word, rest = lines.next()
        words = rest.split(" ")
        if word == "launch":
            kernel, parts, grain, at_once = map(int, words)
            blocks = []
            while lines.is_next("block"):
                blocks.append(_read_block(lines.next()[1]))
            found.append(Launch(kernel, tuple(blocks), parts, grain, bool(at_once)))
        elif word == "call":
            named = (argument.split("=") for argument in words[1:])
            found.append(Call(int(words[0]), tuple((n, _read_span(s)) for n, s in named)))
        elif word == "copy":
            found.append(Copy(*map(_read_span, words)))
        elif word == "clear":
            found.append(Clear(_read_span(rest)))
        elif word == "check":
            found.append(Check())
        elif word == "host":
            found.append(_read_host(words))
        elif word == "travel":
            found.append(_read_travel(rest, _read_host(lines.next()[1].split(" "))))
        elif word == "arrive":
            found.append(Arrive(int(rest)))
        elif word == "poke":
            found.append(Poke(_read_numbers(rest) or ()))
        elif word == "unless":
            found.append(Unless(_read_span(rest), _read_host(lines.next()[1].split(" "))))
        elif word == "repeat":
            moved = tuple((place, span, int(step)) for place, span, step in _read_given(lines))
            found.append(Repeat(_parsed(lines), int(rest), moved))
        elif word == "if":
            found.append(If(_read_span(rest), _read_inner(lines), _read_inner(lines)))
        else:
            before, after = (
                _read_record(lines, Push) if lines.is_next(when) else None
                for when in ("before", "after")
            )
            test = _read_record(lines, Pop) if lines.is_next("pop") else _read_inner(lines)
            found.append(While(_read_span(rest), test, _read_inner(lines), before, after))
    return tuple(found)


def _read_host(words: Sequence[str]) -> Host:
    count, values = int(words[1]), tuple(map(_read_result, words[2:]))
    return Host(int(words[0]), values[:count], values[count:])


def _read_travel(rest: str, host: Host) -> Travel:
    flight, awaited, spec, source, target, asked = rest.split(" ", 5)
    spans = _read_span(source), _read_span(target)
    described = Collective(*json.loads(asked))
    return Travel(int(flight), described, _read_spec(spec), *spans, awaited == "1", host)


def _read_record(lines: _Lines, kind: type[Record]) -> Record:
    stack, *spans = lines.next()[1].split(" ")
    return kind(int(stack), tuple(map(_read_span, spans)))


def _read_inner(lines: _Lines) -> Inner:
    given = tuple((place, span) for place, span in _read_given(lines))
    return Inner(_parsed(lines), given)


def _read_given(lines: _Lines) -> Iterator[Any]:
    """A place, where it lies, and what else stands there."""
    while lines.is_next("given"):
        place, span, *more = lines.next()[1].split(" ")
        yield int(place), _read_span(span), *more


def _read_block(rest: str) -> Block:
    size, *words = rest.split(" ")
    return Block(tuple([_read_span(w) if ":" in w else int(w) for w in words]), int(size))


def _read_span(text: str) -> Span:
    place, _, rest = text.partition("+")
    offset, _, size = rest.partition(":")
    return Span(int(place), int(offset), int(size))


def _read_place(rest: str) -> Place:
    role, written, order, spec, name = rest.split(" ", 4)
    if role not in get_args(Role):
        raise ValueError(f"got a place of {role}")
    return Place(
        role,  # type: ignore[arg-type]
        json.loads(name),
        _read_spec(spec),
        _read_numbers(order),
        written == "1",
    )


def _read_numbers(text: str) -> tuple[int, ...] | None:
    return None if text == "-" else tuple(json.loads(text))


def _read_spec(text: str) -> Spec:
    dtype, _, shape = text.partition("[")
    return Spec(tuple(json.loads("[" + shape)), BY_KEY[dtype])


def read_array(text: str) -> np.ndarray:
    head, _, data = text.partition(" ")
    spec = _read_spec(head)
    raw = bytearray(zlib.decompress(base64.b64decode(data)))
    return np.frombuffer(raw, spec.dtype.numpy).reshape(spec.shape)


def _read_result(text: str) -> Any:
    kind, _, rest = text.partition(";")
    if kind == "none":
        return None
    if kind == "place":
        return int(rest)
    if kind == "known":
        return read_array(rest.replace(";", " "))
    span, spec, strides = rest.split(";")
    return Value(_read_span(span), _read_spec(spec), _read_numbers(strides) or ())

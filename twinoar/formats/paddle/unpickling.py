"""Reading pickles without running anything: a reader of the pickle opcodes that cannot act.

It has no way to import a module, call a function or set an attribute. A name in the file is looked
up among the forms of data in `pickle_forms`; any other name is an UnsafeFileError before anything
is made of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from twinoar.errors import FileError, UnsafeFileError
from twinoar.formats.cursor import Bytes, Cursor
from twinoar.formats.paddle.pickle_forms import (
    BUILDERS,
    FORMS,
    Array,
    ElementType,
    Form,
    UnsafeForm,
    check_key,
)

MAX_DEPTH = 200  # nesting; Python's own recursion limit is 1000 frames
PROTOCOLS = (2, 3, 4)
PROTO, STOP, REFERENCE = 0x80, ord("."), ord("Q")


class Forms(NamedTuple):
    """What a pickle may hold besides containers, numbers and text.

    names: the names that it may contain. builders: what is made of the arguments of each. storage:
    what is made of a reference to something beside the pickle; None where there is nothing.
    """

    names: Mapping[str, Form]
    builders: Mapping[Form, Callable[[tuple], object]]
    storage: Callable[[object], object] | None = None


PADDLE = Forms(FORMS, BUILDERS)


class _Mark:
    """The place on the stack where the elements of a container begin."""


MARK = _Mark()


def read_pickle(data: Bytes, path: str, forms: Forms = PADDLE) -> object:
    """The object in the pickle `data`, of protocol 2, 3 or 4.

    It consists of containers, numbers, text, None, and what `forms` make. Raises UnsafeFileError if
    the pickle names anything else, FileError if it is damaged; `path` is for the messages.

    >>> import pickle
    >>> read_pickle(pickle.dumps({"epoch": 3}, protocol=4), "x.pdparams")
    {'epoch': 3}
    """
    return _Reader(Cursor(data, path), forms).run()


class _Reader:
    """The stack machine that a pickle is written for, less everything that acts."""

    def __init__(self, cursor: Cursor, forms: Forms):
        self.cursor, self.forms = cursor, forms
        self.stack: list = []
        self.memo: dict[int, object] = {}
        self.start = 0

    def run(self) -> object:
        """The object that the whole pickle describes."""
        self._begin()
        opcode = self._opcode()
        while opcode != STOP:
            self._step(opcode)
            opcode = self._opcode()
        result = self.pop()
        if self.stack:
            raise self.damaged("more than one object is left at its end")
        self._verify(result)
        return result

    def damaged(self, message: str) -> FileError:
        """The error at the present opcode."""
        return self.cursor.error(
            f"damaged pickle: {message}", at=self.start, cure="write or download the file again"
        )

    def unsafe(self, message: str) -> UnsafeFileError:
        """The error for what a real pickle loader would run."""
        found = self.cursor.error(message, at=self.start)
        return UnsafeFileError(
            found.message, cure="load only parameters that paddle.save or twinoar.save has written"
        )

    def push(self, value: object) -> None:
        """Put `value` on top of the stack."""
        self.stack.append(value)

    def pop(self) -> object:
        """Take the top of the stack, which must not be a mark."""
        if not self.stack or self.stack[-1] is MARK:
            raise self.damaged("an operand is missing")
        return self.stack.pop()

    def top(self, *kinds: type) -> object:
        """The top of the stack, which stays, and must be one of `kinds`."""
        if not self.stack or type(self.stack[-1]) not in kinds:
            raise self.damaged(f"expected a {kinds[0].__name__} before this opcode")
        return self.stack[-1]

    def pop_to_mark(self) -> list:
        """Take everything above the last mark, and the mark."""
        for position in range(len(self.stack) - 1, -1, -1):
            if self.stack[position] is MARK:
                items = self.stack[position + 1 :]
                del self.stack[position:]
                return items
        raise self.damaged("a mark is missing")

    def take(self, size_bytes: int) -> memoryview:
        """The bytes that follow their own count, which is an integer of `size_bytes` bytes."""
        return self.cursor.take(self.cursor.unsigned(size_bytes, "a size"), "a value")

    def _begin(self) -> None:
        head = bytes(self.cursor.data[:2])
        if len(head) < 2 or head[0] != PROTO or head[1] not in PROTOCOLS:
            raise self.cursor.error(
                f"expected a pickle of protocol 2, 3 or 4, received bytes {head.hex() or 'none'}",
                cure="give a file that paddle.save or twinoar.save has written",
            )
        self.cursor.take(2, "the protocol")

    def _opcode(self) -> int:
        self.start = self.cursor.offset
        return self.cursor.byte("an opcode")

    def _step(self, opcode: int) -> None:
        if opcode in ACTING and not (opcode == REFERENCE and self.forms.storage):
            raise self.unsafe(f"the file asks for code to be run (pickle opcode {ACTING[opcode]})")
        if opcode not in ACTIONS:
            raise self.damaged(f"opcode {opcode:#04x} is unknown")
        try:
            ACTIONS[opcode](self)
        except UnsafeForm as unsafe:
            raise self.unsafe(str(unsafe)) from None
        except (ValueError, TypeError) as failure:
            raise self.damaged(str(failure)) from failure

    def _verify(self, result: object) -> None:
        """Refuse what is half built, contains itself or is nested too deep; shared parts once."""
        finished: set[int] = set()
        inside: set[int] = set()
        pending: list[tuple[object, bool]] = [(result, False)]
        while pending:
            value, leaving = pending.pop()
            if leaving:
                inside.remove(id(value))
                finished.add(id(value))
                continue
            if isinstance(value, Form | ElementType | Array | _Mark):
                raise self.damaged("an object in it is not complete")
            if not isinstance(value, dict | list | tuple | set) or id(value) in finished:
                continue
            if id(value) in inside:
                raise self.damaged("an object contains itself")
            if len(inside) == MAX_DEPTH:
                raise self.damaged(f"objects are nested deeper than {MAX_DEPTH} levels")
            inside.add(id(value))
            pending.append((value, True))
            pending.extend((part, False) for part in _parts(value))


def _parts(value: dict | list | tuple | set) -> list:
    return [*value.keys(), *value.values()] if isinstance(value, dict) else list(value)


def _append(reader: _Reader) -> None:
    item = reader.pop()
    reader.top(list).append(item)  # type: ignore[attr-defined]


def _extend(reader: _Reader) -> None:
    items = reader.pop_to_mark()
    reader.top(list).extend(items)  # type: ignore[attr-defined]


def _fill(reader: _Reader, items: list) -> None:
    """Keys and values, in turn, into the dict on top of the stack."""
    target = reader.top(dict, OrderedDict)
    if len(items) % 2:
        raise ValueError("a key has no value")
    for key, value in zip(items[::2], items[1::2], strict=True):
        check_key(key)
        target[key] = value  # type: ignore[index]


def _set_item(reader: _Reader) -> None:
    value, key = reader.pop(), reader.pop()
    _fill(reader, [key, value])


def _make_dict(reader: _Reader) -> None:
    items = reader.pop_to_mark()
    reader.push({})
    _fill(reader, items)


def _add_to_set(reader: _Reader) -> None:
    items = reader.pop_to_mark()
    for item in items:
        check_key(item)
    reader.top(set).update(items)  # type: ignore[attr-defined]


def _make_tuple(reader: _Reader, size: int) -> None:
    items = [reader.pop() for _ in range(size)]
    reader.push(tuple(reversed(items)))


def _discard(reader: _Reader) -> None:
    """POP: drops a mark too."""
    if not reader.stack:
        raise ValueError("an operand is missing")
    reader.stack.pop()


def _remember(reader: _Reader, index: int) -> None:
    if not reader.stack or reader.stack[-1] is MARK:
        raise ValueError("nothing to remember")
    reader.memo[index] = reader.stack[-1]


def _recall(reader: _Reader, index: int) -> None:
    if index not in reader.memo:
        raise ValueError(f"object {index} was not remembered")
    value = reader.memo[index]
    if isinstance(value, Array) and value.value is not None:
        value = value.value
    reader.push(value)


def _form(reader: _Reader, module: object, name: object) -> None:
    if not isinstance(module, str) or not isinstance(name, str):
        raise ValueError("expected the name of a form")
    form = reader.forms.names.get(f"{module}.{name}")
    if form is None:
        raise UnsafeForm(f"the file asks for {module[:100]}.{name[:100]}, which could run code")
    reader.push(form)


def _form_by_name(reader: _Reader) -> None:
    module = str(reader.cursor.line("a module name"), "utf-8")
    _form(reader, module, str(reader.cursor.line("a name"), "utf-8"))


def _form_from_stack(reader: _Reader) -> None:
    name, module = reader.pop(), reader.pop()
    _form(reader, module, name)


def _reduce(reader: _Reader) -> None:
    """What a real loader would call: here a form of data and its parts."""
    arguments, form = reader.pop(), reader.pop()
    known = reader.forms.builders
    if not isinstance(form, Form) or form not in known or type(arguments) is not tuple:
        raise ValueError("expected a known form and its arguments")
    reader.push(known[form](arguments))


def _refer(reader: _Reader) -> None:
    """BINPERSID: what lies beside the pickle."""
    assert reader.forms.storage is not None
    reader.push(reader.forms.storage(reader.pop()))


def _build(reader: _Reader) -> None:
    """Complete the array or element type that lies below its state."""
    state, target = reader.pop(), reader.pop()
    if reader.forms.storage and type(target) is OrderedDict and _is_metadata(state):
        reader.push(target)
        return
    if not isinstance(target, Array | ElementType):
        raise UnsafeForm("the file asks for the attributes of an object to be set")
    if type(state) is not tuple:
        raise ValueError("expected the state of an array")
    completed = target.complete(state)
    reader.push(target if completed is None else completed)


def _is_metadata(state: object) -> bool:
    """True for what torch notes on a state dict: versions of layers, which are left out."""
    return type(state) is dict and list(state) == ["_metadata"]


# The opcodes: https://docs.python.org/3/library/pickletools.html
ACTIONS: dict[int, Callable[[_Reader], object]] = {
    0x95: lambda r: r.cursor.take(8, "a frame size"),  # FRAME: what it spans is checked by itself
    ord("("): lambda r: r.push(MARK),
    ord("0"): _discard,
    ord("1"): lambda r: r.pop_to_mark(),
    ord("N"): lambda r: r.push(None),
    0x88: lambda r: r.push(True),
    0x89: lambda r: r.push(False),
    ord("K"): lambda r: r.push(r.cursor.unsigned(1, "a number")),
    ord("M"): lambda r: r.push(r.cursor.unsigned(2, "a number")),
    ord("J"): lambda r: r.push(r.cursor.signed(4, "a number")),
    0x8A: lambda r: r.push(int.from_bytes(r.take(1), "little", signed=True)),
    0x8B: lambda r: r.push(int.from_bytes(r.take(4), "little", signed=True)),
    ord("G"): lambda r: r.push(r.cursor.double("a number")),
    0x8C: lambda r: r.push(str(r.take(1), "utf-8", "surrogatepass")),
    ord("X"): lambda r: r.push(str(r.take(4), "utf-8", "surrogatepass")),
    0x8D: lambda r: r.push(str(r.take(8), "utf-8", "surrogatepass")),
    ord("U"): lambda r: r.push(str(r.take(1), "latin1")),  # text of Python 2, as Paddle reads it
    ord("T"): lambda r: r.push(str(r.take(4), "latin1")),
    ord("C"): lambda r: r.push(bytes(r.take(1))),
    ord("B"): lambda r: r.push(bytes(r.take(4))),
    0x8E: lambda r: r.push(bytes(r.take(8))),
    ord("]"): lambda r: r.push([]),
    ord("}"): lambda r: r.push({}),
    ord(")"): lambda r: r.push(()),
    0x8F: lambda r: r.push(set()),
    ord("a"): _append,
    ord("e"): _extend,
    ord("l"): lambda r: r.push(r.pop_to_mark()),
    ord("s"): _set_item,
    ord("u"): lambda r: _fill(r, r.pop_to_mark()),
    ord("d"): _make_dict,
    0x90: _add_to_set,
    ord("t"): lambda r: r.push(tuple(r.pop_to_mark())),
    0x85: lambda r: _make_tuple(r, 1),
    0x86: lambda r: _make_tuple(r, 2),
    0x87: lambda r: _make_tuple(r, 3),
    ord("q"): lambda r: _remember(r, r.cursor.unsigned(1, "an index")),
    ord("r"): lambda r: _remember(r, r.cursor.unsigned(4, "an index")),
    0x94: lambda r: _remember(r, len(r.memo)),
    ord("h"): lambda r: _recall(r, r.cursor.unsigned(1, "an index")),
    ord("j"): lambda r: _recall(r, r.cursor.unsigned(4, "an index")),
    ord("c"): _form_by_name,
    0x93: _form_from_stack,
    ord("R"): _reduce,
    ord("b"): _build,
    REFERENCE: _refer,
}

# Opcodes that make a real loader import or call something.
ACTING = {
    ord("i"): "INST",
    ord("o"): "OBJ",
    0x81: "NEWOBJ",
    0x92: "NEWOBJ_EX",
    0x82: "EXT1",
    0x83: "EXT2",
    0x84: "EXT4",
    ord("P"): "PERSID",
    REFERENCE: "BINPERSID",
}

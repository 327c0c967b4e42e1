"""What a library says of its operators, read: slots, attributes, and which functions there are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from types import GenericAlias
from typing import Any

import numpy as np

from twinoar.core.op.attr import REQUIRED
from twinoar.core.op.definition import RESERVED
from twinoar.errors import ExtensionError
from twinoar.late import dataclass

GRAD, NEW, VECTOR, OPTIONAL = "@GRAD", "@NEW", "@VECTOR", "@OPTIONAL"
INTERFACE = "1"  # the number that `library.h` has for the functions of the library

# Element types of attributes: Python's, that of the array which C++ reads, and the kind in files.
ELEMENTS = {
    "bool": (bool, "?", "BOOLEAN"),
    "int": (int, "i4", "INT"),
    "int64_t": (int, "i8", "LONG"),
    "float": (float, "f4", "FLOAT"),
    "double": (float, "f8", "FLOAT64"),
    "std::string": (str, "", "STRING"),
}
LIST = re.compile(r"std::vector<(.*)>")


@dataclass(frozen=True)
class Slot:
    """An input or output: its name in C++, `X@VECTOR`, and what the marks in it say."""

    declared: str

    @cached_property
    def name(self) -> str:
        """The name less the marks for lists and optional tensors: `X`, `X@GRAD`."""
        return self.declared.replace(VECTOR, "").replace(OPTIONAL, "")

    @cached_property
    def is_list(self) -> bool:
        """True where it holds a list of tensors."""
        return VECTOR in self.declared

    @cached_property
    def is_optional(self) -> bool:
        """True where it may be None."""
        return OPTIONAL in self.declared

    @cached_property
    def python_name(self) -> str:
        """The name as a parameter in Python, in lower case as Paddle has it."""
        return parameter_name(self.name.lower())


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute: the type of its elements in Python, in C++ and in files."""

    name: str
    element: type
    is_list: bool
    stored: str
    kind: str
    default: Any = REQUIRED

    @property
    def annotation(self) -> Any:
        """What an operator's signature says of it."""
        return GenericAlias(tuple, (self.element, ...)) if self.is_list else self.element

    def packed(self, value: Any) -> tuple[Any, int]:
        """The elements as C++ reads them (an array, or bytes), and their number.

        Raises ExtensionError for an integer that the type does not hold.
        """
        elements = value if self.is_list else (value,)
        if self.element is str:
            return b"".join(text.encode() + b"\0" for text in elements), len(elements)
        try:
            return np.array(elements, self.stored), len(elements)
        except OverflowError:
            raise ExtensionError(
                f"the attribute {self.name} is {value!r}, which a C++ int cannot hold",
                cure="declare it as int64_t in Attrs",
            ) from None


@dataclass(slots=True)
class Declaration:
    """One operator as it was declared; `index` is its number in the library."""

    name: str
    index: int
    inputs: list[Slot] = field(default_factory=list)
    outputs: list[Slot] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    inplace: dict[str, str] = field(default_factory=dict)  # output -> input, as declared
    infers: set[str] = field(default_factory=set)

    def add(self, word: str, text: str) -> None:
        """Take over one line of the description."""
        match word:
            case "input":
                self.inputs.append(Slot(text))
            case "output":
                self.outputs.append(Slot(text))
            case "attribute":
                self.attributes.append(read_attribute(self.name, text))
            case "inplace":
                source, target = text.split()
                self.inplace[target] = source
            case "infers":
                self.infers.add(text)


def read_description(text: str, path: str) -> tuple[list[str], list[Declaration]]:
    """The element types in the order of their numbers, which begin at 1, and the operators.

    Raises ExtensionError for a library that was built against another interface.
    """
    dtypes: list[str] = []
    found: list[Declaration] = []
    for word, content in _lines(text):
        match word:
            case "interface":
                if content != INTERFACE:
                    raise ExtensionError(
                        f"{path} has interface {content}, this twinoar has {INTERFACE}",
                        cure="build it again",
                    )
            case "dtype":
                dtypes.append(content)
            case "operator":
                found.append(Declaration(content, len(found)))
            case _:
                found[-1].add(word, content)
    return dtypes, found


def read_attribute(operator: str, text: str) -> Attribute:
    """An attribute from `name: type` or `name: type = default`. Raises ExtensionError."""
    name, _, rest = text.partition(":")
    kind, given, default = (part.strip() for part in rest.partition("="))
    kind = kind.replace(" ", "")
    listed = LIST.fullmatch(kind)
    element = listed[1] if listed else kind
    if element not in ELEMENTS:
        raise ExtensionError(
            f"the attribute {name.strip()} of {operator} has the type {kind!r}",
            cure=f"the types are {', '.join(ELEMENTS)}, and std::vector of these",
        )
    python, stored, in_file = ELEMENTS[element]
    return Attribute(
        parameter_name(name.strip()),
        python,
        listed is not None,
        stored,
        in_file + "S" if listed else in_file,
        _default(operator, text, default) if given else REQUIRED,
    )


def parameter_name(name: str) -> str:
    """A name of C++ as one of a parameter in Python that means nothing else in operators."""
    plain = re.sub(r"\W", "_", name.replace("@", "_"))
    return f"{plain}_" if plain in RESERVED else plain


def _default(operator: str, declaration: str, text: str) -> Any:
    words = {"true": True, "false": False}
    try:
        value = (
            words[text]
            if text in words
            else ast.literal_eval(text.replace("{", "[").replace("}", "]"))
        )
    except (ValueError, SyntaxError):
        raise ExtensionError(
            f"the default in {declaration!r} of {operator} is not a value",
            cure='write it as in "alpha: float = 0.5"',
        ) from None
    return tuple(value) if isinstance(value, list) else value


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        word, _, content = line.partition(" ")
        yield word, content

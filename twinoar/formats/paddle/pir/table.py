"""How Paddle 3 spells the operators of a `.pdmodel`: the facts of `operators.json`.

A form is written `"matmul_v2": {"op": "matmul", "inputs": ["X", "Y"], "outputs": ["Out"], "attrs":
{"transpose_x": "bool trans_x"}}`. An operand is

- a slot, with `*` where it is a list;
- an attribute and its kind, `axis:scalar:int32`, which a constant gives;
- both, `K|k:scalar:int32`, where a tensor may stand in place of the constant, and
  `Shape/ShapeTensor|shape:ints` where a list of tensors has a slot of its own;
- after `=`, a constant that a `.pdmodel` does not have.

An attribute has a kind, and the name that a `.pdmodel` gives it, where that is another; or
`=` and what it always is; or `-` where a `.pdmodel` has none. What follows `/` in the name of a
form tells it from others of its type.
"""

from __future__ import annotations

import json
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from twinoar.late import dataclass


@dataclass(frozen=True)
class Slot:
    """An operand or result: a slot of tensors, an attribute that a constant gives, or either.

    name: the slot, empty where there is none. many: that of a list. attribute, kind: "ints",
    "scalar:float32", or "text:float64" for numbers that a `.pdmodel` keeps as text.
    """

    name: str
    many: str = ""
    attribute: str = ""
    kind: str = ""
    constant: Any = None  # what it always is


@dataclass(frozen=True)
class Attribute:
    """An attribute by its name in a `.pdmodel`, empty where it has none; or what it always is."""

    kind: str
    name: str
    constant: Any = None


@dataclass(frozen=True)
class Form:
    """One operator: its type in a `.pdmodel`, and its spelling in Paddle 3.

    sets: attributes of a `.pdmodel` that the operator's name alone tells. drops: those that Paddle
    3 does not have, and the value that they may have, None for any. refused: why it is read and not
    written.
    """

    type: str
    op: str
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    attrs: dict[str, Attribute]
    sets: dict[str, Any] = field(default_factory=dict)
    drops: dict[str, Any] = field(default_factory=dict)
    refused: str = ""


def _slot(text: str) -> Slot:
    if text.startswith("="):
        number, _, kind = text[1:].partition(":")
        return Slot("", kind=kind, constant=float(number))
    name, bar, rest = text.partition("|")
    if not bar and ":" in text:
        name, rest = "", text
    attribute, _, kind = rest.partition(":")
    if name.endswith("*"):
        return Slot("", name[:-1])
    one, _, many = name.partition("/")
    return Slot(one, many, attribute, kind)


def _attribute(key: str, text: str) -> Attribute:
    kind, _, rest = text.partition(" ")
    if rest.startswith("="):
        return Attribute(kind, "", json.loads(rest[1:]))
    return Attribute(kind, "" if rest == "-" else rest or key)


@cache
def forms() -> tuple[Form, ...]:
    """All forms, in the order of the file."""
    told = json.loads((Path(__file__).parent / "operators.json").read_text())
    return tuple(
        Form(
            key.partition("/")[0],
            f["op"],
            tuple(map(_slot, f["inputs"])),
            tuple(map(_slot, f["outputs"])),
            {name: _attribute(name, text) for name, text in f["attrs"].items()},
            f.get("sets", {}),
            f.get("drops", {}),
            f.get("refused", ""),
        )
        for key, f in told.items()
    )


@cache
def forms_by_op() -> dict[str, Form]:
    """The form of each operator by its name in Paddle 3."""
    return {form.op: form for form in forms()}

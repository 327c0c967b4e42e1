"""How an operator stands in Paddle's ProgramDesc: one declaration for writing and for reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from twinoar.late import dataclass


@dataclass(frozen=True)
class Desc:
    """The file form of one operator.

    type: Paddle's operator type.
    inputs: Paddle's slot -> our operand's name, or the names of those in it. A slot of a variadic
        operand holds all of it; one with None in place of a name is written empty, as Paddle's own
        files have it.
    outputs: Paddle's output slots, one per result; `extra_outputs` are written and not read
        (XShape, Mask), those that are both where there is no such result.
    attrs: Paddle's attribute -> our attribute's name, or (name, to_paddle, from_paddle) where the
        values differ. None is not written.
    fixed: Paddle's attributes with one value under this operator; on reading they choose among
        operators that share a type, and another value is an error unless `read` deals with it.
    write: (attrs, specs) -> Paddle's attributes, for what the tables cannot say; merged over them.
        specs are the operands'.
    read: (slots, attrs) -> results, called under a Builder with the Variables of each slot and
        Paddle's attributes; takes the place of the tables on reading. Returns one value or a tuple,
        in the order of `outputs`.
    names: how many names of its kind Paddle's static API uses up for one call; it shows in the
        names of results.
    reads: further Paddle types (older or newer spellings) that `read`, or the tables, understand.
    size_slots: Paddle's attribute -> the slot of tensors, one a size, that takes its place where a
        size in it is not known before the run.
    prepare: (operands, attrs) -> operands, called under a Builder before writing: what Paddle's
        kernel wants of them and ours does not, such as equal shapes.
    expands: True where a file holds the body of the operator; the rest is what Paddle calls it.
    """

    type: str
    inputs: Mapping[str, str | tuple[str, ...] | None] = field(default_factory=dict)
    outputs: tuple[str, ...] = ("Out",)
    attrs: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    extra_outputs: tuple[str, ...] = ()
    write: Callable[..., dict[str, Any]] | None = None
    read: Callable[..., Any] | None = None
    names: int = 1
    reads: tuple[str, ...] = ()
    size_slots: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[tuple[Any, ...], Mapping[str, Any]], tuple[Any, ...]] | None = None
    expands: bool = False

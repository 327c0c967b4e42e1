"""What an Operator says of itself by Paddle's names: slots, attributes, roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.near import near_names
from twinoar.core.op.definition import Op
from twinoar.core.op.slots import AttrType, Slots, kind_of, own_attribute
from twinoar.errors import SourceLine, UnknownNameError, UnsupportedError

ROLES = ("forward", "backward", "optimize")  # by the numbers of Paddle's attribute op_role
MARKS = ("op_namescope", "op_device")
LISTS_OF_NAMES = ("op_role_var", "op_callstack")


class Described:
    """The half of Operator that shows it as Paddle does."""

    __slots__ = ("attrs", "marks", "op", "operands", "results", "role", "source")
    op: Op
    operands: tuple[Any, ...]
    results: tuple[Any, ...]
    attrs: dict[str, Any]
    source: SourceLine | None
    role: str
    marks: Mapping[str, str]
    block: Any

    @property
    def type(self) -> str:
        """The operator's type as Paddle spells it."""
        return self.op.type

    @property
    def input_arg_names(self) -> list[str]:
        """Names of the Variables it reads."""
        return [v.name for v in self.operands if hasattr(v, "home")]

    @property
    def output_arg_names(self) -> list[str]:
        """Names of the Variables it defines."""
        return [v.name for v in self.results if v is not None]

    @property
    def input_names(self) -> list[str]:
        """Paddle's slots for what it reads; our operands' names where Paddle has no such type."""
        return list(self.op.input_slots(self.operands, self.attrs))

    @property
    def output_names(self) -> list[str]:
        """Paddle's slots for what it defines."""
        return list(self.op.output_slots(self.results, self.attrs))

    def input(self, name: str) -> list[str]:
        """Names of the Variables in the input slot `name`. Raises UnknownNameError."""
        return self._in_slot("input", name, self.op.input_slots(self.operands, self.attrs))

    def output(self, name: str) -> list[str]:
        """Names of the Variables in the output slot `name`. Raises UnknownNameError."""
        return self._in_slot("output", name, self.op.output_slots(self.results, self.attrs))

    @property
    def attr_names(self) -> list[str]:
        """Names of the attributes, as Paddle spells them."""
        return list(self.all_attrs())

    def attr(self, name: str) -> Any:
        """The attribute `name`, Paddle's or ours. Raises UnknownNameError."""
        return self._known(name, {**self.attrs, **self.all_attrs()})

    def has_attr(self, name: str) -> bool:
        """True if there is an attribute `name`."""
        return name in self.attrs or name in self.all_attrs()

    def attr_type(self, name: str) -> AttrType:
        """The kind of the attribute `name`. Raises UnknownNameError."""
        return AttrType.STRINGS if name in LISTS_OF_NAMES else kind_of(self.attr(name))

    def all_attrs(self) -> dict[str, Any]:
        """All attributes by Paddle's names, with what it notes on every operator."""
        noted = {
            "op_role": ROLES.index(self.role),
            "op_role_var": [],
            "op_namescope": self.marks.get("op_namescope", "/"),
            "op_device": self.marks.get("op_device", ""),
            "op_callstack": [] if self.source is None else [f"{self.source}"],
        }
        return self.op.shown_attrs(self.operands, self.attrs) | noted

    def _set_attr(self, name: str, value: Any) -> None:
        """Set the attribute `name`, Paddle's or ours. Raises UnknownNameError, ArgumentError."""
        if name in MARKS:
            self.marks = {**self.marks, name: value}
            return
        found = own_attribute(self.op.rules.get("desc"), self.op.attrs, name, value)
        if found is None:
            shown = self._known(name, {**self.attrs, **self.all_attrs()})
            if shown != value:
                raise UnsupportedError(
                    f"{name} of {self.type} follows from {list(self.attrs)}, it is {shown!r}",
                    cure="set one of those",
                )
            return
        self.attrs = {**self.attrs, found[0]: found[1]}
        if self.block is not None:
            self.block.changed(self)

    def _is_backward_op(self) -> bool:
        """True for an operator of the backward pass."""
        return self.role == "backward"

    def _is_optimize_op(self) -> bool:
        """True for an operator of an optimizer."""
        return self.role == "optimize"

    def _in_slot(self, kind: str, name: str, slots: Slots) -> list[str]:
        if name not in slots:
            raise UnknownNameError(
                f"operator {self.type} has no {kind} {name!r}", cure=near_names(name, slots)
            )
        return [v.name for v in slots[name] if hasattr(v, "home")]

    def _known(self, name: str, found: dict[str, Any]) -> Any:
        if name not in found:
            raise UnknownNameError(
                f"operator {self.type} has no attribute {name!r}", cure=near_names(name, found)
            )
        return found[name]

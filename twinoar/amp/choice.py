"""In which precision each operator computes under `auto_cast`: the value that a Policy carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from twinoar.core.dtype import DType, bfloat16, float16, float32
from twinoar.core.op.definition import Op
from twinoar.core.values import Value
from twinoar.late import dataclass
from twinoar.ops.math.cast import cast

LOW = (float16, bfloat16)
CAST = (*LOW, float32)  # float64 is what somebody asked for


@dataclass(frozen=True)
class Autocast:
    """Casts operands to what an operator computes in, as its `amp` rule and the lists say.

    level: "OD", all in float32 but what is "low"; "O1"; or "O2", where "high" counts as "promote".
    dtype: the low one. white, black: operators, by Paddle's type or by their own name, that are
    "low" or "full" whatever their rule. use_promote: at level O2, False makes "promote" low.
    """

    level: str
    dtype: DType
    white: frozenset[str] = frozenset()
    black: frozenset[str] = frozenset()
    use_promote: bool = True
    _known: dict[Op, str] = field(default_factory=dict, compare=False, repr=False)

    def cast(self, op: Op, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """The operands of `op` in its precision: the `Autocast` of `core.policy`."""
        kind = self._known.get(op)
        if kind is None:
            kind = self._known[op] = self.kind_of(op)
        if kind == "keep":
            return operands
        chosen = op.rules.get("amp_operands")
        if chosen is None:
            places: Iterable[int] = range(len(operands))
        else:
            names = [o.name for o in op.operands]
            places = [names.index(name) for name in chosen]
        wanted = self._wanted(kind, [operands[n] for n in places])
        found = list(operands)
        for n in places:
            x = operands[n]
            if isinstance(x, Value) and x.dtype is not wanted and x.dtype in CAST:
                found[n] = cast(x, wanted)
        return tuple(found)

    def kind_of(self, op: Op) -> str:
        """What is made of an operator at this level: one of PRECISIONS."""
        kind = op.precision
        if kind == "keep":
            return kind
        names = {op.type, op.name}
        if names & self.black:
            return "full"
        if names & self.white:
            return "low"
        if self.level == "OD":
            return kind if kind == "low" else "full"
        if self.level == "O2":
            kind = "promote" if kind == "high" else kind
            return "low" if kind == "promote" and not self.use_promote else kind
        return kind

    def _wanted(self, kind: str, operands: list[Any]) -> DType:
        if kind == "low":
            return self.dtype
        if kind != "promote":
            return float32
        is_wide = any(isinstance(x, Value) and x.dtype is float32 for x in operands)
        return float32 if is_wide else self.dtype


def names_of_operators(operators: Iterable[Op]) -> Iterator[str]:
    """All names by which lists may mean operators."""
    for op in operators:
        yield op.type
        yield op.name

"""The difference of two Programs: operators side by side, what was added, removed, changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, get_args

from twinoar.core.ir.program import Block, Operator, Variable

Kind = Literal["same", "changed", "removed", "added"]
KINDS = get_args(Kind)


@dataclass(frozen=True)
class Pair:
    """An operator of one Program and what stands in its place in the other.

    changes: what differs of a changed one, such as `result: f32[4,8] to f32[4,16]`.
    """

    kind: Kind
    left: Operator | None
    right: Operator | None
    changes: tuple[str, ...] = ()


def differences(left: Sequence[Operator], right: Sequence[Operator]) -> list[Pair]:
    """The operators of two Programs in order, those that do the same beside each other.

    Names of values do not count. What stands between equal ones is paired by the operators' names:
    such a pair is changed; others were removed, or added.
    """
    pairs: list[Pair] = []
    for tag, a, b, c, d in _opcodes([_key(o) for o in left], [_key(o) for o in right]):
        if tag == "equal":
            both = zip(left[a:b], right[c:d], strict=True)
            pairs += [Pair("same", x, y) for x, y in both]
        else:
            pairs += _between(left[a:b], right[c:d])
    return pairs


def _between(left: Sequence[Operator], right: Sequence[Operator]) -> Iterator[Pair]:
    names = [o.op.name for o in left], [o.op.name for o in right]
    for tag, a, b, c, d in _opcodes(*names):
        if tag == "equal":
            for x, y in zip(left[a:b], right[c:d], strict=True):
                yield Pair("changed", x, y, tuple(_changes(x, y)))
        else:
            yield from (Pair("removed", o, None) for o in left[a:b])
            yield from (Pair("added", None, o) for o in right[c:d])


def _opcodes(left: Sequence[str], right: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()


def _key(o: Operator) -> str:
    """What an operator does, without names of values."""
    return f"{o.role} {o.op.name} {_operands(o)} {_attrs(o)} {_results(o)}"


def _changes(left: Operator, right: Operator) -> Iterator[str]:
    attrs = _attrs(left), _attrs(right)
    for name in dict.fromkeys([*attrs[0], *attrs[1]]):
        x, y = (found.get(name, "nothing") for found in attrs)
        if x != y:
            yield f"{name}: {x} to {y}"
    for what, x, y in (
        ("operands", _operands(left), _operands(right)),
        ("result", _results(left), _results(right)),
        ("role", left.role, right.role),
    ):
        if x != y:
            yield f"{what}: {x} to {y}"


def _attrs(o: Operator) -> dict[str, str]:
    return {name: _text(value) for name, value in o.attrs.items()}


def _operands(o: Operator) -> str:
    return ", ".join(map(_text, o.operands))


def _results(o: Operator) -> str:
    return ", ".join("_" if v is None else _text(v) for v in o.results)


def _text(value: Any) -> str:
    """A value by its shape and dtype, a block by what its operators do, others as they are."""
    if isinstance(value, Variable):
        return str(value.spec)
    if isinstance(value, Block):
        return f"{{{'; '.join(map(_key, value.ops))}}}"
    return repr(value)

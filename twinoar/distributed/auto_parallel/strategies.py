"""How an operator may be divided along one dimension of a mesh, derived from what an element is.

A strategy says how each operand lies and how each result then does, if every rank calls the
operator on its parts. It is read off the element of a result, in the loop language: where a
counter is an index of operands and nothing else, all of them may be cut there. Two elements,
of sizes n and 2n, must be the same but for the ends of that counter; so an operator that asks how
long the dimension is, as a mean does, is not cut along it, and neither is one that looks beside
the element. A rule `shard` of an operator says more than its element does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from twinoar.compile.element import result_reader
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Variable
from twinoar.core.loop.expression import Axis, Expr, axis_value, make
from twinoar.core.loop.language import Reader, compute_dtype
from twinoar.core.op.definition import Op
from twinoar.core.spec import Spec
from twinoar.errors import TwinoarError

Lie = int | str | None  # cut along that dimension, to be combined by that reduction, or whole
WHOLE: Lie = None
SUM = "sum"
COMBINED = ("sum", "prod", "max", "min", "any", "all")  # reductions whose parts combine as they do


@dataclass(frozen=True)
class Strategy:
    """How operands lie along a dimension of a mesh, and how results do that come of them.

    takes: of each operand, WHOLE for literals. gives: of each result. equal: whether what is cut
    must be cut into equal parts.
    """

    takes: tuple[Lie, ...]
    gives: tuple[Lie, ...]
    equal: bool = False

    def __str__(self) -> str:
        return f"{_shown(self.takes)} -> {_shown(self.gives)}"


def _shown(lies: Sequence[Lie]) -> str:
    return ", ".join(
        "R" if lie is WHOLE else f"S{lie}" if isinstance(lie, int) else f"P({lie})" for lie in lies
    )


def strategies(
    op: Op, operands: Sequence[Any], attrs: Mapping[str, Any], specs: Sequence[Spec | None]
) -> list[Strategy]:
    """All ways to divide a call, but for that in which every rank does all of it.

    operands: a Spec or a literal each, of the whole call, as `specs` are of its results.
    """
    rule, found = op.rules.get("shard"), list[Strategy]()
    with suppress(TwinoarError):  # its element may be of other operands alone
        found += _Call(op, operands, attrs, specs).cuts()
    if "apart" in op.rules:
        found += _apart(op.rules["apart"], operands, attrs, specs)
    if rule is not None:
        ways = rule(*operands, specs=specs, **attrs)
        found += [Strategy(takes, gives, equal=True) for takes, gives in ways]
    return list(dict.fromkeys(found))


def _apart(
    rule: str | int, operands: Sequence[Any], attrs: Mapping[str, Any], specs: Sequence[Spec | None]
) -> Iterator[Strategy]:
    """The strategies that cut what a call computes apart.

    rule: the attribute that names the dimensions of operands that it computes together, or how
    many last ones it does.
    """
    given = [x for x in operands if isinstance(x, Spec)]
    first, results = given[0], [s for s in specs if s is not None]
    if len(results) < len(specs) or any(x.ndim != first.ndim for x in given):
        return
    together = _together(rule, attrs, first.ndim)
    for d in set(range(first.ndim)) - set(together):
        size = first.shape[d]
        gives = [
            d if d < min(together, default=d + 1) else d + s.ndim - first.ndim for s in results
        ]
        sizes = [s.shape[g] if g < s.ndim else None for s, g in zip(results, gives, strict=True)]
        if size == 1 or any(n != size for n in (*sizes, *(x.shape[d] for x in given))):
            continue
        yield Strategy(tuple(d if isinstance(x, Spec) else WHOLE for x in operands), tuple(gives))


def _together(rule: str | int, attrs: Mapping[str, Any], ndim: int) -> list[int]:
    """The dimensions that a call computes together."""
    if isinstance(rule, int):
        return list(range(max(ndim - rule, 0), ndim))
    named = attrs[rule]
    if named is None:
        return list(range(ndim))
    axes = named if isinstance(named, tuple | list) else (named,)
    return [a % ndim for a in axes] if ndim else []


def partial_strategy(
    op: Op,
    operands: Sequence[Any],
    attrs: Mapping[str, Any],
    specs: Sequence[Spec | None],
    which: frozenset[int],
    reduction: str = SUM,
) -> Strategy | None:
    """How parts of a sum, or mean, stay such through a call that is linear in some operands."""
    if any(s is None or not s.dtype.is_floating for s in specs):
        return None
    try:
        elements = _Call(op, operands, attrs, specs).elements
    except TwinoarError:
        return None
    if not elements or not all(_degree(e, which, {}) == 1 for e in elements):
        return None
    takes = tuple(reduction if k in which else WHOLE for k in range(len(operands)))
    return Strategy(takes, (reduction,) * len(specs))


def local_attrs(
    op: Op, attrs: Mapping[str, Any], whole: Spec | None, local: Spec | None
) -> dict[str, Any]:
    """Attributes for a part: one that is the result's shape becomes that of the part."""
    if whole is None or local is None or whole.shape == local.shape:
        return dict(attrs)
    return {k: local.shape if _is_shape(a, whole.shape) else a for k, a in attrs.items()}


def _is_shape(a: Any, shape: tuple[Any, ...]) -> bool:
    """Whether an attribute is a shape, in which -1 stands for what is deduced."""
    if not isinstance(a, tuple) or len(a) != len(shape) or all(n == -1 for n in a):
        return False
    return all(n in (-1, size) for n, size in zip(a, shape, strict=True))


class _Call:
    """The elements of a call's results, whose loads are of whole indices."""

    def __init__(
        self,
        op: Op,
        operands: Sequence[Any],
        attrs: Mapping[str, Any],
        specs: Sequence[Spec | None],
    ):
        self.op, self.operands, self.attrs = op, tuple(operands), dict(attrs)
        self.specs = tuple(specs)
        shapes: list[Any] = [() if s is None else s.shape for s in specs]
        self.axes = [[Axis(n, f"i{d}") for d, n in enumerate(shape)] for shape in shapes]
        self.elements: list[Expr] = []
        if any(isinstance(x, complex) or (isinstance(x, Spec) and 0 in x.shape) for x in operands):
            return  # nothing that could be cut, or no numbers of the loop language
        for nth in range(len(specs)):
            found = self._element(nth)
            if found is None:
                self.elements = []
                return
            self.elements.append(found)

    def _element(self, nth: int) -> Expr | None:
        spec = self.specs[nth]
        if spec is None or 0 in spec.shape:
            return None
        readers = [_reader(k, x) if isinstance(x, Spec) else x for k, x in enumerate(self.operands)]
        reader = result_reader(self.op, readers, self.attrs, self.specs, nth)
        if reader is None:
            return None
        return reader[tuple([axis_value(a) for a in self.axes[nth]])]

    def cuts(self) -> Iterator[Strategy]:
        """The strategies that cut operands."""
        for nth, element in enumerate(self.elements):
            axes = [a for a in self.axes[nth] if a.size > 1]
            root = _uncast(element)
            if root.kind == "reduce" and root.args[0] in COMBINED:
                axes += [a for a in root.args[1] if a.size > 1]
            for axis in axes:
                takes = self._taken(element, axis)
                gives = None if takes is None else self._given(takes)
                if takes is not None and gives is not None and self._is_of_any_size(takes, gives):
                    yield Strategy(takes, gives)

    def _taken(self, element: Expr, axis: Axis) -> tuple[Lie, ...] | None:
        """How operands are cut so that `axis` has a part of its counts; None where they cannot."""
        uses = _uses(element, axis)
        if uses is None:
            return None
        takes: list[Lie] = []
        for k, x in enumerate(self.operands):
            found = {dim for operand, dim in uses if operand == k}
            if len(found) > 1:
                return None
            dim = found.pop() if found else WHOLE
            if isinstance(dim, int) and x.shape[dim] != axis.size:
                return None
            takes.append(dim)
        return tuple(takes)

    def _given(self, takes: tuple[Lie, ...]) -> tuple[Lie, ...] | None:
        """How results lie if operands lie so."""
        gives: list[Lie] = []
        for nth, element in enumerate(self.elements):
            cut = [k for k, lie in enumerate(takes) if lie is not WHOLE]
            if cut and not any(e.kind == "load" and e.args[0] in cut for e in _nodes(element)):
                gives.append(WHOLE)
                continue
            root = _uncast(element)
            found: Lie = WHOLE
            for d, axis in enumerate(self.axes[nth]):
                if axis.size > 1 and self._taken(element, axis) == takes:
                    found = d
                    break
            else:
                if root.kind != "reduce" or root.args[0] not in COMBINED:
                    return None
                if not any(a.size > 1 and self._taken(element, a) == takes for a in root.args[1]):
                    return None
                if root.dtype != compute_dtype(self.specs[nth].dtype):  # type: ignore[union-attr]
                    return None  # a sum that is rounded to another type is none of parts
                found = root.args[0]
            gives.append(found)
        return tuple(gives)

    def _is_of_any_size(self, takes: tuple[Lie, ...], gives: tuple[Lie, ...]) -> bool:
        """Whether the elements are the same where what is cut is twice as long."""
        operands = tuple(
            _longer(x, lie) if isinstance(x, Spec) else x
            for x, lie in zip(self.operands, takes, strict=True)
        )
        specs = tuple(
            _longer(s, g) if s is not None else None for s, g in zip(self.specs, gives, strict=True)
        )
        attrs = local_attrs(self.op, self.attrs, self.specs[0], specs[0])
        given = tuple(Variable("x", x) if isinstance(x, Spec) else x for x in operands)
        try:
            if tuple(infer(self.op, given, attrs)) != specs:
                return False
            longer = _Call(self.op, operands, attrs, specs)
        except TwinoarError:
            return False
        numbers: dict[Any, int] = {}
        return [_form(e, numbers) for e in self.elements] == [
            _form(e, numbers) for e in longer.elements
        ]


def _reader(k: int, spec: Spec) -> Reader:
    """Operand k, whose elements are loads of an index as it is written."""
    dtype = compute_dtype(spec.dtype)
    return Reader(spec.shape, spec.dtype, lambda i: make("load", (k, *i), dtype))  # type: ignore[arg-type]


def _longer(spec: Spec, lie: Lie) -> Spec:
    if not isinstance(lie, int):
        return spec
    shape = list(spec.shape)
    shape[lie] = 2 * shape[lie]
    return Spec(tuple(shape), spec.dtype)


def _uncast(e: Expr) -> Expr:
    while e.kind == "cast" and e.args[0].dtype is e.dtype:
        e = e.args[0]
    return e


def _nodes(root: Expr) -> Iterator[Expr]:
    """Each node once."""
    seen, stack = set(), [root]
    while stack:
        e = stack.pop()
        if e not in seen:
            seen.add(e)
            yield e
            stack += e.children


def _uses(root: Expr, axis: Axis) -> set[tuple[int, Lie]] | None:
    """For each operand that is loaded, the dimension of which `axis` is the index, or WHOLE.

    None where the axis is used otherwise: as a number, shifted, or twice in one load.
    """
    found: set[tuple[int, Lie]] = set()
    for e in _nodes(root):
        direct = [n for n, c in enumerate(e.children) if c.kind == "axis" and c.args[0] is axis]
        if e.kind != "load":
            if direct or (e.kind == "axis" and e.args[0] is axis and e is root):
                return None
            continue
        if len(direct) > 1:
            return None
        found.add((e.args[0], _place(e, axis) if direct else WHOLE))
    return found


def _place(load: Expr, axis: Axis) -> int:
    """Which index of a load the axis is."""
    return next(
        d
        for d, i in enumerate(load.args[1:])
        if isinstance(i, Expr) and i.kind == "axis" and i.args[0] is axis
    )


def _form(root: Expr, numbers: dict[Any, int]) -> int:
    """A number for an expression without the sizes of its axes; equal ones have one number."""
    done: dict[Expr, int] = {}

    def part(a: Any) -> Any:
        if isinstance(a, Expr):
            return ("e", done[a])
        if isinstance(a, Axis):
            return ("a", a.name)
        if isinstance(a, tuple):
            return tuple(part(x) for x in a)
        return (type(a).__name__, a)

    stack = [(root, False)]
    while stack:
        e, is_ready = stack.pop()
        if e in done:
            continue
        if not is_ready:
            stack.append((e, True))
            stack += [(c, False) for c in e.children]
            continue
        key = (e.kind, e.dtype.name, part(e.args))
        done[e] = numbers.setdefault(key, len(numbers))
    return done[root]


def _degree(e: Expr, which: frozenset[int], done: dict[Expr, int | None]) -> int | None:
    """0 if `e` does not depend on the operands, 1 if it is linear in them, None otherwise."""
    if e not in done:
        degrees = [_degree(c, which, done) for c in e.children]
        done[e] = None if None in degrees else _degree_of(e, which, degrees)  # type: ignore[arg-type]
    return done[e]


def _degree_of(e: Expr, which: frozenset[int], degrees: list[int]) -> int | None:
    """The degree of a node, of the degrees of its children."""
    if e.kind == "load":
        return None if any(degrees) else int(e.args[0] in which)
    if not any(degrees):
        return 0
    linear = [d == 1 or _is_zero(c) for c, d in zip(e.children, degrees, strict=True)]
    floating = e.dtype.is_floating and all(c.dtype.is_floating for c in e.children)
    is_linear = {
        "add": all(linear),
        "sub": all(linear),
        "mul": sum(degrees) == 1,
        "div": degrees == [1, 0],
        "neg": True,
        "cast": floating,
        "select": degrees[0] == 0 and all(linear[1:]),
        "fma": sum(degrees[:2]) == 1 and linear[-1],
        "reduce": e.args[0] == "sum",
    }
    return 1 if is_linear.get(e.kind) else None


def _is_zero(e: Expr) -> bool:
    return e.kind == "const" and e.value == 0

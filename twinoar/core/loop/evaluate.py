"""What expressions in the text of a procedure are: something known beforehand, or an Expr.

Reads of variables and of elements are statements, written where they stand, so that an Expr never
changes its value.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

from twinoar.core.dtype import DType, bool_, float32, float64, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop import procedure as lang
from twinoar.core.loop.expression import Expr, const, make, wrap
from twinoar.core.loop.expression import cast as converted
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import (
    Cell,
    Get,
    If,
    Leave,
    Load,
    Memory,
    Procedure,
    Products,
    Put,
    Set,
    Statement,
)

BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: lambda x, y: _shifted(operator.lshift, loop.shl, x, y),
    ast.RShift: lambda x, y: _shifted(operator.rshift, loop.shr, x, y),
    ast.Pow: operator.pow,
}  # fmt: skip
COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: lambda x, y: loop.eq(x, y) if is_run(x, y) else x == y,
    ast.NotEq: lambda x, y: loop.ne(x, y) if is_run(x, y) else x != y,
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda x, y: x in y, ast.NotIn: lambda x, y: x not in y,
}  # fmt: skip
FOUR = 4  # rows and steps that products go through together


def is_run(*values: Any) -> bool:
    """True where one of the values is known when the code runs alone."""
    return any(isinstance(v, Expr) for v in values)


def _shifted(known: Callable[..., Any], run: Callable[..., Any], x: Any, y: Any) -> Any:
    return run(x, y) if is_run(x, y) else known(x, y)


class Writer:
    """Statements that are being written, of a procedure and of those that are written out in it.

    now: what variables hold at this point, where that is known.
    """

    def __init__(self) -> None:
        self.serial: Counter[str] = Counter()
        self.statements: list[Statement] = []
        self.now: dict[Cell, Expr] = {}
        self.can_fail = False
        self.depth = 0  # procedures that call each other

    def fresh(self, name: str) -> str:
        """A name that nothing else has."""
        self.serial[name] += 1
        return f"{name}'{self.serial[name]}" if self.serial[name] > 1 else name

    @contextmanager
    def into(self, body: list[Statement]) -> Iterator[None]:
        """Let what follows be written into another list of statements."""
        outer, self.statements = self.statements, body
        try:
            yield
        finally:
            self.statements = outer

    def set(self, cell: Cell, value: Expr) -> None:
        """Let a variable hold a value from here on."""
        for one, part in zip(cell.parts, _apart(value), strict=True):
            self.statements.append(Set(one, part))
            self.now[one] = part

    def get(self, cell: Cell) -> Expr:
        """What a variable holds here."""
        if cell.dtype.is_complex:
            return loop.of_parts(*map(self.get, cell.parts))
        if cell not in self.now:
            read = self.fresh(cell.name)
            self.statements.append(Get(read, cell))
            self.now[cell] = make("var", (read,), cell.dtype)
        return self.now[cell]

    def unset(self, cell: Cell) -> None:
        """From here on it is not known what a variable holds."""
        for part in cell.parts:
            self.now.pop(part, None)

    def forget(self, body: Sequence[Statement]) -> None:
        """After statements that may have run: what they set is not known."""
        for cell in cells_set(body):
            self.now.pop(cell, None)


def _apart(value: Expr) -> tuple[Expr, ...]:
    """The two parts of a complex value; itself for others."""
    return (loop.real(value), loop.imag(value)) if value.dtype.is_complex else (value,)


def cells_set(body: Sequence[Statement]) -> Iterator[Cell]:
    """The variables that statements set, those inside others too."""
    for s in body:
        if isinstance(s, Set):
            yield s.cell
        for name in ("test", "body", "then", "otherwise"):
            yield from cells_set(getattr(s, name, ()))


class Evaluation:
    """The expressions of one procedure.

    names: what each name is: a Cell, an Expr, or something known beforehand. outside: what the
    procedure sees from where it is defined. assigned: how often each name is assigned.
    """

    into: Writer
    called: Procedure
    names: dict[str, Any]
    outside: Mapping[str, Any]
    assigned: Counter[str]

    def refuse(self, why: str, error: BaseException | None = None) -> NoReturn:
        """Raise ProgramError with the line."""
        raise AssertionError

    def inlined(self, called: Procedure, given: list[Any], named: dict[str, Any]) -> Any:
        """Write another procedure out; what it returns."""
        raise AssertionError

    def place(self, node: ast.Subscript) -> tuple[Memory, Expr]:
        """The element that a subscript means."""
        memory = self.value(node.value)
        if not isinstance(memory, Memory):
            self.refuse("only elements of arrays can be assigned")
        return memory, self._position(memory, self.value(node.slice))

    def _position(self, memory: Memory, index: Any) -> Expr:
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(memory.shape):
            self.refuse(f"{len(index)} indices for {len(memory.shape)} dimensions")
        position = const(0)
        for i, n in zip(index, memory.shape, strict=True):
            position = position * n + _whole(i)
        return position if memory.offset is None else position + memory.offset

    def loaded(self, memory: Memory, position: Expr) -> Expr:
        """Write that an element is read; what is read."""
        if memory.dtype.is_complex:
            parts = [self.loaded(memory.parts, position * 2 + part) for part in (0, 1)]
            return loop.of_parts(*parts)
        name = self.into.fresh("e")
        self.into.statements.append(Load(name, memory, position))
        return converted(make("var", (name,), memory.dtype), compute_dtype(memory.dtype))

    def put(self, memory: Memory, position: Expr, value: Any) -> None:
        """Write that an element gets a value."""
        dtype = compute_dtype(memory.dtype)
        given = wrap(value, dtype)
        if given.dtype is not dtype:
            self.refuse(f"elements are {dtype.name}, the new one is {given.dtype.name}: cast it")
        if not dtype.is_complex:
            self.into.statements.append(Put(memory, position, given))
            return
        for part, one in enumerate(_apart(given)):
            self.put(memory.parts, position * 2 + part, one)

    def known(self, target: ast.expr, item: Any) -> None:
        """Let a name stand for what a loop over what is known beforehand is at."""
        if isinstance(target, ast.Tuple):
            for t, part in zip(target.elts, item, strict=True):
                self.known(t, part)
            return
        assert isinstance(target, ast.Name)
        if isinstance(self.names.get(target.id), Cell):
            self.refuse(f"{target.id} is a variable, and goes over what is known beforehand")
        self.names[target.id] = item

    # Expressions.

    def value(self, node: ast.expr) -> Any:
        """What an expression is: an Expr, or something known beforehand."""
        found = getattr(self, f"_of_{type(node).__name__}", None)
        if found is None:
            self.refuse(f"{type(node).__name__} is not understood in procedures")
        return found(node)

    def condition(self, node: ast.expr) -> Expr:
        """A test."""
        return truth(wrap(self.value(node)))

    def _of_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _of_Name(self, node: ast.Name) -> Any:
        return self.named(node.id)

    def named(self, name: str) -> Any:
        """What a name means here."""
        if name in self.names:
            found = self.names[name]
            return self.into.get(found) if isinstance(found, Cell) else found
        if self.assigned[name] or name not in self.outside:
            self.refuse(f"{name} has no value here")
        return self.outside[name]

    def _of_Attribute(self, node: ast.Attribute) -> Any:
        return getattr(self.value(node.value), node.attr)

    def _of_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.value(x) for x in node.elts)

    _of_List = _of_Tuple

    def _of_ListComp(self, node: ast.ListComp) -> tuple[Any, ...]:
        (one,) = node.generators
        if one.ifs:
            self.refuse("if in a comprehension is not understood in procedures")
        before, found = dict(self.names), []
        for item in self.value(one.iter):
            self.known(one.target, item)
            found.append(self.value(node.elt))
        self.names = before
        return tuple(found)

    def _of_Subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        if not isinstance(base, Memory):
            return base[self.value(node.slice)]
        return self.loaded(base, self._position(base, self.value(node.slice)))

    def _of_Slice(self, node: ast.Slice) -> slice:
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if e is None else self.value(e) for e in ends))

    def _of_BinOp(self, node: ast.BinOp) -> Any:
        return BINARY[type(node.op)](self.value(node.left), self.value(node.right))

    def _of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        x = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return loop.not_(truth(x)) if isinstance(x, Expr) else not x
        if isinstance(node.op, ast.Invert):
            return loop.not_(x) if isinstance(x, Expr) else ~x
        return -x if isinstance(node.op, ast.USub) else x

    def _of_Compare(self, node: ast.Compare) -> Any:
        found: Any = True
        left = self.value(node.left)
        for kind, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            one = COMPARED[type(kind)](left, right)
            found = loop.and_(wrap(found), wrap(one)) if is_run(found, one) else found and one
            left = right
        return found

    def _of_BoolOp(self, node: ast.BoolOp) -> Any:
        is_and = isinstance(node.op, ast.And)
        found = self.value(node.values[0])
        for n, part in enumerate(node.values[1:]):
            if not isinstance(found, Expr):
                if bool(found) is not is_and:
                    return found
                found = self.value(part)
                continue
            rest = ast.BoolOp(node.op, node.values[n + 1 :]) if n + 2 < len(node.values) else part
            ways = partial(self.condition, rest), partial(const, not is_and)
            return self._chosen(truth(found), *(ways if is_and else ways[::-1]))
        return found

    def _of_IfExp(self, node: ast.IfExp) -> Any:
        condition = self.value(node.test)
        if not isinstance(condition, Expr):
            return self.value(node.body if condition else node.orelse)
        return self._chosen(
            truth(condition), lambda: self.value(node.body), lambda: self.value(node.orelse)
        )

    def _chosen(
        self, condition: Expr, then: Callable[[], Any], otherwise: Callable[[], Any]
    ) -> Expr:
        """One of two values, of which only that one is computed, if it takes statements."""
        if condition.value is not None:
            return wrap((then if condition.value else otherwise)())
        bodies: tuple[list[Statement], list[Statement]] = [], []
        values = []
        for make_value, body in zip((then, otherwise), bodies, strict=True):
            before = dict(self.into.now)
            with self.into.into(body):
                values.append(make_value())
            self.into.now = before
        x, y = loop.pair(*values)
        if not any(bodies):
            return loop.select(condition, x, y)
        cell = Cell(self.into.fresh("chosen"), x.dtype)
        for value, body in zip((x, y), bodies, strict=True):
            with self.into.into(body):
                self.into.set(cell, value)
        self.into.statements.append(If(condition, *bodies))
        for body in bodies:
            self.into.forget(body)
        return self.into.get(cell)

    def _called(self, node: ast.Call) -> Any:
        return self.value(node.func)

    def _of_Call(self, node: ast.Call) -> Any:
        called = self._called(node)
        given = [self.value(a) for a in node.args]
        named = {k.arg or "": self.value(k.value) for k in node.keywords}
        if isinstance(called, Procedure):
            return self.inlined(called, given, named)
        if called is lang.cast:
            return _cast(*given)
        if called is lang.local:
            return self._local(*given)
        if called is lang.products:
            self._products(*given, **named)
            return None
        if called is lang.fail:
            self.into.can_fail = True
            self.into.statements.append(Leave("fail"))
            return None
        if called in (min, max) and is_run(*given):
            found = given[0]
            for other in given[1:]:
                found = (loop.min if called is min else loop.max)(found, other)
            return found
        if called is len and isinstance(given[0], Memory):
            return given[0].shape[0]
        if called in (int, float, bool) and is_run(*given):
            self.refuse(f"{called.__name__}() of a number of the run: cast(value, dtype)")
        return called(*given, **named)

    def _products(self, *memories: Any, adds: bool = True, **sizes: Any) -> None:
        """Write a product of matrices."""
        total, at, left, of, right = memories
        if any(not isinstance(n, int) or n % FOUR for n in map(sizes.get, ("rows", "inner"))):
            self.refuse("rows and steps of products must be known beforehand, multiples of four")
        dtypes = {m.dtype for m in (total, left, right)}
        if len(dtypes) > 1 or not dtypes <= {float32, float64} or not right.count:
            self.refuse(
                "products are all of float32 or of float64, the right one of memory of ours"
            )
        places = self._position(total, at), self._position(left, of)
        made = Products(total, places[0], left, places[1], right, adds=adds, **sizes)
        self.into.statements.append(made)

    def _local(self, count: Any, dtype: Any) -> Memory:
        if not isinstance(count, int):
            self.refuse("the size of local memory must be known beforehand")
        dtype = compute_dtype(dtype)
        number = sum(self.into.serial[k] for k in ("own",))
        self.into.serial["own"] += 1
        return Memory(number, dtype, (const(count),), None, count)


def truth(x: Expr) -> Expr:
    """A number as a condition."""
    return x if x.dtype is bool_ else loop.ne(x, 0)


def _whole(i: Any) -> Expr:
    """An index as an int64."""
    found = wrap(i, int64)
    return found if found.dtype is int64 else converted(found, int64)


def _cast(value: Any, like: Any) -> Expr:
    dtype = compute_dtype(like.dtype if isinstance(like, (Memory, Expr)) else like)
    assert isinstance(dtype, DType)
    return converted(value, dtype) if isinstance(value, Expr) else const(value, dtype)

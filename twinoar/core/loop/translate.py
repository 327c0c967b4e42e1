"""From the text of a procedure to statements of the loop language.

A procedure is a Python function of numbers and arrays, of which this is understood:

    name = value; x[i, j] = value; +=, -=, ...; several at once: a, b = b, a
    for i in range(...); while; if, elif, else; break, continue; return, at the end of a row
    x[i, j], x.shape, x.dtype, len(x); arithmetic, comparisons, and, or, not, a if c else b
    cast, local, fail; min, max, abs; functions of `twinoar.core.loop.language`; procedures, which
    return at their end

What is known beforehand (keywords, tuples, dtypes) is computed beforehand: an `if` on it chooses a
branch, a `for` over a tuple is written out, functions of Python are called.
A variable keeps the dtype of its first value; numbers of two dtypes do not meet without a cast.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, NoReturn

from twinoar.core.dtype import DType, bool_, float64, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop import procedure as lang
from twinoar.core.loop.expression import LARGE, Bounds, Expr, const, make, wrap
from twinoar.core.loop.expression import cast as converted
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import (
    Array,
    Cell,
    For,
    Get,
    If,
    Launch,
    Leave,
    Load,
    Memory,
    Procedure,
    Put,
    Set,
    Statement,
    Translated,
    While,
)
from twinoar.errors import ProgramError, TwinoarError

SIZE: Bounds = (0, LARGE - 1)
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
    ast.Eq: lambda x, y: loop.eq(x, y) if _is_run(x, y) else x == y,
    ast.NotEq: lambda x, y: loop.ne(x, y) if _is_run(x, y) else x != y,
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda x, y: x in y, ast.NotIn: lambda x, y: x not in y,
}  # fmt: skip


def translated(launch: Launch) -> Translated:
    """The procedure of a launch, for arguments of the dtypes and ranks that it has."""
    arguments = tuple(
        (a.dtype, a.ndim) if isinstance(a, Array) else type(a) for a in launch.arguments
    )
    return _translated(launch.procedure, arguments, tuple(sorted(launch.constants.items())))


@lru_cache(maxsize=1024)
def _translated(
    called: Procedure, arguments: tuple[Any, ...], constants: tuple[tuple[str, Any], ...]
) -> Translated:
    return _Translator(called).whole(arguments, dict(constants))


def _is_run(*values: Any) -> bool:
    """True where one of the values is known when the code runs alone."""
    return any(isinstance(v, Expr) for v in values)


def _shifted(known: Callable[..., Any], run: Callable[..., Any], x: Any, y: Any) -> Any:
    return run(x, y) if _is_run(x, y) else known(x, y)


@lru_cache(maxsize=512)
def _parsed(called: Procedure) -> tuple[ast.FunctionDef, Counter[str], dict[str, Any], str]:
    """The text of a procedure, how often each name is assigned, and what it sees from outside."""
    function = called.function
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    assigned = _stored(definition.body)
    for node in ast.walk(definition):
        if isinstance(node, (ast.For, ast.While)):  # what a loop assigns is assigned again
            assigned += _stored(node.body)
    outside = {**vars(builtins), **function.__globals__}
    outside.update(inspect.getclosurevars(function).nonlocals)
    return definition, assigned, outside, inspect.getsourcefile(function) or "?"


def _stored(body: Sequence[ast.stmt]) -> Counter[str]:
    """How often statements assign each name."""
    nodes = (n for part in body for n in ast.walk(part))
    return Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


class _Translator:
    """Statements of one procedure, and of those that it calls, which are written out in it."""

    def __init__(self, called: Procedure):
        self.called = called
        self.serial: Counter[str] = Counter()
        self.statements: list[Statement] = []
        self.numbers: list[str] = []
        self.memories: list[Memory] = []
        self.can_fail = False
        self.depth = 0  # procedures that call each other

    def whole(self, arguments: Sequence[Any], constants: dict[str, Any]) -> Translated:
        """The procedure for arguments of such kinds."""
        definition, *_ = _parsed(self.called)
        names = [a.arg for a in definition.args.args]
        row = self.fresh(names[0])
        given: dict[str, Any] = {names[0]: make("var", (row,), int64, SIZE)}
        if len(names) - 1 < len(arguments):
            raise TypeError(f"{self.called} takes {len(names) - 1} arguments after the row")
        for name, kind in zip(names[1:], arguments, strict=False):
            given[name] = self._argument(name, kind)
        _Function(self, self.called, {**given, **constants}).run()
        return Translated(
            self.called.function.__name__,
            row,
            tuple(self.memories),
            tuple(self.numbers),
            self.statements,
            self.can_fail,
        )

    def _argument(self, name: str, kind: Any) -> Any:
        if isinstance(kind, tuple):
            dtype, rank = kind
            offset = self._number(f"{name}.offset", SIZE)
            shape = tuple(self._number(f"{name}.shape[{d}]", SIZE) for d in range(rank))
            made = Memory(len(self.memories), dtype, shape, offset)
            self.memories.append(made)
            return made
        if kind is float:
            bits = self._number(name, (None, None))
            return make("bitcast", (bits,), float64)
        return self._number(name, (None, None))

    def _number(self, name: str, bounds: Bounds) -> Expr:
        self.numbers.append(self.fresh(name))
        return make("var", (self.numbers[-1],), int64, bounds)

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


class _Function:
    """A procedure that is being translated: its names."""

    def __init__(self, into: _Translator, called: Procedure, names: dict[str, Any]):
        self.into, self.called = into, called
        self.definition, self.assigned, self.outside, self.file = _parsed(called)
        self.names = dict(names)
        self.line = self.definition.lineno
        parameters = [*self.definition.args.args, *self.definition.args.kwonlyargs]
        self._defaults()
        missing = [a.arg for a in parameters if a.arg not in self.names]
        if missing or len(self.names) > len(parameters):
            raise TypeError(f"{called}: arguments {[*names]}, parameters lacking {missing}")
        for name in [n for n in self.names if self.assigned[n]]:  # parameters that are assigned
            given = self.names.pop(name)
            self._assign_name(name, given)

    def _defaults(self) -> None:
        found = inspect.signature(self.called.function).parameters.items()
        for name, p in found:
            if p.default is not p.empty:
                self.names.setdefault(name, p.default)

    def run(self) -> Any:
        """Write the body; what it returns."""
        body = self.definition.body
        last = body[-1]
        if self.into.depth and isinstance(last, ast.Return):
            self._body(body[:-1])
            return None if last.value is None else self.value(last.value)
        self._body(body)
        return None

    # Statements.

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.line = statement.lineno
            try:
                getattr(self, f"_{type(statement).__name__}", self._unknown)(statement)
            except ProgramError:
                raise
            except (TwinoarError, TypeError, ValueError, LookupError, AttributeError) as error:
                self._refuse(str(error), error)

    def _refuse(self, why: str, error: BaseException | None = None) -> NoReturn:
        where = f'{self.called.function.__name__}, "{self.file}" line {self.line}'
        raise ProgramError(f"the procedure {where}: {why}") from error

    def _unknown(self, node: ast.AST) -> NoReturn:
        self._refuse(f"{type(node).__name__} is not understood in procedures")

    def _Pass(self, _: ast.Pass) -> None:
        return

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.value(node.value)

    def _Assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        self._assign(target, self.value(node.value))

    def _AugAssign(self, node: ast.AugAssign) -> None:
        function = BINARY[type(node.op)]
        if isinstance(node.target, ast.Name):
            old = self._name(node.target.id)
            self._assign_name(node.target.id, function(old, self.value(node.value)))
            return
        assert isinstance(node.target, ast.Subscript)
        memory, position = self._place(node.target)
        new = function(self._loaded(memory, position), self.value(node.value))
        self._put(memory, position, new)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Tuple):
            for t, v in zip(target.elts, value, strict=True):  # all of which has been read
                self._assign(t, v)
        elif isinstance(target, ast.Subscript):
            self._put(*self._place(target), value)
        elif isinstance(target, ast.Name):
            self._assign_name(target.id, value)
        else:
            self._unknown(target)

    def _assign_name(self, name: str, value: Any) -> None:
        old = self.names.get(name)
        if isinstance(old, Cell):
            self._set(old, value)
            return
        is_number = isinstance(value, (bool, int, float, Expr))
        if not is_number or (not isinstance(value, Expr) and self.assigned[name] <= 1):
            if old is not None and self.assigned[name] > 1:
                self._refuse(f"{name} is known beforehand, and assigned again")
            self.names[name] = value
            return
        if isinstance(value, float):
            self._refuse(f"{name} = {value} has no dtype: write cast({value}, x)")
        value = wrap(value)
        self.names[name] = cell = Cell(self.into.fresh(name), value.dtype)
        self._set(cell, value)

    def _set(self, cell: Cell, value: Any) -> None:
        given = wrap(value, cell.dtype)
        if given.dtype is not cell.dtype:
            self._refuse(f"{cell.name} is {cell.dtype.name}, the new value is {given.dtype.name}")
        self.into.statements.append(Set(cell, given))

    def _For(self, node: ast.For) -> None:
        if node.orelse:
            self._refuse("else of a loop is not understood in procedures")
        call = node.iter
        if isinstance(call, ast.Call) and self._called(call) is range:
            self._counted(node, [self.value(a) for a in call.args])
            return
        for item in self.value(call):  # known beforehand
            self._assign(node.target, item)
            self._body(node.body)

    def _counted(self, node: ast.For, ends: list[Any]) -> None:
        assert isinstance(node.target, ast.Name)
        start, stop = ends[:2] if len(ends) > 1 else (0, ends[0])
        step = ends[2] if len(ends) > 2 else 1
        if not isinstance(step, int) or step == 0:
            self._refuse("the step of range must be known beforehand")
        start, stop = wrap(start), wrap(stop)
        low = start.bounds[0] if step > 0 else stop.bounds[0]
        bounds: Bounds = (low + (step < 0), LARGE - 1) if low is not None else (None, None)
        name = node.target.id
        counter, outer = self.into.fresh(name), self.names.get(name)
        body: list[Statement] = []
        value = make("var", (counter,), int64, bounds)
        with self.into.into(body):
            self.names[name] = value
            if name in _stored(node.body):
                self.names[name] = cell = Cell(self.into.fresh(name), int64)
                self._set(cell, value)
            self._body(node.body)
        self.names.pop(name)  # after the loop it has no value
        if outer is not None:
            self.names[name] = outer
        self.into.statements.append(For(counter, start, stop, step, body))

    def _While(self, node: ast.While) -> None:
        test: list[Statement] = []
        with self.into.into(test):
            condition = self._condition(node.test)
        body: list[Statement] = []
        with self.into.into(body):
            self._body(node.body)
        self.into.statements.append(While(test, condition, body))

    def _If(self, node: ast.If) -> None:
        condition = self.value(node.test)
        if not isinstance(condition, Expr):
            self._body(node.body if condition else node.orelse)
            return
        condition = _truth(condition)
        if condition.value is not None:
            self._body(node.body if condition.value else node.orelse)
            return
        parts: list[list[Statement]] = []
        for branch in (node.body, node.orelse):
            parts.append([])
            before = dict(self.names)
            with self.into.into(parts[-1]):
                self._body(branch)
            found = {n: v for n, v in self.names.items() if isinstance(v, Cell)}
            self.names = {**before, **found}  # what is known beforehand is known in its branch
        self.into.statements.append(If(condition, *parts))

    def _Break(self, _: ast.Break) -> None:
        self.into.statements.append(Leave("break"))

    def _Continue(self, _: ast.Continue) -> None:
        self.into.statements.append(Leave("continue"))

    def _Return(self, node: ast.Return) -> None:
        if self.into.depth or node.value is not None:
            self._refuse("what another procedure calls returns at its end alone")
        self.into.statements.append(Leave("return"))

    # Memory.

    def _place(self, node: ast.Subscript) -> tuple[Memory, Expr]:
        """The element that a subscript means."""
        memory = self.value(node.value)
        if not isinstance(memory, Memory):
            self._refuse("only elements of arrays can be assigned")
        return memory, self._position(memory, self.value(node.slice))

    def _position(self, memory: Memory, index: Any) -> Expr:
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(memory.shape):
            self._refuse(f"{len(index)} indices for {len(memory.shape)} dimensions")
        position = const(0)
        for i, n in zip(index, memory.shape, strict=True):
            position = position * n + _whole(i)
        return position if memory.offset is None else position + memory.offset

    def _loaded(self, memory: Memory, position: Expr) -> Expr:
        name = self.into.fresh("e")
        self.into.statements.append(Load(name, memory, position))
        return converted(make("var", (name,), memory.dtype), compute_dtype(memory.dtype))

    def _put(self, memory: Memory, position: Expr, value: Any) -> None:
        dtype = compute_dtype(memory.dtype)
        given = wrap(value, dtype)
        if given.dtype is not dtype:
            self._refuse(f"elements are {dtype.name}, the new one is {given.dtype.name}: cast it")
        self.into.statements.append(Put(memory, position, given))

    # Expressions.

    def value(self, node: ast.expr) -> Any:
        """What an expression is: an Expr, or something known beforehand."""
        found = getattr(self, f"_of_{type(node).__name__}", None)
        return self._unknown(node) if found is None else found(node)

    def _condition(self, node: ast.expr) -> Expr:
        return _truth(wrap(self.value(node)))

    def _of_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _of_Name(self, node: ast.Name) -> Any:
        return self._name(node.id)

    def _name(self, name: str) -> Any:
        if name in self.names:
            found = self.names[name]
            if isinstance(found, Cell):
                read = self.into.fresh(found.name)
                self.into.statements.append(Get(read, found))
                return make("var", (read,), found.dtype)
            return found
        if self.assigned[name] or name not in self.outside:
            self._refuse(f"{name} has no value here")
        return self.outside[name]

    def _of_Attribute(self, node: ast.Attribute) -> Any:
        return getattr(self.value(node.value), node.attr)

    def _of_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.value(x) for x in node.elts)

    _of_List = _of_Tuple

    def _of_Subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        if not isinstance(base, Memory):
            return base[self.value(node.slice)]
        return self._loaded(base, self._position(base, self.value(node.slice)))

    def _of_Slice(self, node: ast.Slice) -> slice:
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if e is None else self.value(e) for e in ends))

    def _of_BinOp(self, node: ast.BinOp) -> Any:
        return BINARY[type(node.op)](self.value(node.left), self.value(node.right))

    def _of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        x = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return loop.not_(_truth(x)) if isinstance(x, Expr) else not x
        if isinstance(node.op, ast.Invert):
            return loop.not_(x) if isinstance(x, Expr) else ~x
        return -x if isinstance(node.op, ast.USub) else x

    def _of_Compare(self, node: ast.Compare) -> Any:
        found: Any = True
        left = self.value(node.left)
        for kind, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            one = COMPARED[type(kind)](left, right)
            found = loop.and_(wrap(found), wrap(one)) if _is_run(found, one) else found and one
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
            ways = partial(self._condition, rest), partial(const, not is_and)
            return self._chosen(_truth(found), *(ways if is_and else ways[::-1]))
        return found

    def _of_IfExp(self, node: ast.IfExp) -> Any:
        condition = self.value(node.test)
        if not isinstance(condition, Expr):
            return self.value(node.body if condition else node.orelse)
        return self._chosen(
            _truth(condition), lambda: self.value(node.body), lambda: self.value(node.orelse)
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
            with self.into.into(body):
                values.append(make_value())
        x, y = loop.pair(*values)
        if not any(bodies):
            return loop.select(condition, x, y)
        cell = Cell(self.into.fresh("chosen"), x.dtype)
        for value, body in zip((x, y), bodies, strict=True):
            body.append(Set(cell, value))
        self.into.statements.append(If(condition, *bodies))
        read = self.into.fresh(cell.name)
        self.into.statements.append(Get(read, cell))
        return make("var", (read,), cell.dtype)

    def _called(self, node: ast.Call) -> Any:
        return self.value(node.func)

    def _of_Call(self, node: ast.Call) -> Any:
        called = self._called(node)
        given = [self.value(a) for a in node.args]
        named = {k.arg or "": self.value(k.value) for k in node.keywords}
        if isinstance(called, Procedure):
            return self._inlined(called, given, named)
        if called is lang.cast:
            return _cast(*given)
        if called is lang.local:
            return self._local(*given)
        if called is lang.fail:
            self.into.can_fail = True
            self.into.statements.append(Leave("fail"))
            return None
        if called in (min, max) and _is_run(*given):
            found = given[0]
            for other in given[1:]:
                found = (loop.min if called is min else loop.max)(found, other)
            return found
        if called is len and isinstance(given[0], Memory):
            return given[0].shape[0]
        if called in (int, float, bool) and _is_run(*given):
            self._refuse(f"{called.__name__}() of a number of the run: cast(value, dtype)")
        return called(*given, **named)

    def _inlined(self, called: Procedure, given: list[Any], named: dict[str, Any]) -> Any:
        names = [a.arg for a in _parsed(called)[0].args.args]
        self.into.depth += 1
        if self.into.depth > 20:
            self._refuse(f"{called} calls itself")
        try:
            bound = {**dict(zip(names, given, strict=False)), **named}
            return _Function(self.into, called, bound).run()
        finally:
            self.into.depth -= 1

    def _local(self, count: Any, dtype: Any) -> Memory:
        if not isinstance(count, int):
            self._refuse("the size of local memory must be known beforehand")
        dtype = compute_dtype(dtype)
        number = sum(self.into.serial[k] for k in ("own",))
        self.into.serial["own"] += 1
        return Memory(number, dtype, (const(count),), None, count)


def _truth(x: Expr) -> Expr:
    return x if x.dtype is bool_ else loop.ne(x, 0)


def _whole(i: Any) -> Expr:
    """An index as an int64."""
    found = wrap(i, int64)
    return found if found.dtype is int64 else converted(found, int64)


def _cast(value: Any, like: Any) -> Expr:
    dtype = compute_dtype(like.dtype if isinstance(like, (Memory, Expr)) else like)
    assert isinstance(dtype, DType)
    return converted(value, dtype) if isinstance(value, Expr) else const(value, dtype)

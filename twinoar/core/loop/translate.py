"""From the text of a procedure to statements of the loop language.

A procedure is a Python function of numbers and arrays, of which this is understood:

    name = value; x[i, j] = value; +=, -=, ...; several at once: a, b = b, a
    for i in range(...); while; if, elif, else; break, continue; return, at the end of a row
    *arrays, a tuple of any number of arguments; [f(x) for x in xs] over what is known beforehand
    x[i, j], x.shape, x.dtype, len(x); arithmetic, comparisons, and, or, not, a if c else b
    cast, local, products, fail; min, max, abs; functions of `twinoar.core.loop.language`;
    procedures, which return at their end

What is known beforehand (keywords, tuples, dtypes) is computed beforehand: an `if` on it chooses a
branch, a `for` over a tuple is written out, functions of Python are called.
A variable keeps the dtype of its first value; numbers of two dtypes do not meet without a cast.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NoReturn

from twinoar.core.dtype import float64, int64
from twinoar.core.loop.evaluate import BINARY, Evaluation, Writer, truth
from twinoar.core.loop.expression import LARGE, Bounds, Expr, make, wrap
from twinoar.core.loop.procedure import (
    Array,
    Cell,
    For,
    If,
    Launch,
    Leave,
    Memory,
    Procedure,
    Statement,
    Translated,
    While,
)
from twinoar.errors import ProgramError, TwinoarError

SIZE: Bounds = (0, LARGE - 1)
DEEPEST = 20  # procedures that call each other


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
    return _Translation(called).whole(arguments, dict(constants))


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


class _Translation:
    """A procedure that is being translated: its arguments become memories and numbers."""

    def __init__(self, called: Procedure):
        self.called, self.into = called, Writer()
        self.numbers: list[str] = []
        self.memories: list[Memory] = []

    def whole(self, arguments: Sequence[Any], constants: dict[str, Any]) -> Translated:
        """The procedure for arguments of such kinds."""
        definition, *_ = _parsed(self.called)
        names = [a.arg for a in definition.args.args]
        row = self.into.fresh(names[0])
        given: dict[str, Any] = {names[0]: make("var", (row,), int64, SIZE)}
        rest = definition.args.vararg
        if rest is None and len(names) - 1 < len(arguments):
            raise TypeError(f"{self.called} takes {len(names) - 1} arguments after the row")
        for name, kind in zip(names[1:], arguments, strict=False):
            given[name] = self._argument(name, kind)
        if rest is not None:
            more = enumerate(arguments[len(names) - 1 :])
            given[rest.arg] = tuple([self._argument(f"{rest.arg}[{n}]", kind) for n, kind in more])
        _Function(self.into, self.called, {**given, **constants}).run()
        return Translated(
            self.called.function.__name__,
            row,
            tuple(self.memories),
            tuple(self.numbers),
            self.into.statements,
            self.into.can_fail,
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
        self.numbers.append(self.into.fresh(name))
        return make("var", (self.numbers[-1],), int64, bounds)


class _Function(Evaluation):
    """A procedure that is being translated: its names."""

    def __init__(self, into: Writer, called: Procedure, names: dict[str, Any]):
        self.into, self.called = into, called
        self.definition, self.assigned, self.outside, self.file = _parsed(called)
        self.names = dict(names)
        self.line = self.definition.lineno
        arguments = self.definition.args
        parameters = [*arguments.args, *arguments.kwonlyargs]
        parameters += [arguments.vararg] if arguments.vararg is not None else []
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
                self.refuse(str(error), error)

    def refuse(self, why: str, error: BaseException | None = None) -> NoReturn:
        """Raise ProgramError with the line."""
        where = f'{self.called.function.__name__}, "{self.file}" line {self.line}'
        raise ProgramError(f"the procedure {where}: {why}") from error

    def _unknown(self, node: ast.AST) -> NoReturn:
        self.refuse(f"{type(node).__name__} is not understood in procedures")

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
            old = self.named(node.target.id)
            self._assign_name(node.target.id, function(old, self.value(node.value)))
            return
        assert isinstance(node.target, ast.Subscript)
        memory, position = self.place(node.target)
        new = function(self.loaded(memory, position), self.value(node.value))
        self.put(memory, position, new)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Tuple):
            for t, v in zip(target.elts, value, strict=True):  # all of which has been read
                self._assign(t, v)
        elif isinstance(target, ast.Subscript):
            self.put(*self.place(target), value)
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
                self.refuse(f"{name} is known beforehand, and assigned again")
            self.names[name] = value
            return
        if isinstance(value, float):
            self.refuse(f"{name} = {value} has no dtype: write cast({value}, x)")
        value = wrap(value)
        self.names[name] = cell = Cell(self.into.fresh(name), value.dtype)
        self._set(cell, value)

    def _set(self, cell: Cell, value: Any) -> None:
        given = wrap(value, cell.dtype)
        if given.dtype is not cell.dtype:
            self.refuse(f"{cell.name} is {cell.dtype.name}, the new value is {given.dtype.name}")
        self.into.set(cell, given)

    def _For(self, node: ast.For) -> None:
        if node.orelse:
            self.refuse("else of a loop is not understood in procedures")
        call = node.iter
        if isinstance(call, ast.Call) and self._called(call) is range:
            self._counted(node, [self.value(a) for a in call.args])
            return
        targets = _stored([ast.Expr(node.target)])
        is_kept = not targets.keys() & _stored(node.body).keys()
        for item in self.value(call):  # known beforehand
            if is_kept:
                self.known(node.target, item)
            else:
                self._assign(node.target, item)
            self._body(node.body)
        if is_kept:
            for name in targets:
                self.names.pop(name, None)  # after the loop it has no value

    def _counted(self, node: ast.For, ends: list[Any]) -> None:
        assert isinstance(node.target, ast.Name)
        start, stop = ends[:2] if len(ends) > 1 else (0, ends[0])
        step = ends[2] if len(ends) > 2 else 1
        if not isinstance(step, int) or step == 0:
            self.refuse("the step of range must be known beforehand")
        start, stop = wrap(start), wrap(stop)
        low = start.bounds[0] if step > 0 else stop.bounds[0]
        bounds: Bounds = (low + (step < 0), LARGE - 1) if low is not None else (None, None)
        name = node.target.id
        counter, outer = self.into.fresh(name), self.names.get(name)
        body: list[Statement] = []
        value = make("var", (counter,), int64, bounds)
        with self._repeated(node.body, body):
            self.names[name] = value
            if name in _stored(node.body):
                self.names[name] = cell = Cell(self.into.fresh(name), int64)
                self._set(cell, value)
            self._body(node.body)
        self.names.pop(name)  # after the loop it has no value
        if outer is not None:
            self.names[name] = outer
        self.into.statements.append(For(counter, start, stop, step, body))
        self.into.forget(body)

    def _While(self, node: ast.While) -> None:
        test: list[Statement] = []
        body: list[Statement] = []
        with self._repeated(node.body, test):
            condition = self.condition(node.test)
            with self.into.into(body):
                self._body(node.body)
        self.into.statements.append(While(test, condition, body))
        self.into.forget([*test, *body])

    def _If(self, node: ast.If) -> None:
        condition = self.value(node.test)
        if not isinstance(condition, Expr):
            self._body(node.body if condition else node.orelse)
            return
        condition = truth(condition)
        if condition.value is not None:
            self._body(node.body if condition.value else node.orelse)
            return
        parts: list[list[Statement]] = []
        for branch in (node.body, node.orelse):
            parts.append([])
            before, now = dict(self.names), dict(self.into.now)
            with self.into.into(parts[-1]):
                self._body(branch)
            self.into.now = now
            found = {n: v for n, v in self.names.items() if isinstance(v, Cell)}
            self.names = {**before, **found}  # what is known beforehand is known in its branch
        self.into.statements.append(If(condition, *parts))
        for part in parts:
            self.into.forget(part)

    @contextmanager
    def _repeated(self, loop: Sequence[ast.stmt], into: list[Statement]) -> Iterator[None]:
        """Write what runs several times: what it sets itself is not known when it begins."""
        before = dict(self.into.now)
        for name in _stored(loop):
            cell = self.names.get(name)
            if isinstance(cell, Cell):
                self.into.unset(cell)
        with self.into.into(into):
            yield
        self.into.now = before

    def _Break(self, _: ast.Break) -> None:
        self.into.statements.append(Leave("break"))

    def _Continue(self, _: ast.Continue) -> None:
        self.into.statements.append(Leave("continue"))

    def _Return(self, node: ast.Return) -> None:
        if self.into.depth or node.value is not None:
            self.refuse("what another procedure calls returns at its end alone")
        self.into.statements.append(Leave("return"))

    def inlined(self, called: Procedure, given: list[Any], named: dict[str, Any]) -> Any:
        """Write another procedure out; what it returns."""
        names = [a.arg for a in _parsed(called)[0].args.args]
        self.into.depth += 1
        if self.into.depth > DEEPEST:
            self.refuse(f"{called} calls itself")
        try:
            bound = {**dict(zip(names, given, strict=False)), **named}
            return _Function(self.into, called, bound).run()
        finally:
            self.into.depth -= 1

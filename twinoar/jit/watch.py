"""What happens on each line of converted functions while these are traced."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.values import Value
from twinoar.errors import is_converted, is_generated

Line = tuple[str, int]
Names = dict[int, tuple[str, ...]]
PLAIN = (bool, int, float, complex, str, bytes, type(None), tuple, list, dict, set, range)


class Watch:
    """Follows Python through converted code inside its `with` block.

    functions: file and first line of each that was entered, in order. reached: lines. values: the
    plain values that names were given on a line, each once. changed: the lines on which a place
    was changed.
    """

    def __init__(self) -> None:
        self.functions: dict[Line, None] = {}
        self.reached: set[Line] = set()
        self.values: dict[Line, dict[str, list[Any]]] = {}
        self.changed: dict[Any, dict[Line, None]] = {}
        self._last: dict[FrameType, int] = {}

    def __enter__(self) -> Watch:
        self._outer = sys.gettrace()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._outer)
        self._last.clear()

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if not is_converted(code):
            return None
        if not is_generated(code) and not code.co_name.startswith("<"):
            self.functions[code.co_filename, code.co_firstlineno] = None
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: Any) -> Any:
        last = self._last.pop(frame, None)
        if last is not None:
            self._finish(frame, (frame.f_code.co_filename, last))
        if event == "line":
            self.reached.add((frame.f_code.co_filename, frame.f_lineno))
            self._last[frame] = frame.f_lineno
        return self._follow

    def _finish(self, frame: FrameType, line: Line) -> None:
        """A line has been executed: what it has assigned and changed."""
        held = frame.f_locals
        for name in names_assigned(line[0]).get(line[1], ()):
            x = held.get(name, self)
            if isinstance(x, PLAIN) and not _holds_tensors(x):
                found = self.values.setdefault(line, {}).setdefault(name, [])
                if not any(type(y) is type(x) and y == x for y in found):
                    found.append(x)
        builder = current()
        while builder is not None and builder.traces:
            for place, _ in builder.journal.log:
                self.changed.setdefault(place, {line: None})
            builder = builder.outer


def _holds_tensors(x: Any) -> bool:
    if isinstance(x, dict):
        x = x.values()
    elif not isinstance(x, (tuple, list, set)):
        return isinstance(x, Value)
    return any(isinstance(y, Value) or _holds_tensors(y) for y in x)


@cache
def syntax_of(file: str) -> ast.AST:
    """The syntax of a whole file, or notebook cell; empty where it cannot be read."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


@cache
def names_assigned(file: str) -> Names:
    """The names that statements assign, for each line on which they, or their heads, stand."""
    found: Names = {}
    for node in ast.walk(syntax_of(file)):
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        targets = list(_targets(node))
        names = tuple(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
        if names:
            head = getattr(node, "iter", None) or node
            for line in range(node.lineno, (head.end_lineno or node.lineno) + 1):
                found[line] = (*found.get(line, ()), *names)
    return found


def _targets(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Assign(targets=targets):
            yield from targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield target
        case ast.NamedExpr(target=target) | ast.For(target=target):
            yield target


def extent(file: str, first: int) -> tuple[int, int]:
    """The first and last line of the function that is defined on a line, decorators included."""
    for node in ast.walk(syntax_of(file)):
        if isinstance(node, ast.FunctionDef) and node.lineno == first:
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            return start, node.end_lineno or start
    return first, first

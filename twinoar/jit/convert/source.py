"""The syntax of a function, from the file that it stands in."""

from __future__ import annotations

import ast
import copy
import inspect
import types
from collections.abc import Sequence

from twinoar.errors import ConversionError

LAMBDA = "<lambda>"
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Index = dict[tuple[str, int], list[Definition]]  # by name and first line

_files: dict[str, tuple[Sequence[str], Index]] = {}


def definition_of(function: types.FunctionType) -> ast.FunctionDef:
    """The definition of a function, with the lines of its file and without decorators.

    That of a lambda is a function that returns its expression. Raises ConversionError where there
    is no source, or another than the function's.
    """
    found = copy.deepcopy(_found(function))
    if isinstance(found, ast.Lambda):
        value = ast.copy_location(ast.Return(found.body), found.body)
        made = ast.FunctionDef("lambda_", found.args, [value], [])
        made.type_params = []  # type: ignore[attr-defined]
        return ast.copy_location(made, found)
    assert isinstance(found, ast.FunctionDef)
    found.decorator_list = []
    return found


def _found(function: types.FunctionType) -> Definition:
    code = function.__code__
    try:
        lines, _ = inspect.findsource(code)
        known = _files.get(code.co_filename)
        if known is None or known[0] is not lines:
            known = _files[code.co_filename] = lines, _index(ast.parse("".join(lines)))
    except (OSError, SyntaxError, TypeError) as error:
        raise _unavailable(function, str(error)) from None
    found = known[1].get((code.co_name, code.co_firstlineno), [])
    if len(found) > 1:
        found = [node for node in found if _covers(node, code)]
    if not found:
        raise _unavailable(function, "its file has changed since it was imported")
    return found[0]


def _index(tree: ast.Module) -> Index:
    found: Index = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault((LAMBDA, node.lineno), []).append(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.setdefault((node.name, first), []).append(node)
    return found


def _covers(node: Definition, code: types.CodeType) -> bool:
    """True if the code is that of a definition, where several begin in one line."""
    body = node.body if isinstance(node.body, list) else [node.body]
    start = body[0].lineno, body[0].col_offset
    end = body[-1].end_lineno, body[-1].end_col_offset
    places = [p for p in code.co_positions() if None not in p and p[3] != 0]
    return all(start <= (p[0], p[2]) and (p[1], p[3]) <= end for p in places)  # type: ignore[operator]


def _unavailable(function: types.FunctionType, why: str) -> ConversionError:
    return ConversionError(
        f"the source of {function.__qualname__} is not available: {why}",
        cure="define it in a file or a notebook cell, or mark it with not_to_static",
    )

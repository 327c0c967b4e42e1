"""The syntax of a function, from the file that it stands in."""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import inspect
import sys
import types
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from twinoar.errors import ConversionError

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# By name and first line: the definitions that begin there, with what each compiles to.
Index = dict[tuple[str, int], list[tuple[Definition, types.CodeType]]]

FIRST = 1 << 20  # above the lines of files

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
    begun = known[1].get((code.co_name, code.co_firstlineno), [])
    found = [node for node, compiled in begun if _content(compiled) == _content(code)]
    if not found and len(begun) == 1 and _is_rewritten(function):
        return begun[0][0]
    if not found:
        raise _unavailable(function, "its file has changed since it was imported")
    return found[0]


def _index(tree: ast.Module) -> Index:
    """The definitions in a file, each with its code.

    Which code is whose, their lines do not tell: several may begin in one. So a copy is compiled
    in which each definition begins in a line of its own.
    """
    numbered = copy.deepcopy(tree)
    for number, node in enumerate(_definitions(numbered)):
        _begin(node, number)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # a notebook cell may have one
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were told when the file was imported
        compiled = compile(numbered, "<twinoar source>", "exec", flags=flags, dont_inherit=True)
    codes = {code.co_firstlineno: code for code in _codes_in(compiled)}
    found: Index = {}
    for number, node in enumerate(_definitions(tree)):
        if isinstance(node, ast.Lambda):
            name, first = "<lambda>", node.lineno
        else:
            name, first = node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])
        if FIRST + number in codes:  # not in what Python leaves out, as after `if False`
            found.setdefault((name, first), []).append((node, codes[FIRST + number]))
    return found


def _definitions(tree: ast.Module) -> list[Any]:
    return [node for node in ast.walk(tree) if isinstance(node, Definition)]


def _begin(node: Any, number: int) -> None:
    """Let the code of a definition begin in a line that is its number."""
    at = {"lineno": FIRST + number, "end_lineno": FIRST + number, "col_offset": 0}
    at["end_col_offset"] = 0
    if isinstance(node, ast.Lambda) or not node.decorator_list:
        node.__dict__.update(at)
    else:
        node.decorator_list.insert(0, ast.Constant(None, **at))


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_in(constant)


def _content(code: types.CodeType) -> tuple:
    """What a code does, whatever the lines that it stands in."""
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    return code.co_code, names, counts, tuple(map(_constant, code.co_consts))


def _constant(x: Any) -> Any:
    """A constant as one that equals no other: 1 is not True, and 0.0 not -0.0."""
    if isinstance(x, types.CodeType):
        return _content(x)
    if isinstance(x, tuple):
        return tuple(map(_constant, x))
    return frozenset(map(_constant, x)) if isinstance(x, frozenset) else (type(x), repr(x))


def _is_rewritten(function: types.FunctionType) -> bool:
    """True where what imports the module compiles another text than that of its file.

    So does what shows the values of failed assertions.
    """
    module = sys.modules.get(function.__module__ or "")
    is_its_file = getattr(module, "__file__", None) == function.__code__.co_filename
    loader = getattr(module, "__loader__", None)
    return is_its_file and type(loader) is not importlib.machinery.SourceFileLoader


def _unavailable(function: types.FunctionType, why: str) -> ConversionError:
    return ConversionError(
        f"the source of {function.__qualname__} is not available: {why}",
        cure="define it in a file or a notebook cell, or mark it with not_to_static",
    )

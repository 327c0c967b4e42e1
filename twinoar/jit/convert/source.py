"""The syntax of a function, from the file that it stands in."""

from __future__ import annotations

import ast
import copy
import dis
import importlib.machinery
import inspect
import linecache
import sys
import types
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from twinoar.errors import ConversionError

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# By name and first line: the definitions that begin there, with what each compiles to.
Index = dict[tuple[str, int], list[tuple[Definition, types.CodeType]]]

JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))
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
        lines = _lines(function)
        known = _files.get(code.co_filename)
        if known is None or known[0] is not lines:
            known = _files[code.co_filename] = lines, _index("".join(lines))
    except (OSError, SyntaxError, TypeError) as error:
        raise _unavailable(function, str(error)) from None
    begun = known[1].get((code.co_name, code.co_firstlineno), [])
    found = [node for node, compiled in begun if _does_the_same(compiled, code)]
    if not found and len(begun) == 1 and _is_rewritten(function):
        return begun[0][0]
    if not found:
        raise _unavailable(function, "its file has changed since it was imported")
    return found[0]


def _lines(function: types.FunctionType) -> Sequence[str]:
    """The lines of the function's file, as `inspect.findsource` reads them. Raises OSError.

    That looks for the module first, by the real path of each that is loaded: it took as long as all
    the rest of the first call of a small network.
    """
    file = inspect.getsourcefile(function.__code__) or function.__code__.co_filename
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if not lines:
        raise OSError("source code not available")
    return lines


def _index(text: str) -> Index:
    """The definitions in a file, each with its code.

    Which code is whose, their lines do not tell: several may begin in one. So a copy is compiled
    in which each definition begins in a line of its own.
    """
    tree, numbered = ast.parse(text), ast.parse(text)  # in a tenth of the time of a deep copy
    for number, node in enumerate(_definitions(numbered), FIRST):
        head = _head(node)
        head.lineno = head.end_lineno = number
        head.col_offset = head.end_col_offset = 0
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # a notebook cell may have one
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were told when the file was imported
        compiled = compile(numbered, "<twinoar source>", "exec", flags=flags, dont_inherit=True)
    codes = {(code.co_name, code.co_firstlineno): code for code in _codes_in(compiled)}
    found: Index = {}
    for node, twin in zip(_definitions(tree), _definitions(numbered), strict=True):
        name = getattr(node, "name", "<lambda>")
        code = codes.get((name, _head(twin).lineno))
        if code is not None:  # it is in what Python leaves out, as after `if False`
            found.setdefault((name, _head(node).lineno), []).append((node, code))
    return found


def _definitions(tree: ast.Module) -> list[Any]:
    return [node for node in ast.walk(tree) if isinstance(node, Definition)]


def _head(node: Any) -> Any:
    """The node in whose line the code of a definition begins: its first decorator, if any."""
    return next(iter(getattr(node, "decorator_list", ())), node)


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_in(constant)


def _does_the_same(a: types.CodeType, b: types.CodeType) -> bool:
    """True for codes that do the same, whatever the lines that they stand in."""
    forms = [
        (
            *(c.co_names, c.co_varnames, c.co_freevars, c.co_cellvars, len(c.co_consts)),
            *(c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount),
        )
        for c in (a, b)
    ]
    return (
        forms[0] == forms[1]
        and all(map(_is_same_constant, a.co_consts, b.co_consts))
        and (a.co_code == b.co_code or _instructions(a) == _instructions(b))
    )


def _is_same_constant(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, types.CodeType):
        return _does_the_same(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_is_same_constant, a, b))
    return a == b if isinstance(a, frozenset) else repr(a) == repr(b)  # 0.0 is not -0.0


def _instructions(code: types.CodeType) -> list[tuple[str, Any]]:
    """What the code executes. A jump is told by the count of what is before its target.

    Where a line begins, Python may leave a NOP, so that it can be stopped at. A method of what the
    same text imports is loaded as an attribute: text that was compiled in parts has another load.
    """
    found = [i for i in dis.get_instructions(code) if i.opname not in ("NOP", "EXTENDED_ARG")]
    offsets = [i.offset for i in found]
    return [(i.opname.replace("LOAD_METHOD", "LOAD_ATTR"), _argument(i, offsets)) for i in found]


def _argument(i: dis.Instruction, offsets: list[int]) -> Any:
    if i.opcode in dis.hasname:
        return i.argval
    return bisect_left(offsets, i.argval) if i.opcode in JUMPS else i.arg


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

"""Makes a failing module small: statements are dropped while it fails in the same way."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

FIELDS = ("body", "orelse", "finalbody", "handlers")


def shrunk(text: str, fails: Callable[[str], bool], most: int = 300) -> str:
    """A smaller text of which `fails` still holds; at most so many are tried."""
    tried, start = 0, 0
    while tried < most:
        for position, smaller in enumerate(variants(text)):
            if position < start:
                continue
            tried += 1
            if fails(smaller):
                text, start = smaller, position
                break
        else:
            if start == 0:
                break
            start = 0
    return text


def variants(text: str) -> Iterator[str]:
    """The text without one of its statements, or with one replaced by a part of it."""
    tree = ast.parse(text)
    places = [
        (number, field, i)
        for number, node in enumerate(ast.walk(tree))
        for field in FIELDS
        for i in range(len(_statements(node, field)))
    ]
    for number, field, i in places:
        for replace in (_nothing, _body, _orelse):
            made = _replaced(tree, number, field, i, replace)
            if made is not None:
                yield made
    expressions = [n for n, node in enumerate(ast.walk(tree)) if isinstance(node, ast.expr)]
    for number in expressions:
        yield from _simpler(tree, number)


def _statements(node: Any, field: str) -> list:
    found = getattr(node, field, ())
    return found if isinstance(found, list) else []


def _nothing(s: Any) -> list:
    return []


def _body(s: Any) -> list | None:
    return None if isinstance(s, (ast.FunctionDef, ast.ClassDef)) else _statements(s, "body")


def _orelse(s: Any) -> list | None:
    return _statements(s, "orelse") or None


def _replaced(tree: ast.Module, number: int, field: str, i: int, replace: Callable) -> str | None:
    copied = copy.deepcopy(tree)
    node = list(ast.walk(copied))[number]
    block = getattr(node, field)
    made = replace(block[i])
    if made is None or (not made and replace is not _nothing):
        return None
    block[i : i + 1] = made
    if not block and field == "body":
        block.append(ast.Pass())
        if replace is _nothing and isinstance(
            getattr(list(ast.walk(tree))[number], field)[0], ast.Pass
        ):
            return None
    return _text(copied)


def _simpler(tree: ast.Module, number: int) -> Iterator[str]:
    """The text with one expression replaced by an operand of it."""
    node: Any = list(ast.walk(tree))[number]
    parts = {"BinOp": ("left", "right"), "IfExp": ("body", "orelse"), "UnaryOp": ("operand",)}
    for part in parts.get(type(node).__name__, ()):
        copied = copy.deepcopy(tree)
        same: Any = list(ast.walk(copied))[number]
        small = getattr(same, part)
        for parent in ast.walk(copied):
            for name, value in ast.iter_fields(parent):
                if value is same:
                    setattr(parent, name, small)
                elif isinstance(value, list):
                    value[:] = [small if x is same else x for x in value]
        made = _text(copied)
        if made is not None:
            yield made
    if isinstance(node, ast.Call) and node.args:
        copied = copy.deepcopy(tree)
        same = list(ast.walk(copied))[number]
        for parent in ast.walk(copied):
            for name, value in ast.iter_fields(parent):
                if value is same:
                    setattr(parent, name, same.args[0])
                elif isinstance(value, list):
                    value[:] = [same.args[0] if x is same else x for x in value]
        made = _text(copied)
        if made is not None:
            yield made


def _text(tree: ast.Module) -> str | None:
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, "<smaller>", "exec")
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None
    return text

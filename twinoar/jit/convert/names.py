"""Which names statements assign, and what in them cannot go into a branch or loop of a Program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

MUTATING = frozenset(
    {
        "append", "extend", "insert", "pop", "remove", "clear", "update",
        "setdefault", "add", "discard", "sort", "reverse", "popitem",
    }
)  # fmt: skip
SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
PREFIX = "_twinoar_"


def walk_scope(nodes: Sequence[ast.AST], generated: bool = False) -> Iterator[ast.AST]:
    """All nodes below `nodes` that run in the same scope; a nested function counts as one node.

    generated: walk into the functions that earlier transformers made.
    """
    stack = list(nodes)[::-1]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, SCOPES) or (generated and is_generated(node)):
            stack.extend(list(ast.iter_child_nodes(node))[::-1])


def is_generated(node: ast.AST) -> bool:
    """True for the functions that transformers make of bodies and branches."""
    return isinstance(node, ast.FunctionDef) and node.name.startswith(PREFIX)


def assigned_names(statements: Sequence[ast.stmt]) -> list[str]:
    """Names that `statements` bind, or change by item assignment, in order of first appearance."""
    found: dict[str, None] = {}
    for node in walk_scope(statements):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        ):
            found[node.value.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = None
    return [n for n in found if not n.startswith(PREFIX)]


def leaves(statements: Sequence[ast.stmt]) -> bool:
    """True if `statements` may suspend, return, or break or continue an outer loop."""
    return any(_leaves(s, in_loop=False) for s in statements)


def _leaves(node: ast.AST, in_loop: bool) -> bool:
    if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)):
        return True
    if isinstance(node, (ast.Break, ast.Continue)):
        return not in_loop
    if isinstance(node, SCOPES):
        return False
    inside = in_loop or isinstance(node, (ast.For, ast.While))
    return any(_leaves(child, inside) for child in ast.iter_child_nodes(node))


def side_effects(statements: Sequence[ast.stmt]) -> list[str]:
    """What in `statements` changes Python objects, as no branch or loop of a Program could."""
    found = []
    for node in walk_scope(statements, generated=True):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.append(f"the assignment of {ast.unparse(node)}")
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if not isinstance(node.value, ast.Name) or isinstance(node.ctx, ast.Del):
                found.append(f"the assignment of {ast.unparse(node)}")
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in MUTATING
        ):
            found.append(f"the call of {ast.unparse(node.func)}")
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
        ):
            found.append("the call of print")
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.append(f"the declaration of {', '.join(node.names)}")
        elif isinstance(node, ast.Raise):
            found.append("the raise")
        elif isinstance(node, ast.Assert):
            found.append("the assert")
    return list(dict.fromkeys(found))


def declared_outside(function: ast.AST) -> set[str]:
    """Names that a function declares global or nonlocal."""
    return {
        n
        for node in ast.walk(function)
        if isinstance(node, (ast.Global, ast.Nonlocal))
        for n in node.names
    }

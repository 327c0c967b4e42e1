"""Which names statements assign, and what in them cannot go into a branch or loop of a Program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from twinoar.jit.runtime.names import PREFIX

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Declaration = TypeVar("Declaration", ast.Global, ast.Nonlocal)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)


def walk_scope(nodes: Iterable[ast.AST], generated: bool = False) -> Iterator[ast.AST]:
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


def assigned_names(nodes: Sequence[ast.AST]) -> list[str]:
    """Names of the scope that `nodes` bind or delete, in order of first appearance."""
    found: dict[str, None] = {}
    for node in walk_scope(nodes, generated=True):
        found.update(dict.fromkeys(_bound(node)))
    return list(found)


def _bound(node: ast.AST) -> Iterable[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return () if is_generated(node) else (name,)
        case ast.ExceptHandler(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchAs(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [a.asname or a.name.partition(".")[0] for a in names]
        case ast.Nonlocal(names=names) | ast.Global(names=names):
            return names
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.Lambda():
            return _assigned_inside(node)
    return ()


def _assigned_inside(node: ast.AST) -> Iterable[str]:
    """Names that `:=` in a comprehension, or in a lambda that a transformer made, binds outside."""
    if isinstance(node, ast.Lambda) and not hasattr(node, "delays"):
        return ()
    found: list[str] = []
    for inner in walk_scope(list(ast.iter_child_nodes(node))):
        if isinstance(inner, ast.NamedExpr):
            found.append(inner.target.id)
        elif isinstance(inner, ast.Call) and hasattr(inner, "binds"):
            found.append(inner.binds)
        elif isinstance(inner, (ast.Lambda, *COMPREHENSIONS)):
            found.extend(_assigned_inside(inner))
    return found


def declared(function: ast.AST, kind: type[Declaration]) -> set[str]:
    """Names that a function itself declares global, or nonlocal."""
    body: Any = getattr(function, "body", ())
    nodes = walk_scope(body if isinstance(body, list) else [body])
    return {name for node in nodes if isinstance(node, kind) for name in node.names}


def parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    """Names of the parameters of a function."""
    a = function.args
    stars = [x for x in (a.vararg, a.kwarg) if x is not None]
    return [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs, *stars)]


def uses(nodes: Iterable[ast.AST]) -> Counter[str]:
    """How often names are used below `nodes`: read, deleted or assigned anew from what they are."""
    found: Counter[str] = Counter()
    for n in (n for node in nodes for n in ast.walk(node)):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store):
            found[n.id] += 1
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
            found[n.target.id] += 1
    return found


def suspends(function: ast.AST) -> bool:
    """True for a generator or coroutine."""
    if isinstance(function, ast.AsyncFunctionDef):
        return True
    body = getattr(function, "body", ())
    kinds = (ast.Yield, ast.YieldFrom, ast.Await)
    return isinstance(body, list) and any(isinstance(n, kinds) for n in walk_scope(body))

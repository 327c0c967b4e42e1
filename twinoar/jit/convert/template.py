"""Small pieces of syntax that the transformers share."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Any

from twinoar.jit.convert.names import (
    assigned_names,
    declared,
    is_generated,
    parameters,
    suspends,
    uses,
    walk_scope,
)
from twinoar.jit.runtime.names import PREFIX

RUNTIME = f"{PREFIX}runtime"


class Transformer(ast.NodeTransformer):
    """Base of the transformers of one function, and of the functions that it defines.

    globals, nonlocals: names that the function at hand declares so. depth: how many functions it is
    in. Generators and the statements of class bodies stay as they are, the former but for those
    that make no functions: takes_generators.
    """

    takes_generators = False

    def __init__(self) -> None:
        self.count = 0
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Go into a function, with the names that it declares."""
        if is_generated(node):
            return self.inside(node)
        if suspends(node) and not self.takes_generators:
            return node
        outer = self.globals, self.nonlocals
        self.globals, self.nonlocals = declared(node, ast.Global), declared(node, ast.Nonlocal)
        self.depth += 1
        made = self.inside(node)
        self.depth -= 1
        self.globals, self.nonlocals = outer
        return made

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """Go through what a function contains."""
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """Go into the methods alone: names of a class body are no variables of functions."""
        node.body = [self.visit(s) if isinstance(s, ast.FunctionDef) else s for s in node.body]
        return node

    def fresh(self, what: str) -> str:
        """A name that user code does not have."""
        self.count += 1
        return f"{PREFIX}{what}_{self.count}"

    def delayed(self, expression: ast.expr) -> ast.expr:
        """`lambda: expression`; what `:=` binds in it is bound outside."""
        nothing = ast.arguments([], [], None, [], [], None, [])
        made = ast.Lambda(nothing, _AssignOutside().visit(expression))
        made.delays = True  # type: ignore[attr-defined]  # told to names.assigned_names
        return ast.copy_location(made, expression) if hasattr(expression, "lineno") else made

    def function(self, name: str, body: list[ast.stmt], taking: Sequence[str] = ()) -> ast.stmt:
        """`def name(taking): body`, where all names are those of the function around it."""
        names = assigned_names(body)
        kept = [n for n in names if n in self.globals]
        free = [n for n in names if n not in self.globals]
        heads: list[ast.stmt] = [ast.Nonlocal(free)] if free else []
        heads += [ast.Global(kept)] if kept else []
        body = [s for s in body if not isinstance(s, (ast.Nonlocal, ast.Global))]
        return _function(name, taking, [*heads, *body] or [ast.Pass()])

    def shared(self, nodes: Sequence[ast.AST]) -> list[str]:
        """The variables that `nodes` bind or delete, of the function at hand or those it is in."""
        outside = self.globals | (self.nonlocals if self.depth == 1 else set())
        return [n for n in assigned_names(nodes) if n not in outside]

    def placed(self, statements: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
        """New statements at the place of `node`; those that came from the user keep theirs."""
        return [_place(s, node) for s in statements]

    def placed_expression(self, expression: Any, node: ast.AST) -> Any:
        """A new expression at the place of `node`."""
        return _place(expression, node)


class LoopTransformer(Transformer):
    """Base of those of loops. uses: how often a name is used in the function, and in each loop."""

    def __init__(self) -> None:
        super().__init__()
        self.uses: dict[ast.AST | None, Counter[str]] = {}

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """Go through a function, with what its names are used for."""
        if self.depth == 1 and not is_generated(node):
            loops = [n for n in ast.walk(node) if isinstance(n, (ast.For, ast.While))]
            self.uses = {None: uses([node])} | {n: uses([n]) for n in loops}
        return super().inside(node)

    def outliving(self, loop: ast.AST, names: Sequence[str]) -> list[str]:
        """Those of the names that are used outside the loop too."""
        return [n for n in names if self.uses[None][n] > self.uses[loop][n]]


class _AssignOutside(ast.NodeTransformer):
    """`(n := v)` as a call that binds the n around the lambda that the expression moves into."""

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        nothing = ast.arguments([], [], None, [], [], None, [])
        cell = ast.Lambda(nothing, ast.Name(node.target.id, ast.Load()))
        cell.delays = True  # type: ignore[attr-defined]
        made = call_runtime("assign", cell, self.visit(node.value))
        made.binds = node.target.id  # type: ignore[attr-defined]
        return _place(made, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return self.generic_visit(node) if hasattr(node, "delays") else node  # type: ignore[return-value]


def _place(new: Any, node: ast.AST) -> Any:
    """Give what has no place that of `node`; of a statement with a body, that of its head."""
    if isinstance(getattr(node, "body", None), list):
        node = _head(node)
    for child in ast.walk(new):
        if (
            not hasattr(child, "lineno")
            and hasattr(child, "_attributes")
            and "lineno" in child._attributes
        ):
            ast.copy_location(child, node)
    return new


def _head(node: Any) -> ast.AST:
    last = getattr(node, "test", None) or getattr(node, "iter", None)
    head = ast.copy_location(ast.Pass(), node)
    head.end_lineno = node.lineno if last is None else last.end_lineno
    head.end_col_offset = node.col_offset if last is None else last.end_col_offset
    return head


def call_runtime(function: str, *args: Any) -> ast.Call:
    """`runtime.function(args)`; a string argument is a name."""
    given = [ast.Name(a, ast.Load()) if isinstance(a, str) else a for a in args]
    return ast.Call(ast.Attribute(ast.Name(RUNTIME, ast.Load()), function, ast.Load()), given, [])


def literal(names: Sequence[str]) -> ast.expr:
    """A tuple of strings."""
    return ast.Tuple([ast.Constant(n) for n in names], ast.Load())


def assignment(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def returning(name: str, expression: ast.expr) -> ast.stmt:
    """`def name(): return expression`."""
    return _function(name, [], [ast.copy_location(ast.Return(expression), expression)])


def _function(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.stmt:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    made = ast.FunctionDef(name, arguments, body, [])
    made.type_params = []  # type: ignore[attr-defined]
    return made


class Declarer(Transformer):
    """def f(): nonlocal n; ...   ->   runtime.shares(lambda: (n,)), in a function inside the user's

    And it makes the names that generated functions share variables of the user's function around:
    `n: None` at the top binds n without a value.
    """

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """Declare what one function shares."""
        self.generic_visit(node)
        if is_generated(node):
            return node
        known = {*self.globals, *self.nonlocals, *parameters(node)}
        known |= {n.id for n in walk_scope(node.body) if _stores(n)}  # type: ignore[attr-defined]
        made = [f for f in walk_scope(node.body, generated=True) if is_generated(f)]
        shared = dict.fromkeys(n for f in made for n in _shared(f) if n not in known)
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        heads: list[ast.stmt] = [
            ast.AnnAssign(ast.Name(n, ast.Store()), ast.Constant(None), None, 1) for n in shared
        ]
        if self.nonlocals and self.depth > 1:
            names: list[ast.expr] = [ast.Name(n, ast.Load()) for n in sorted(self.nonlocals)]
            call = call_runtime("shares", self.delayed(ast.Tuple(names, ast.Load())))
            heads.append(ast.Nonlocal(sorted(self.nonlocals)))
            heads.append(ast.Expr(call))
            node.body = [s for s in node.body if not isinstance(s, ast.Nonlocal)]
        node.body[start:start] = self.placed(heads, node)
        return node


def _shared(function: ast.AST) -> list[str]:
    head = function.body[0]  # type: ignore[attr-defined]
    return head.names if isinstance(head, ast.Nonlocal) else []


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)

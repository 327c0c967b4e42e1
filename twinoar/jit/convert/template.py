"""Small pieces of syntax that the transformers share."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from twinoar.jit.convert.names import PREFIX

RUNTIME = f"{PREFIX}runtime"


class Transformer(ast.NodeTransformer):
    """Base of the transformers of one function. outside: names declared global or nonlocal."""

    def __init__(self, outside: set[str]):
        self.outside = outside
        self.count = 0

    def fresh(self, what: str) -> str:
        """A name that user code does not have."""
        self.count += 1
        return f"{PREFIX}{type(self).__name__.lower()}_{what}_{self.count}"

    def locals(self) -> ast.expr:
        """`locals()`."""
        return ast.Call(ast.Name("locals", ast.Load()), [], [])

    def delayed(self, expression: ast.expr) -> ast.expr:
        """`lambda: expression`."""
        nothing = ast.arguments([], [], None, [], [], None, [])
        return ast.copy_location(ast.Lambda(nothing, expression), expression)

    def placed(self, statements: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
        """New statements at the place of `node`; those that came from the user keep theirs."""
        return [_place(s, node) for s in statements]

    def placed_expression(self, expression: Any, node: ast.AST) -> Any:
        """A new expression at the place of `node`."""
        return _place(expression, node)


def _place(new: Any, node: ast.AST) -> Any:
    for child in ast.walk(new):
        if (
            not hasattr(child, "lineno")
            and hasattr(child, "_attributes")
            and "lineno" in child._attributes
        ):
            ast.copy_location(child, node)
    return new


def call_runtime(function: str, *args: Any) -> ast.Call:
    """`runtime.function(args)`; a string argument is a name."""
    given = [ast.Name(a, ast.Load()) if isinstance(a, str) else a for a in args]
    return ast.Call(ast.Attribute(ast.Name(RUNTIME, ast.Load()), function, ast.Load()), given, [])


def literal(names: Sequence[str]) -> ast.expr:
    """A tuple of strings."""
    return ast.Tuple([ast.Constant(n) for n in names], ast.Load())


def function_of(
    name: str, parameters: Sequence[str], body: list[ast.stmt], results: Sequence[str] | None = None
) -> ast.stmt:
    """`def name(parameters): body; return results`."""
    values = [ast.Name(n, ast.Load()) for n in (parameters if results is None else results)]
    return _function(
        name, parameters, [*(body or [ast.Pass()]), ast.Return(ast.Tuple(values, ast.Load()))]
    )


def returning(name: str, parameters: Sequence[str], expression: ast.expr) -> ast.stmt:
    """`def name(parameters): return expression`."""
    return _function(name, parameters, [ast.copy_location(ast.Return(expression), expression)])


def store(names: Sequence[str], value: ast.expr) -> ast.stmt:
    """`names = value`, or `value` alone where there are no names."""
    if not names:
        return ast.Expr(value)
    return ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], value)


def _function(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.stmt:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    made = ast.FunctionDef(name, arguments, body, [])
    made.type_params = []  # type: ignore[attr-defined]
    return made

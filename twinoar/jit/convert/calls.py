"""Calls: what is called is converted first, if it is the user's."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import RUNTIME, Transformer, call_runtime

KEPT = frozenset(
    {
        "super",
        "locals",
        "globals",
        "vars",
        "dir",
        "isinstance",
        "issubclass",
        "type",
        "hasattr",
        "getattr",
    }
)


class CallTransformer(Transformer):
    """f(x)   ->   runtime.call(f)(x)

    super() gets its arguments, which nested functions would not find.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Remember the first parameter of the outermost function."""
        parameters = [*node.args.posonlyargs, *node.args.args]
        if not hasattr(self, "first") and parameters:
            self.first = parameters[0].arg
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Convert one call; those of the runtime and of a few builtins stay."""
        self.generic_visit(node)
        if (
            isinstance(node.func, ast.Name)
            and node.func.id == "super"
            and not node.args
            and hasattr(self, "first")
        ):
            node.args = [ast.Name("__class__", ast.Load()), ast.Name(self.first, ast.Load())]
            return self.placed_expression(node, node)
        if isinstance(node.func, ast.Name) and node.func.id in KEPT:
            return node
        if (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == RUNTIME
        ):
            return node
        node.func = self.placed_expression(call_runtime("call", node.func), node.func)
        return node

"""Calls: what is called is converted first, if it is the user's."""

from __future__ import annotations

import ast

from twinoar.jit.convert.names import is_generated
from twinoar.jit.convert.template import RUNTIME, Transformer, call_runtime

# What looks at the frame that calls it.
KEPT = frozenset({"super", "locals", "dir", "eval", "exec"})


class CallTransformer(Transformer):
    """f(x)   ->   runtime.call(f)(x)

    super() gets its arguments, which the functions that transformers make would not find.
    """

    takes_generators = True

    def __init__(self) -> None:
        super().__init__()
        self.first: str | None = None

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """Remember the first parameter of the function that the user wrote."""
        if is_generated(node):
            return super().inside(node)
        outer, parameters = self.first, [*node.args.posonlyargs, *node.args.args]
        self.first = parameters[0].arg if parameters else None
        made = super().inside(node)
        self.first = outer
        return made

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Convert one call; those of the runtime and of a few builtins stay."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in KEPT:
            if node.func.id == "super" and not node.args and self.first is not None:
                node.args = [ast.Name("__class__", ast.Load()), ast.Name(self.first, ast.Load())]
            return self.placed_expression(node, node)
        if (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == RUNTIME
        ):
            return node
        node.func = self.placed_expression(call_runtime("call", node.func), node.func)
        return node

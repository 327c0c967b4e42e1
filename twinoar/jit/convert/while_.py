"""`while`: the test and the body become functions of the names that the body assigns."""

from __future__ import annotations

import ast

from twinoar.jit.convert.names import assigned_names, leaves, side_effects
from twinoar.jit.convert.template import (
    Transformer,
    call_runtime,
    function_of,
    literal,
    returning,
    store,
)


class WhileTransformer(Transformer):
    """while p: a   ->   x, y = runtime.while_(test, body, ("x", "y"), locals(), side_effects)"""

    def visit_While(self, node: ast.While) -> ast.stmt | list[ast.stmt]:
        """Convert one `while`; one with break, continue, return or else stays Python's."""
        self.generic_visit(node)
        names = assigned_names([*node.body, ast.Expr(node.test)])
        if node.orelse or leaves_loop(node.body) or self.outside & set(names):
            return node
        test, body = self.fresh("test"), self.fresh("body")
        call = call_runtime(
            "while_", test, body, literal(names), self.locals(), literal(side_effects(node.body))
        )
        made = [
            returning(test, names, node.test),
            function_of(body, names, node.body),
            store(names, call),
        ]
        return self.placed(made, node)


def leaves_loop(body: list[ast.stmt]) -> bool:
    """True if a loop's body has break, continue or return for this loop."""
    return leaves(body)

"""`while`: the test and the body become functions that share names with the function around."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import LoopTransformer, call_runtime, literal


class WhileTransformer(LoopTransformer):
    """while p: a   ->   runtime.while_(test, body, ("x", "y"), ("x",))"""

    def visit_While(self, node: ast.While) -> ast.stmt | list[ast.stmt]:
        """Convert one `while`; jumps and else have been taken out of it."""
        self.generic_visit(node)
        test, body = self.fresh("test"), self.fresh("body")
        given = ast.copy_location(ast.Return(node.test), node.test)
        names = self.shared([*node.body, node.test])
        outliving = literal(self.outliving(node, names))
        call = call_runtime("while_", test, body, literal(names), outliving)
        made = [self.function(test, [given]), self.function(body, node.body), ast.Expr(call)]
        return self.placed(made, node)

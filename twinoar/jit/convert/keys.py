"""Sets and dicts that are written down: what they hold is looked at, as its hash is asked for."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime


class KeyTransformer(Transformer):
    """{a, b}   ->   runtime.hashed({a, b}), and so for comprehensions and dicts"""

    takes_generators = True

    def visit_Set(self, node: ast.Set | ast.SetComp | ast.DictComp) -> ast.expr:
        """Look at the items, or keys."""
        self.generic_visit(node)
        return self.placed_expression(call_runtime("hashed", node), node)

    visit_SetComp = visit_DictComp = visit_Set

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """Look at the keys, unless all are constants."""
        self.generic_visit(node)
        if all(isinstance(k, ast.Constant) for k in node.keys):
            return node
        return self.placed_expression(call_runtime("hashed", node), node)

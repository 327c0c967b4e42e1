"""`is`: a name that has no value, or not one value, is nothing that could be asked about."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime


class IdentityTransformer(Transformer):
    """a is None   ->   runtime.defined(a) is None"""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Look at the operands of one comparison by `is`, or of a chain with one."""
        self.generic_visit(node)
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            node.left = self._defined(node.left)
            node.comparators = [self._defined(x) for x in node.comparators]
        return node

    def _defined(self, x: ast.expr) -> ast.expr:
        if not isinstance(x, ast.Name):
            return x
        return self.placed_expression(call_runtime("defined", x), x)  # type: ignore[no-any-return]

"""`and`, `or`, `not` and chained comparisons: the right side is a function, called if needed."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime

SIMPLE = (ast.Name, ast.Constant, ast.Attribute)


class LogicalTransformer(Transformer):
    """a and b   ->   runtime.and_(lambda: a, lambda: b)"""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Convert `and` and `or`, any number of operands."""
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return self.placed_expression(call_runtime(name, *map(self.delayed, node.values)), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Convert `not`."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return self.placed_expression(call_runtime("not_", node.operand), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """a < b < c   ->   runtime.and_(lambda: a < b, lambda: b < c)

        Only where b is a name or constant.
        """
        self.generic_visit(node)
        middle = node.comparators[:-1]
        if not middle or not all(isinstance(m, SIMPLE) for m in middle):
            return node
        operands = [node.left, *node.comparators]
        pairs = [
            self.delayed(ast.Compare(a, [op], [b]))
            for a, op, b in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return self.placed_expression(call_runtime("and_", *pairs), node)

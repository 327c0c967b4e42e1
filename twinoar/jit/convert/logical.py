"""`and`, `or`, `not` and comparisons: the right side is a function, called if needed."""

from __future__ import annotations

import ast

from twinoar.jit.convert.template import Transformer, call_runtime

# Comparisons that values themselves decide, or refuse to.
DIRECT = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class TestTransformer(Transformer):
    """Marks `and`, `or` and chains that stand as conditions: their truth is wanted, not a value."""

    def visit_If(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        """Mark the test."""
        _mark(node.test)
        return self.generic_visit(node)

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Mark the operand of `not`."""
        if isinstance(node.op, ast.Not):
            _mark(node.operand)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Mark the conditions of a comprehension."""
        for test in node.ifs:
            _mark(test)
        return self.generic_visit(node)


def _mark(test: ast.expr) -> None:
    test.is_test = True  # type: ignore[attr-defined]
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            _mark(value)


class LogicalTransformer(Transformer):
    """a and b   ->   runtime.and_(a, lambda: b), or runtime.both where it is a condition"""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Convert `and` and `or`, any number of operands."""
        first, *rest = node.values
        rest = [self._delayed(value) for value in rest]
        is_and = isinstance(node.op, ast.And)
        if hasattr(node, "is_test"):
            name = "both" if is_and else "either"
        else:
            name = "and_" if is_and else "or_"
        call = call_runtime(name, self.visit(first), *rest)
        return self.placed_expression(call, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Convert `not`."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return self.placed_expression(call_runtime("not_", node.operand), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """a == b       ->   runtime.compare("Eq", a, b)
        a < b < c    ->   runtime.chain(a, "Lt", b, "Lt", lambda: c)
        """
        kinds = [ast.Constant(type(op).__name__) for op in node.ops]
        if len(kinds) == 1:
            self.generic_visit(node)
            if isinstance(node.ops[0], DIRECT):
                return node
            call = call_runtime("compare", kinds[0], node.left, node.comparators[0])
            return self.placed_expression(call, node)
        middle, *rest = node.comparators
        pairs = [
            part
            for kind, operand in zip(kinds[1:], rest, strict=True)
            for part in (kind, self._delayed(operand))
        ]
        call = call_runtime("chain", self.visit(node.left), kinds[0], self.visit(middle), *pairs)
        return self.placed_expression(call, node)

    def _delayed(self, operand: ast.expr) -> ast.expr:
        """`lambda: operand`, marked where it assigns a name."""
        binds = any(isinstance(n, ast.NamedExpr) for n in ast.walk(operand))
        made = self.delayed(self.visit(operand))
        return call_runtime("binding", made) if binds else made

"""`assert` and `raise`: in a branch that a tensor decides they happen when the Program runs."""

from __future__ import annotations

import ast
import copy

from twinoar.jit.convert.template import Transformer, call_runtime, literal


class AssertTransformer(Transformer):
    """assert p, m        ->   runtime.assert_(p, lambda: m, ("a", "b"))
    raise e            ->   raise runtime.raised(e)
    try: s            ->   try:
    except E: t                 with runtime.handled(lambda: (E,), False): s
                           except E: runtime.pass_on(); t
    with m: s          ->   with runtime.within(m): s

    The texts are those of the operands, where p is a comparison.
    """

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        """Tell the runtime that what the body raises is handled here."""
        self.generic_visit(node)
        kinds = [h.type or ast.Name("BaseException", ast.Load()) for h in node.handlers]
        takes = self.delayed(ast.Tuple([copy.deepcopy(k) for k in kinds], ast.Load()))
        told = ast.withitem(call_runtime("handled", takes, ast.Constant(bool(node.finalbody))))
        node.body = self.placed([ast.With([told], node.body)], node)
        return node

    def visit_With(self, node: ast.With) -> ast.stmt:
        """Tell the runtime that what the body raises is seen by the manager."""
        self.generic_visit(node)
        for item in node.items:
            told = call_runtime("within", item.context_expr)
            item.context_expr = self.placed_expression(told, item.context_expr)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        """What conversion itself raises is not for the user's handlers."""
        self.generic_visit(node)
        node.body[:0] = self.placed([ast.Expr(call_runtime("pass_on"))], node)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """Convert one `assert`."""
        texts = _operands(node.test)
        self.generic_visit(node)
        message = ast.Constant(None) if node.msg is None else self.delayed(node.msg)
        call = call_runtime("assert_", node.test, message, literal(texts))
        (made,) = self.placed([ast.Expr(call)], node)
        return made

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Convert one `raise` of an exception that it names."""
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = self.placed_expression(call_runtime("raised", node.exc), node)
        return node


def _operands(test: ast.expr) -> list[str]:
    """The texts of both operands of a comparison."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return []
    return [ast.unparse(test.left), ast.unparse(test.comparators[0])]

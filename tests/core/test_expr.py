"""Expressions of the loop language: walked, rewritten and shown however deep they are."""

from __future__ import annotations

from twinoar.core.dtype import float32, int64
from twinoar.core.loop.expression import LONGEST, Expr, const, make, mod, walk
from twinoar.core.loop.replacing import rewrite

DEPTH = 5000
X, Y = (make("var", (name,), float32) for name in "xy")


def chain(first: Expr) -> Expr:
    """Each node reads the one before twice."""
    for _ in range(DEPTH):
        first = first * first
    return first


def test_a_deep_expression_is_rewritten():
    found = rewrite(chain(X), lambda e: Y if e is X else None)
    assert found is chain(Y)


def test_nodes_are_asked_once_and_outermost_first():
    asked: list[Expr] = []
    product = X * Y
    whole = product + product * const(2.0)
    assert rewrite(whole, asked.append) is whole
    assert asked == [whole, product, X, Y, product * const(2.0), const(2.0)]


def test_what_is_shared_makes_no_endless_text():
    assert str((X + Y) * (X + Y)) == "mul(add(x, y), add(x, y))"
    assert len(str(chain(X))) <= LONGEST


def test_each_node_is_walked_once():
    assert sum(1 for _ in walk(chain(X))) == DEPTH + 1


def test_a_name_has_the_range_that_its_kernel_gives_it():
    few = make("var", ("s0",), int64, (0, 2))
    many = make("var", ("s0",), int64, (0, 99))
    assert mod(few, 3) is few
    assert mod(many, 3).kind == "mod"

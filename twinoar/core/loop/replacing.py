"""Expressions made anew with parts replaced, simplified as those that are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twinoar.core.loop.axis import Axis
from twinoar.core.loop.expression import (
    Expr,
    add,
    cast,
    const,
    div,
    eq,
    floordiv,
    le,
    logic,
    lt,
    make,
    mod,
    mul,
    neg,
    not_,
    select,
    sub,
    weighted_sum,
)

# Kinds that simplify as they are made.
REBUILT: dict[str, Callable[..., Expr]] = {
    "add": add, "sub": sub, "mul": mul, "div": div, "neg": neg, "floordiv": floordiv, "mod": mod,
    "lt": lt, "le": le, "eq": eq, "not": not_, "select": select,
}  # fmt: skip


def rebuild(x: Expr, children: Sequence[Expr]) -> Expr:
    """`x` with other children, simplified anew."""
    if x.kind == "linear":
        constant, terms = x.args
        return weighted_sum((const(constant), *children), (1, *(c for _, c in terms)))
    given = iter(children)
    args = tuple(next(given) if isinstance(a, Expr) else a for a in x.args)
    if x.kind in REBUILT:
        return REBUILT[x.kind](*args)
    if x.kind in ("and", "or", "xor"):
        return logic(x.kind, *args)
    if x.kind == "cast":
        return cast(args[0], x.dtype)
    return make(x.kind, args, x.dtype, x.bounds)


def rewrite(x: Expr, replace: Callable[[Expr], Expr | None]) -> Expr:
    """`x` with each node for which `replace` returns one replaced by it; outermost first."""
    done: dict[Expr, Expr] = {}
    stack = [(x, False)]
    while stack:
        e, is_ready = stack.pop()
        if is_ready:
            new = tuple([done[c] for c in e.children])
            done[e] = e if new == e.children else rebuild(e, new)
        elif e not in done:
            found = replace(e)
            if found is not None or not e.children:
                done[e] = e if found is None else found
            else:
                stack.append((e, True))
                stack += [(c, False) for c in reversed(e.children)]
    return done[x]


def substitute(x: Expr, values: dict[Axis, Expr]) -> Expr:
    """`x` with axes replaced by expressions."""

    def replace(e: Expr) -> Expr | None:
        if not e.free & values.keys():
            return e
        return values.get(e.args[0]) if e.kind == "axis" else None

    return rewrite(x, replace)

"""Nodes of the loop language as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twinoar.core.varying import is_one

if TYPE_CHECKING:
    from twinoar.core.loop.expression import Expr

PARTS = {None: "", 0: ".real", 1: ".imag"}  # of a complex element


def shown(e: Expr, texts: dict[Expr, str]) -> str:
    """A node as text, from the texts of its children."""
    if e.kind == "linear":
        terms = [texts[t] if is_one(c) else f"{c}*{texts[t]}" for t, c in e.args[1]]
        return f"({' + '.join([*terms, *([str(e.args[0])] if e.args[0] else [])])})"
    args = [texts[a] if a in texts else str(getattr(a, "name", a)) for a in e.args]
    if e.kind in ("const", "axis", "var"):
        return args[0]
    if e.kind == "load":
        return f"{args[0]}[{args[1]}]{PARTS[e.args[2]] if len(args) > 2 else ''}"
    return f"{e.kind}({', '.join(args)})"

"""Gradient rules that are written for real numbers, on gradients of complex ones.

The gradient through a holomorphic f is g conj(f'(z)), and a rule gives g f'(z): so what goes in and
what comes out is conjugated. Rules of other functions know complex numbers themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.definition import GradRule, op_named
from twinoar.core.values import Value


def meets_complex(rule: GradRule, asked: Sequence[Any]) -> bool:
    """True if complex gradients come in to a rule that is written for real ones."""
    if rule.knows_complex:
        return False
    named = dict(zip(rule.asks, asked, strict=True))
    gradients = (named.get("g"), *named.get("gs", ()))
    return any(isinstance(g, Value) and g.dtype.is_complex for g in gradients)


def between_conjugations(rule: GradRule, asked: Sequence[Any]) -> tuple[Any, ...]:
    """The gradients that a rule for real numbers gives between conjugations."""
    turned = [
        _conjugated(x) if name == "g" else tuple(map(_conjugated, x)) if name == "gs" else x
        for name, x in zip(rule.asks, asked, strict=True)
    ]
    out = rule.function(*turned)
    return tuple(map(_conjugated, out if isinstance(out, tuple) else (out,)))


def _conjugated(x: Any) -> Any:
    return op_named("conj")(x) if isinstance(x, Value) and x.dtype.is_complex else x

"""Several operators as the one that they amount to."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.ops.activation.softmax import softmax_op
from twinoar.ops.linalg.matmul import fc_mul, linear, matmul
from twinoar.ops.math.affine import scale_op
from twinoar.ops.math.arithmetic import add, divide, multiply
from twinoar.ops.random.dropout import dropout_op
from twinoar.ops.sequence.attention import HEADS_FIRST, LEAST_SCORES, attend, attention_op, is_tiled
from twinoar.ops.shape.reshape import transpose_op
from twinoar.passes.identities import drop_identities, remove_dropout
from twinoar.passes.registry import enabled


@rewrite(lambda x, w: fc_mul(x, w, Attr("rows"), 1))
def plain_product(x: Variable, w: Variable, rows: int) -> Any:
    """The product of fc is that of matrices where x has one dimension besides its rows'."""
    return matmul(x, w) if x.spec.ndim == rows + 1 and w.spec.ndim == 2 else None


@rewrite(lambda x, w, b: add(matmul(x, w), b))
def linear_of_sum(x: Any, w: Any, b: Any) -> Any:
    """x w + b = linear(x, w, b), for a matrix w and a number for each of its columns."""
    given = (x, w, b)
    if not all(isinstance(v, Variable) and v.spec.dtype is x.spec.dtype for v in given):
        return None
    is_matrix = w.spec.ndim == 2 and x.spec.ndim > 1
    return linear(x, w, b) if is_matrix and b.spec.shape == w.spec.shape[1:] else None


def fuse_linear(program: Program) -> Program:
    """Let x w + b, in place, be one operator. Returns the program."""
    return apply_rules(program, enabled([plain_product, linear_of_sum]))


def _product(q: Any, k: Any) -> Any:
    return matmul(q, k, False, True)


# The ways in which the products of queries and keys are scaled by a number, and what it is then.
SCALED: tuple[tuple[Callable[[Any, Any], Any], Callable[[float], float]], ...] = (
    (lambda q, k: _product(multiply(q, Attr("number")), k), float),
    (lambda q, k: _product(scale_op(q, Attr("number")), k), float),
    (lambda q, k: multiply(_product(q, k), Attr("number")), float),
    (lambda q, k: scale_op(_product(q, k), Attr("number")), float),
    (lambda q, k: divide(_product(q, k), Attr("number")), lambda number: 1 / number),
    (_product, float),
)


def _attention(
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    axis: int,
    factor: float,
    *,
    only_tiled: bool = False,
    draw: Any = None,
    p: float = 0.0,
) -> Any:
    """The attention of operands [N,heads,T,D]; None where they have another form.

    only_tiled: None for short sequences, too, over which it is computed as it is written.
    """
    operands = [x for x in (q, k, v, mask) if x is not None]
    if not all(isinstance(x, Variable) and x.spec.dtype is q.spec.dtype for x in operands):
        return None
    if any(x.spec.ndim != 4 for x in (q, k, v)) or axis not in (-1, 3):
        return None
    (n, heads, queries, size), keys = q.spec.shape, k.spec.shape[2]
    if k.spec.shape[:2] != (n, heads) or v.spec.shape[:3] != (n, heads, keys):
        return None
    if not isinstance(heads, int) or not isinstance(size, int) or not q.spec.dtype.is_floating:
        return None
    if mask is not None:
        wanted = (n, heads, queries, keys)[4 - mask.spec.ndim :]
        pairs = zip(mask.spec.shape, wanted, strict=True) if mask.spec.ndim <= 4 else [(0, 1)]
        if not all(a in (1, b) for a, b in pairs):
            return None
    query, key, value = (transpose_op(x, HEADS_FIRST) for x in (q, k, v))
    if only_tiled and not is_tiled(query.spec, key.spec, value.spec):
        return None
    way = attend if only_tiled else attention_op
    return transpose_op(way(query, key, value, mask, draw, p, False, factor), HEADS_FIRST)


def _rule(scores: Callable[[Any, Any], Any], scale: Callable[[float], float]) -> list[Rule]:
    """The rules for one way of scaling: with a mask that is added, and without."""

    def fuse_attention(
        q: Any, k: Any, v: Any, axis: int, mask: Any = None, number: float | None = None
    ) -> Any:
        """softmax(scale * q k' + mask) v is one operator."""
        return _attention(q, k, v, mask, axis, 1.0 if number is None else scale(number))

    masked, bare = _forms(scores)
    return [rewrite(masked)(fuse_attention), rewrite(bare)(fuse_attention)]


def _forms(scores: Callable[[Any, Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Patterns of attention: with a mask that is added, and without."""

    def masked(q: Any, k: Any, v: Any, mask: Any) -> Any:
        return matmul(softmax_op(add(scores(q, k), mask), Attr("axis")), v)

    def bare(q: Any, k: Any, v: Any) -> Any:
        return matmul(softmax_op(scores(q, k), Attr("axis")), v)

    return masked, bare


def _dropping(
    scores: Callable[[Any, Any], Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The same, with shares left out at random."""

    def kept(shares: Any, draw: Any) -> Any:
        return dropout_op(shares, draw, Attr("p"), (), True, "upscale_in_train")

    def masked(q: Any, k: Any, v: Any, mask: Any, draw: Any) -> Any:
        return matmul(kept(softmax_op(add(scores(q, k), mask), Attr("axis")), draw), v)

    def bare(q: Any, k: Any, v: Any, draw: Any) -> Any:
        return matmul(kept(softmax_op(scores(q, k), Attr("axis")), draw), v)

    return masked, bare


def _tiling(scores: Callable[[Any, Any], Any], scale: Callable[[float], float]) -> list[Rule]:
    """The rules for one way of scaling, which apply to long sequences alone."""

    def tile_attention(
        q: Any, k: Any, v: Any, axis: int, mask: Any = None, number: float | None = None,
        draw: Any = None, p: float = 0.0,
    ) -> Any:  # fmt: skip
        """softmax(scale * q k' + mask) v over long sequences goes tile by tile."""
        factor = 1.0 if number is None else scale(number)
        return _attention(q, k, v, mask, axis, factor, only_tiled=True, draw=draw, p=p)

    forms = (*_forms(scores), *_dropping(scores))
    return [rewrite(form)(tile_attention) for form in forms]


ATTENTION: list[Rule] = [rule for form in SCALED for rule in _rule(*form)]


@functools.cache
def _tiling_rules() -> list[Rule]:
    """Made when the first long softmax is met: most Programs have none."""
    return [rule for form in SCALED for rule in _tiling(*form)]


def fuse_attention(program: Program) -> Program:
    """Let softmax(q k') v, in place, be one operator, and drop transposes that cancel then.

    Returns the program.
    """
    apply_rules(drop_identities(program), enabled(ATTENTION))
    return drop_identities(program)


def tile_attention(program: Program) -> Program:
    """Let softmax(q k') v over long sequences, in place, be one operator, which goes tile by tile.

    Returns the program.
    """
    if not has_long_scores(program):
        return program
    apply_rules(drop_identities(remove_dropout(program)), enabled(_tiling_rules()))
    return drop_identities(program)


def has_long_scores(program: Program) -> bool:
    """True if there is a softmax over so many numbers that it may be of scores worth tiles."""
    least = min(LEAST_SCORES.values())
    return any(
        o.op is softmax_op
        and x.spec.ndim == 4
        and is_known(*x.spec.shape[2:])
        and math.prod(x.spec.shape[2:]) >= least
        for o in program.main.walk()
        for x in o.results
        if x is not None
    )

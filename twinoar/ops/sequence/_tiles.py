"""Attention tile by tile: the loops that compute it, and its gradients, without all scores at once.

A tile is QUERIES queries, which lie side by side, times KEYS keys, in memory of the row's own. What
shares are divided by is known after the last key, so sums of values are kept for the greatest score
so far, and rescaled where a tile has a greater one. Source: arXiv 2205.14135, algorithm 1; the
gradients: arXiv 2307.08691, algorithm 2.

Keys and values are packed tile by tile before, as many blocks of queries read them.

Sums run in one order, whatever the number of threads: a row of `attended` is a block of queries of
a head, one of `gradients` some blocks of queries of the heads that share a head of keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import bool_, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Expr
from twinoar.core.loop.procedure import cast, local, procedure, products
from twinoar.ops.random.philox import lane

QUERIES, KEYS = 64, 64  # of a tile: its scores take 16 KiB, half of the first cache
SLACK = 8.0  # shares are at most e^8, far from what overflows
FOUR = (0, 1, 2, 3)


def padded(count: int) -> int:
    """The next multiple of four: products go through rows and steps in groups of four."""
    return -(-count // 4) * 4


@procedure
def packed(row, source, out, *, size):
    """A tile of the keys or values of a head, [KEYS,size]; behind the last one it stands again.

    out: [samples times heads,tiles,KEYS times size].
    """
    heads, tiles = source.shape[2], out.shape[1]
    of, tile = row // tiles, row % tiles
    for j in range(KEYS):
        at = min(tile * KEYS + j, source.shape[1] - 1)
        for d in range(size):
            out[of, tile, j * padded(size) + d] = cast(source[of // heads, at, of % heads, d], out)
        for d in range(size, padded(size)):
            out[of, tile, j * padded(size) + d] = cast(0, out)


@procedure
def attended(
    row, query, key, value, keys, key_heads, mask, draw, bounds, out, totals, scale, least, kept,
    *, dtype, size, width, masked, steps, causal, bounded, drops, aligned,
):  # fmt: skip
    """One block of queries of one head: what it attends to, and log(sum(exp(scores))).

    key, value: packed.
    """
    heads, queries = query.shape[2], query.shape[1]
    blocks = (queries + QUERIES - 1) // QUERIES
    n, h = row // (heads * blocks), row // blocks % heads
    first = _folded(row % blocks, blocks) * QUERIES
    of = n * key_heads + h // (heads // key_heads)
    seen, shift = _seen(n, keys, bounds, bounded=bounded)
    turned = local(padded(size) * QUERIES, dtype)
    _turned(turned, query, n, first, h, cast(scale, dtype), size=size)
    scores, sums = local(KEYS * QUERIES, dtype), local(padded(width) * QUERIES, dtype)
    most, total = local(QUERIES, dtype), local(QUERIES, dtype)
    left = local(KEYS * QUERIES if drops else 1, dtype)
    for i in range(QUERIES):
        most[i] = cast(-math.inf, dtype)
        total[i] = cast(0, dtype)
    for i in range(padded(width) * QUERIES):
        sums[i] = cast(0, dtype)
    for start in range(0, _stop(seen, first, shift, causal=causal), KEYS):
        _scores(
            scores, key, of, turned, n, h, first, start, mask, seen, shift, queries, keys,
            size=size, masked=masked, steps=steps, causal=causal,
        )  # fmt: skip
        _shares(scores, most, total, sums, dtype=dtype, width=width)
        if drops:
            before = ((n * heads + h) * queries + first) * keys + start
            _left(left, draw, before, keys, least, cast(kept, dtype), aligned=aligned)
            for i in range(KEYS * QUERIES):
                scores[i] *= left[i]
        products(
            sums, 0, value, (of, start // KEYS, 0), scores,
            rows=padded(width), inner=KEYS, across=QUERIES, row_step=1, inner_step=padded(width),
        )  # fmt: skip
    for i in range(min(QUERIES, queries - first)):
        divisor = total[i]
        if bounded:  # queries that see nothing get nothing
            divisor = loop.select(loop.eq(divisor, 0.0), cast(1, dtype), divisor)
        totals[n, h, first + i] = most[i] + loop.call("log", total[i])
        for e in range(width):
            out[n, first + i, h, e] = cast(sums[e * QUERIES + i] / divisor, out)


@procedure
def _folded(block, blocks):
    """The blocks in an order whose halves are as much work: later queries see more keys."""
    return block // 2 if block % 2 == 0 else blocks - 1 - block // 2


@procedure
def _seen(n, keys, bounds, *, bounded):
    """How many keys a sample has, and how much later those may stand that a query sees."""
    if bounded:
        seen, shift = min(bounds[n, 0], keys), bounds[n, 1]
    else:
        seen, shift = keys, 0
    return seen, shift


@procedure
def _stop(seen, first, shift, *, causal):
    """The end of the keys that a block of queries sees."""
    return min(seen, max(first + QUERIES + shift, 0)) if causal else seen


@procedure
def _turned(into, source, n, first, h, scale, *, size):
    """A block of queries, [size,QUERIES]; behind the last one it stands again."""
    for i in range(QUERIES):
        at = min(first + i, source.shape[1] - 1)
        for d in range(size):
            into[d * QUERIES + i] = cast(source[n, at, h, d], into) * scale
    for i in range(size * QUERIES, padded(size) * QUERIES):
        into[i] = cast(0, into)


@procedure
def _scores(
    scores, key, of, turned, n, h, first, start, mask, seen, shift, queries, keys,
    *, size, masked, steps, causal,
):  # fmt: skip
    """The scores of a tile, [KEYS,QUERIES]: -inf where a key is not seen."""
    products(
        scores, 0, key, (of, start // KEYS, 0), turned, adds=False,
        rows=KEYS, inner=padded(size), across=QUERIES, row_step=padded(size), inner_step=1,
    )  # fmt: skip
    if masked and steps[2]:
        for i in range(QUERIES):  # row by row: queries are far apart in a mask
            at = min(first + i, queries - 1)
            for j in range(min(KEYS, keys - start)):
                x = mask[n * steps[0], h * steps[1], at, (start + j) * steps[3]]
                scores[j * QUERIES + i] = _masked(scores[j * QUERIES + i], x)
    elif masked:
        for j in range(min(KEYS, keys - start)):
            x = mask[n * steps[0], h * steps[1], 0, (start + j) * steps[3]]
            for i in range(QUERIES):
                scores[j * QUERIES + i] = _masked(scores[j * QUERIES + i], x)
    if start + KEYS > seen:
        for j in range(seen - start, KEYS):
            for i in range(QUERIES):
                scores[j * QUERIES + i] = cast(-math.inf, scores)
    if causal and start + KEYS - 1 > first + shift:
        for j in range(KEYS):
            for i in range(QUERIES):
                is_later = start + j > first + i + shift
                score = scores[j * QUERIES + i]
                scores[j * QUERIES + i] = loop.select(is_later, cast(-math.inf, scores), score)


def _masked(score: Expr, mask: Expr) -> Expr:
    """A score where attention is wanted, or plus what is added to it."""
    if mask.dtype is bool_:
        return loop.select(mask, score, -math.inf)
    return score + loop.cast(mask, score.dtype)


@procedure
def _shares(scores, most, total, sums, *, dtype, width):
    """exp(scores - base) in place of scores, with the base of each query that sums are kept for.

    Where scores are greater than that by more than SLACK the base becomes the greatest so far, and
    what was summed before is rescaled: all that, as it takes a pass over sums, is rare.
    """
    base, old = local(QUERIES, dtype), local(QUERIES, dtype)
    for i in range(QUERIES):
        base[i] = most[i]
    for j in range(KEYS):
        for i in range(QUERIES):
            x = scores[j * QUERIES + i]
            base[i] = loop.select(loop.lt(base[i], x), x, base[i])
    risen = 0
    for i in range(QUERIES):
        risen += cast(loop.select(loop.lt(most[i] + SLACK, base[i]), 1, 0), int64)
    if risen > 0:
        for i in range(QUERIES):
            old[i] = loop.call("exp", most[i] - _finite(base[i]))
            most[i] = base[i]
            total[i] *= old[i]
        for e in range(width):
            for i in range(QUERIES):
                sums[e * QUERIES + i] *= old[i]
    for i in range(QUERIES):
        base[i] = _finite(most[i])
    for j in range(KEYS):
        for i in range(QUERIES):
            share = loop.call("exp_flushing", scores[j * QUERIES + i] - base[i])
            scores[j * QUERIES + i] = share
            total[i] += share


def _finite(base: Expr) -> Expr:
    """What scores are less: -inf - -inf is nan, and where all are -inf shares are 0."""
    return loop.select(loop.eq(base, -math.inf), 0.0, base)


@procedure
def _left(left, draw, before, keys, least, kept, *, aligned):
    """What shares of a tile are times: 0 for those that are left out.

    Element [n,h,q,k] of a draw decides about a share; `before` is the number of the tile's first
    one. aligned: queries begin with the first of the four words of a block.
    """
    key = (draw[0], draw[1])
    for j in range(0, KEYS, 4):
        for i in range(QUERIES):
            place = before + i * keys + j
            words = _words(key, place, aligned)
            for k in FOUR:
                stays = loop.le(least, words[k])
                left[(j + k) * QUERIES + i] = loop.select(stays, kept, cast(0, left))


def _words(key: Any, place: Expr, aligned: bool) -> tuple[Expr, ...]:
    """The words of four elements of a draw, from a place on."""
    block = loop.shr(place, 2)
    words = [lane(key, block, k) for k in FOUR]
    if aligned:
        return tuple(words)
    following = [lane(key, block + 1, k) for k in FOUR]
    return _shifted((*words, *following), loop.and_(place, 3))


def _shifted(words: Sequence[Expr], by: Expr) -> tuple[Expr, ...]:
    """Four of eight words, from number `by` on, which is 0 to 3."""
    found = list(words[:4])
    for step in FOUR[1:]:
        is_it = loop.eq(by, step)
        found = [loop.select(is_it, words[k + step], found[k]) for k in FOUR]
    return tuple(found)


@procedure
def gradients(
    row, g, query, key, value, keys, key_heads, mask, draw, bounds, totals, delta,
    of_query, of_key, of_value, chunks, scale, least, kept,
    *, dtype, size, width, masked, steps, causal, bounded, drops, aligned,
):  # fmt: skip
    """One chunk of the blocks of queries that see a head of keys: their gradients, and its part.

    key, value: packed. of_query: as query lies. of_key, of_value: parts of sums, [rows,tiles of
    keys,KEYS times size].
    """
    queries = query.shape[1]
    head = row // chunks  # of keys, of all samples
    group, blocks = query.shape[2] // key_heads, (queries + QUERIES - 1) // QUERIES
    n, of, chunk = row // (chunks * key_heads), row // chunks % key_heads, row % chunks
    seen, shift = _seen(n, keys, bounds, bounded=bounded)
    turned, own = local(padded(size) * QUERIES, dtype), local(QUERIES * padded(size), dtype)
    given_turned = local(padded(width) * QUERIES, dtype)
    given = local(QUERIES * padded(width), dtype)
    shares, slopes = local(KEYS * QUERIES, dtype), local(KEYS * QUERIES, dtype)
    base, less = local(QUERIES, dtype), local(QUERIES, dtype)
    found, left = local(padded(size) * QUERIES, dtype), local(KEYS * QUERIES if drops else 1, dtype)
    for tile in range(of_key.shape[1]):
        for j in range(KEYS * padded(size)):
            of_key[row, tile, j] = cast(0, of_key)
        for j in range(KEYS * padded(width)):
            of_value[row, tile, j] = cast(0, of_value)
    for h in range(of * group, (of + 1) * group):
        for nth in range((blocks - chunk + chunks - 1) // chunks):
            first = (chunk + nth * chunks) * QUERIES
            count = min(QUERIES, queries - first)
            _turned(turned, query, n, first, h, cast(scale, dtype), size=size)
            _turned(given_turned, g, n, first, h, cast(1, dtype), size=width)
            _upright(own, turned, count, size=size)
            _upright(given, given_turned, count, size=width)
            for i in range(QUERIES):
                at = min(first + i, queries - 1)
                base[i] = _finite(totals[n, h, at])
                less[i] = delta[n, h, at]
            for i in range(padded(size) * QUERIES):
                found[i] = cast(0, dtype)
            for start in range(0, _stop(seen, first, shift, causal=causal), KEYS):
                tile = start // KEYS
                _scores(
                    shares, key, head, turned, n, h, first, start, mask, seen, shift, queries, keys,
                    size=size, masked=masked, steps=steps, causal=causal,
                )  # fmt: skip
                if drops:
                    before = ((n * query.shape[2] + h) * queries + first) * keys + start
                    _left(left, draw, before, keys, least, cast(kept, dtype), aligned=aligned)
                _slopes(
                    slopes, shares, value, (head, tile, 0), given_turned, base, less, left,
                    dtype=dtype, width=width, drops=drops,
                )  # fmt: skip
                products(
                    of_value, (row, tile, 0), shares, 0, given,
                    rows=KEYS, inner=QUERIES, across=padded(width), row_step=QUERIES, inner_step=1,
                )  # fmt: skip
                products(
                    of_key, (row, tile, 0), slopes, 0, own,
                    rows=KEYS, inner=QUERIES, across=padded(size), row_step=QUERIES, inner_step=1,
                )  # fmt: skip
                products(
                    found, 0, key, (head, tile, 0), slopes,
                    rows=padded(size), inner=KEYS, across=QUERIES,
                    row_step=1, inner_step=padded(size),
                )  # fmt: skip
            for i in range(count):
                for d in range(size):
                    slope = found[d * QUERIES + i] * cast(scale, dtype)
                    of_query[n, first + i, h, d] = cast(slope, of_query)


@procedure
def _slopes(
    slopes, shares, value, of, turned, base, less, left, *, dtype, width, drops
):  # fmt: skip
    """Gradients of the scores of a tile, and shares, without those left out, in place of scores."""
    products(
        slopes, 0, value, of, turned, adds=False,
        rows=KEYS, inner=padded(width), across=QUERIES, row_step=padded(width), inner_step=1,
    )  # fmt: skip
    for j in range(KEYS):
        for i in range(QUERIES):
            at = j * QUERIES + i
            slope = slopes[at]
            share = loop.call("exp_flushing", shares[at] - base[i])
            if drops:
                shares[at] = share * left[at]
                slopes[at] = share * (slope * left[at] - less[i])
            else:
                shares[at] = share
                slopes[at] = share * (slope - less[i])


@procedure
def _upright(into, turned, count, *, size):
    """A block of queries, [QUERIES,size], of one that is turned; zeros behind the last."""
    for i in range(QUERIES):
        for d in range(padded(size)):
            x = turned[d * QUERIES + i]
            into[i * padded(size) + d] = loop.select(loop.lt(i, count), x, cast(0, into))


@procedure
def summed(row, parts, out, chunks, *, dtype, size):
    """Gradients of a key of all heads, of the sums of the chunks."""
    keys, heads = out.shape[1], out.shape[2]
    n, j = row // keys, row % keys
    for h in range(heads):
        for d in range(size):
            total = cast(0, dtype)
            for chunk in range(chunks):
                place = j % KEYS * padded(size) + d
                total += parts[(n * heads + h) * chunks + chunk, j // KEYS, place]
            out[n, j, h, d] = cast(total, out)

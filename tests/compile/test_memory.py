"""Places in the arena: what is needed at once lies apart, and little room is lost."""

from __future__ import annotations

from random import Random

import pytest

from twinoar.compile.memory import (
    ALIGNMENT,
    Life,
    aligned,
    bundled,
    most_at_once,
    plan,
    unbundled,
)


def lives_of(seed: int) -> list[Life]:
    """Values of a training step: activations that wait for the gradient, and what passes by."""
    random = Random(seed)
    steps = 60
    lives = []
    for n in range(steps):
        size = random.choice((4, 100, 1000, 4096, 10_000, 65_536))
        lives.append(Life(("value", n), size, n, n + random.randint(0, 3)))
        if random.random() < 0.4 and n < steps // 2:
            lives.append(Life(("kept", n), size, n, steps - n))
    return lives


@pytest.mark.parametrize("seed", range(10))
def test_what_is_needed_at_once_lies_apart(seed):
    lives = lives_of(seed)
    arena = plan(lives)
    for n, a in enumerate(lives):
        start = arena.offsets[a.key]
        assert start % ALIGNMENT == 0 and start + a.bytes <= arena.bytes
        for b in lives[:n]:
            other = arena.offsets[b.key]
            if a.first <= b.last and b.first <= a.last:
                assert start + a.bytes <= other or other + b.bytes <= start


@pytest.mark.parametrize("seed", range(10))
def test_little_more_than_the_largest_need_is_taken(seed):
    arena = plan(lives_of(seed))
    assert arena.needed == most_at_once(lives_of(seed))
    assert arena.needed <= arena.bytes <= 1.15 * arena.needed


def test_a_chain_needs_two_places():
    arena = plan([Life(n, 1000, n, n + 1) for n in range(20)])
    assert arena.bytes == 2 * aligned(1000)


def test_nothing_needs_nothing():
    assert plan([]).bytes == 0


def test_a_bundle_lies_side_by_side_for_as_long_as_one_of_it_is_needed():
    lives = [Life("a", 100, 0, 2), Life("b", 1000, 1, 3), Life("c", 64, 3, 4), Life("d", 64, 4, 5)]
    merged, inside = bundled(lives, [["c", "a"]])
    assert {(x.first, x.last, x.bytes) for x in merged if x.key not in ("b", "d")} == {(0, 4, 192)}
    offsets = unbundled(plan(merged), inside).offsets
    assert set(offsets) == {"a", "b", "c", "d"}
    assert offsets["a"] == offsets["c"] + aligned(64)


def test_a_bundle_of_what_has_no_life_here_stays_apart():
    lives = [Life("a", 100, 0, 2), Life("b", 1000, 1, 3)]
    merged, inside = bundled(lives, [["a", "outside"], ["a", "b"]])
    assert len(merged) == 1 and len(inside) == 1

"""Places in the arena: what is needed at once lies apart, and little room is lost."""

from __future__ import annotations

from random import Random

import pytest

from twinoar.compile.memory import ALIGNMENT, Life, aligned, most_at_once, plan


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

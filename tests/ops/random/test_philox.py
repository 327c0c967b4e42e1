"""Random bits are those of Philox4x32-10, however and in whatever part they are computed."""

from __future__ import annotations

from operator import rshift

import numpy as np
import pytest

from twinoar.compile.evaluation import elements, reader_of
from twinoar.core.loop import language as loop
from twinoar.core.loop.language import Reader
from twinoar.core.loop.philox import block_of
from twinoar.ops.random.philox import (
    CHUNK,
    FEW,
    blocks_at,
    blocks_of,
    filled,
    pair,
    wide_word,
    word,
    words,
)

# Counter, key and block: the known answers for philox4x32-10 in Random123's file kat_vectors.
KNOWN = {
    "zeros": ("00000000 00000000 00000000 00000000", "00000000 00000000",
              "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    "ones": ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
             "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    "pi": ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
           "d16cfe09 94fdcceb 5001e420 24126ea1"),
}  # fmt: skip
KEY = np.array([(0x1234 << 40) + 5, (77 << 32) + 3])  # whose halves are all in use


def numbers(text: str) -> list[int]:
    return [int(x, 16) for x in text.split()]


def signed(high: int, low: int) -> int:
    """64 bits as an int64."""
    return int(np.array(high << 32 | low, np.uint64).view(np.int64))


@pytest.mark.parametrize("name", KNOWN)
def test_one_block_is_the_known_answer(name):
    counter, key, answer = map(numbers, KNOWN[name])
    assert list(block_of(tuple(counter), tuple(key), rshift)) == answer


@pytest.mark.parametrize("name", KNOWN)
def test_many_blocks_are_the_known_answer(name):
    counter, key, answer = map(numbers, KNOWN[name])
    many = np.repeat(np.array(counter, np.uint32)[:, None], 3, axis=1)
    assert (blocks_of(many, tuple(key)) == np.array(answer)[:, None]).all()


@pytest.mark.parametrize("name", KNOWN)
def test_a_block_of_the_loop_language_is_the_known_answer(name):
    counter, key, answer = map(numbers, KNOWN[name])
    given = np.array([signed(key[1], key[0]), signed(counter[3], counter[2])])
    block = reader_of(np.array([signed(counter[1], counter[0])]))
    source = reader_of(given)
    found = [loop.random_bits(source[0], source[1], block[0], lane) for lane in range(4)]
    reader = Reader((4,), block.dtype, lambda i: pick(i[0], found))
    assert elements(reader).tolist() == answer


def pick(position, values):
    """values[position] in the loop language."""
    out = values[-1]
    for n, value in enumerate(values[:-1]):
        out = loop.select(loop.eq(position, n), value, out)
    return out


def by_rule(rule, count):
    """`count` elements of a rule of a key and a position."""
    key = reader_of(KEY)
    return elements(Reader((count,), key.dtype, lambda i: rule(key, i[0])))


def test_elements_take_the_words_that_the_arrays_hold():
    many = words(KEY, 4 * FEW + 80)
    assert by_rule(word, many.size).tolist() == many.tolist()
    for half in (0, 1):
        found = by_rule(lambda key, at, half=half: wide_word(key, at)[half], many.size // 2)
        assert found.tolist() == many[half::2].tolist()
        found = by_rule(lambda key, at, half=half: pair(key, at, 1)[half], many.size // 4)
        assert found.tolist() == many[2 + half :: 4].tolist()


def test_any_part_of_a_draw_is_that_part():
    whole = words(KEY, 1000)
    for first, count in ((0, 1), (1, 7), (FEW, 4 * FEW + 5), (200, 200)):
        assert words(KEY, count, first).tolist() == whole[4 * first : 4 * first + count].tolist()
    assert words(KEY, 0).size == 0


@pytest.mark.parametrize("each", [1, 2])
def test_pieces_of_a_draw_are_one_draw(each):
    count = 4 * CHUNK // each + 5
    taken = filled(KEY, count, each, np.int64, lambda w: w if each == 1 else w[:, 0])
    assert taken.tolist() == words(KEY, each * count)[::each].tolist()


def test_blocks_of_large_numbers_are_others():
    far = [0, 1, 1 << 32, 1 << 40, (1 << 63) - 1]
    found = blocks_at(KEY, np.array(far)).T.tolist()
    assert len({tuple(block) for block in found}) == len(far)
    many = blocks_at(KEY, np.array(far * FEW)).T.tolist()
    assert many == found * FEW


def test_seeds_and_draws_that_differ_in_one_bit_have_other_blocks():
    seen = {tuple(words(KEY, 4).tolist())}
    for place in (0, 1):
        for bit in range(63):
            key = KEY.copy()
            key[place] ^= 1 << bit
            seen.add(tuple(words(key, 4).tolist()))
    assert len(seen) == 127


@pytest.mark.parametrize("bit", [0, 1, 31, 32, 40, 62])
def test_a_bit_of_the_counter_changes_half_of_the_bits(bit):
    at = np.arange(2000)
    changed = blocks_at(KEY, at) ^ blocks_at(KEY, at ^ (1 << bit))
    ones = np.unpackbits(changed.view(np.uint8)).mean()
    assert abs(ones - 0.5) < 4 * 0.5 / np.sqrt(changed.size * 32)

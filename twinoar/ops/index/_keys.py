"""Keys: integers that stand in the order of the elements; all nan are the greatest, -0.0 is 0.0.

A word is a key with the place of its element below it: words of 64 bits in order are elements in
order, and those of equal elements stand as the elements did. Keys of 64 bits have their places
beside them.
"""

from __future__ import annotations

from twinoar.core.dtype import DType, bfloat16, bool_, int8, int16, int32, int64, uint8
from twinoar.core.loop.procedure import Array, cast, procedure
from twinoar.late import dataclass

INTEGERS = {1: int8, 2: int16, 4: int32, 8: int64}
PLACE_BITS = 31
PLACES = 1 << PLACE_BITS  # more elements have their places beside their keys
LAST_PLACE = PLACES - 1


@dataclass(frozen=True)
class Keys:
    """How elements become keys.

    width: bits of a key. infinity: the bits of that; 0 for integers. paired: places stand beside
    the keys, not below them in one word.
    """

    width: int
    infinity: int
    is_unsigned: bool
    descending: bool
    paired: bool
    place: DType

    @property
    def half(self) -> int:
        """The lowest key is minus this."""
        return 1 << (self.width - 1)

    @property
    def greatest(self) -> int:
        """The greatest key; and all bits of a float but its sign."""
        return self.half - 1


def keys_of(x: Array, n: int, *, descending: bool) -> Keys:
    """The keys of the elements of lines that are `n` long."""
    width, infinity = 8 * x.dtype.itemsize, 0
    if x.dtype.is_floating:
        digits = 7 if x.dtype is bfloat16 else {16: 10, 32: 23, 64: 52}[width]
        infinity = (1 << (width - 1)) - (1 << digits)
    paired = width > 32 or n > PLACES
    place = int32 if n <= PLACES else int64
    return Keys(width, infinity, x.dtype in (bool_, uint8), descending, paired, place)


def bits_of(x: Array) -> Array:
    """The same memory as integers."""
    if x.dtype.is_floating:
        return x.bits(INTEGERS[x.dtype.itemsize])
    return x.bits(uint8) if x.dtype is bool_ else x


@procedure
def key_of(bits, *, keys):
    """The key of an element that is given by its bits."""
    key = cast(bits, int16) - 128 if keys.is_unsigned else bits
    if keys.infinity:
        size = bits & keys.greatest
        mirrored = bits ^ ((bits >> (keys.width - 1)) & keys.greatest)
        number = cast(0, bits) if size == 0 else mirrored
        key = cast(keys.greatest, bits) if size > keys.infinity else number
    return ~key if keys.descending else key


@procedure
def word_of(bits, place, *, keys):
    """The word of an element: its key, above its place unless that stands beside it."""
    word = cast(key_of(bits, keys=keys), int64)
    if not keys.paired:
        word = ((word + keys.half) << PLACE_BITS) | place
    return word


@procedure
def bits_at(line, at, word, x, *, keys):
    """The bits of the element at a place of a line, most often known from its word."""
    key = word if keys.paired else (word >> PLACE_BITS) - keys.half
    if keys.descending:
        key = ~key
    if keys.is_unsigned:
        key = key + 128
    found = cast(key, x)
    if keys.infinity:
        found = cast(key ^ ((key >> (keys.width - 1)) & keys.greatest), x)
        if key == 0 or key == keys.greatest:  # of which there are several
            found = x[line // x.shape[2], at, line % x.shape[2]]
    return found


@procedure
def place_at(words, places, group, which, at, *, keys):
    """The place that belongs to a word."""
    found = words[group, which, at]
    return cast(places[group, which, at], int64) if keys.paired else found & LAST_PLACE


@procedure
def put_out(line, at, words, places, group, which, source, x, values, indices, *, keys):
    """Write the element of word `source` as element `at` of a line of the results."""
    word = words[group, which, source]
    place = place_at(words, places, group, which, source, keys=keys)
    before, after = line // x.shape[2], line % x.shape[2]
    values[before, at, after] = bits_at(line, place, word, x, keys=keys)
    indices[before, at, after] = cast(place, indices)


@procedure
def moved(words, places, group, start, source, which, target, *, keys):
    """Copy a word, and the place beside it, from one of the two lines of a group to another."""
    words[group, which, target] = words[group, start, source]
    if keys.paired:
        places[group, which, target] = places[group, start, source]

"""utils: nested structures as lists of what they hold, and back."""

from collections import OrderedDict, namedtuple

import pytest

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.utils import assert_same_structure, flatten, map_structure, pack_sequence_as
from twinoar.utils.nest import is_sequence, to_sequence

Pair = namedtuple("Pair", ["first", "second"])
NESTED = [1, (2, {"b": 4, "a": [3]}), Pair(5, ()), OrderedDict(z=7, y=6), "ab", None]


def test_flatten_takes_keys_in_order_and_leaves_texts_whole():
    assert flatten(NESTED) == [1, 2, 3, 4, 5, 6, 7, "ab", None]
    assert flatten(3) == [3]


def test_packing_is_the_inverse():
    packed = pack_sequence_as(NESTED, flatten(NESTED))
    assert packed == NESTED
    assert type(packed[2]) is Pair
    assert list(packed[3]) == ["z", "y"]
    assert pack_sequence_as(0, [5]) == 5
    with pytest.raises(ArgumentError, match="the structure has 2 places, received 1"):
        pack_sequence_as([0, 0], [1])


def test_mapping_takes_the_structure_of_the_first():
    assert map_structure(lambda x: x * 2, {"b": 1, "a": [2, (3,)]}) == {"b": 2, "a": [4, (6,)]}
    assert map_structure(lambda x, y: x + y, Pair(1, [2]), [10, (20,)]) == Pair(11, [22])
    with pytest.raises(ArgumentError, match=r"the structures have \[2, 1\] places"):
        map_structure(lambda x, y: x, [1, 2], [1])


@pytest.mark.parametrize(
    ("one", "other", "error"),
    [
        ([1, [2]], [1, 2], ArgumentError),
        ([1, 2], [1], ArgumentError),
        ({"a": 1}, {"b": 1}, ArgumentError),
        ([1, 2], (1, 2), TypeMismatchError),
    ],
)
def test_structures_that_differ_are_refused(one, other, error):
    with pytest.raises(error, match="the structures differ"):
        assert_same_structure(one, other)
    assert_same_structure([1, {"a": (2,)}], [3, {"a": (4,)}])
    assert_same_structure([1, 2], (1, 2), check_types=False)
    assert_same_structure([1, "any"], [1, [2]], skip_if=lambda part: part == "any")


def test_what_is_nested():
    assert [is_sequence(x) for x in ([1], (), {}, "a", 3)] == [True, True, True, False, False]
    assert (to_sequence(3), to_sequence((3,))) == ([3], (3,))

"""Names that have a value on some paths alone, and exceptions that a path raises."""

import pytest

import twinoar as paddle
from twinoar.jit import to_static
from twinoar.static import InputSpec


def unassigned_on_one_path(x):
    if x.sum() > 100:
        x = x + later  # noqa: F821
    later = x * 2
    return later  # noqa: RET504


def unassigned_in_half_a_condition(x):
    if x.sum() > 100 and later > 0:  # noqa: F821
        x = x * 2
    later = 2
    return x * later


@pytest.mark.parametrize("function", [unassigned_on_one_path, unassigned_in_half_a_condition])
def test_only_the_path_that_uses_a_name_without_a_value_raises(function):
    static = to_static(function)
    assert static(paddle.ones([2])).tolist() == [2, 2]
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'later'"):
        static(paddle.full([2], 99.0))
    assert len(static.program_cache) == 1


def test_a_return_in_a_loop_may_be_of_several_values():
    @to_static(input_spec=[InputSpec([None])])
    def first_above(x):
        for i, item in enumerate(x):
            if item > 2:
                return {"at": i, "item": item}
        return {"at": -1, "item": x.max()}

    assert first_above(paddle.to_tensor([1.0, 3.0, 4.0]))["item"].item() == 3
    assert first_above(paddle.to_tensor([1.0, 0.0]))["item"].item() == 1


def test_what_is_raised_after_a_branch_that_raises_does_not_come_first():
    @to_static
    def raises(x):
        if x.sum() > 0:
            raise ValueError("positive")
        raise TypeError("negative")

    with pytest.raises(ValueError, match="positive"):
        raises(paddle.ones([2]))
    with pytest.raises(TypeError, match="negative"):
        raises(-paddle.ones([2]))


def test_both_sides_of_a_branch_may_raise():
    @to_static
    def raises(x):
        if x.sum() > 0:
            raise ValueError("positive")
        else:  # noqa: RET506
            raise TypeError("negative")

    with pytest.raises(TypeError, match="negative"):
        raises(-paddle.ones([2]))
    with pytest.raises(ValueError, match="positive"):
        raises(paddle.ones([2]))

"""What eager code reads or asks for one by one: rows of tensors, the items of any and all."""

import pytest

import twinoar as paddle
from tests.jit.parity import VECTORS, assert_same, tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static


def rows_of_for(x):
    y, total = x * 1, 0.0
    for v in y:
        y[1] = y[1] + 10
        total = total + v
    return total, y


def rows_under_a_branch(x):
    y, count = x * 1, 0
    for v in y:
        if v > 0:
            y[1] = -5.0
            count = count + 1
    return y, count


def rows_of_enumerate(x):
    y, found = x * 1, []
    for _, v in enumerate(y):
        y.add_(paddle.to_tensor(1.0))
        found.append(v)
    return found


def rows_of_zip(x):
    y, found = x * 1, []
    for u, v in zip(y, x, strict=True):
        y.scale_(2.0)
        found.append(u + v)
    return found


def rows_of_reversed(x):
    y, found = x * 1, []
    for v in reversed(y):
        y[0] = 100.0
        found.append(v + 0)
    return found


def rows_of_a_comprehension(x):
    y = x * 1
    return [y.scale_(2.0) is None or v + 0 for v in y]


ROWS = [
    rows_of_for, rows_under_a_branch, rows_of_enumerate, rows_of_zip, rows_of_reversed,
    rows_of_a_comprehension,
]  # fmt: skip


@pytest.mark.parametrize("function", ROWS)
def test_a_row_is_read_when_its_turn_comes(function, capsys):
    assert_same(function, capsys, specs=(None,))


def counted(x):
    asked = []

    def is_above(k):
        asked.append(k)
        return x.sum() > k

    found = any(is_above(k) for k in (0, 2))
    return x * 2 if found else x * len(asked)


def printed(x):
    return x if all(print(k) is None and x.sum() > k for k in (0, 2, 5)) else -x


def raised(x):
    def is_above(k):
        if k == 2:
            raise ValueError("two")
        return x.sum() > k

    return x * 2 if any(is_above(k) for k in (0, 2)) else x


def of_a_generator_with_state(x):
    def doubled(h):
        for _ in range(3):
            h = h * 2
            yield h.sum() > 9

    return any(doubled(x)), x


def random(x):
    return any(paddle.rand([1]).sum() + x.sum() > k for k in (0, 1)), paddle.rand([1])


def of_map(x):
    return x if any(map(lambda k: print(k) is None and x.sum() > k, (0, 2))) else -x


@pytest.mark.parametrize(
    "function", [counted, printed, raised, of_a_generator_with_state, random, of_map]
)
def test_what_any_and_all_may_not_come_to_is_refused(function):
    with pytest.raises(ConversionError, match="a tensor decides whether a"):
        to_static(function)(tensor(1.0, 2.0))


@pytest.mark.parametrize("wrap", [lambda it: (v.sum() > 0 for v in it), lambda it: map(bool, it)])
def test_how_far_any_has_taken_an_iterator_only_a_run_knows(wrap):
    def function(x):
        items = iter([x, x - 5, x + 1])
        return any(wrap(items)), len(list(items))

    with pytest.raises(ConversionError, match="list_iterator is advanced where a tensor decides"):
        to_static(function)(tensor(1.0))


def harmless(x):
    return (
        any(x.max() > k for k in range(4)),
        all(paddle.linalg.norm(x - v) < 3 for v in [x, x + 1, x * 2]),
        any(x[i] > 0 for i in range(2)),
        any(v > 0 for v in x),
        any([False, x.sum() > 0, True]),
        all((x.sum() > 0, False)),
        any(v > 0 for v in []),
        any(k for k in (0, x.sum() > 0, 0, x.max() > 5)),
        any(print(k) is None and x.sum() > k for k in (0,)),
    )


def test_items_that_are_but_computed_are_served(capsys):
    assert_same(harmless, capsys, inputs=VECTORS, specs=(None,))


def test_what_a_generator_does_after_a_break_is_refused():
    given = []

    def rows_of(v):
        for row in v:
            given.append(1)
            yield row

    def function(x):
        for row in rows_of(x):
            if row < 0.5:
                break
        return x

    with pytest.raises(ConversionError, match="a tensor decides whether the loop comes to this"):
        to_static(function)(tensor(1.0, 0.2, 3.0))
    assert given == []


def left_early(x):
    count = 0
    for i, row in enumerate(v * 2 for v in x):
        if row < 0.5:
            break
        count = count + i
    for v, n in zip([x, x * 3, x * 2], (1, 2, 3), strict=True):
        if v.sum() > 8:
            break
        count = count + n
    kept = [x * 1, x + 1]
    for u in iter(kept):
        if u.sum() > 6:
            break
        u.add_(paddle.ones([3]))
    return x, count, *kept


def test_a_generator_that_only_computes_is_left_as_a_tensor_decides(capsys):
    assert_same(left_early, capsys, specs=(None,))

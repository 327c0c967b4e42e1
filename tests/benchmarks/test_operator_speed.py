"""The benchmark of every operator: its calls, which results agree, its page."""

import operator

import numpy as np
import operator_calls
import operator_speed
import operator_table
import pytest
from operator_calls import Call

import twinoar


def record(ratio: float, size: str = "large", way: str = "forward", call: str = "f(x)") -> dict:
    return {"call": call, "size": size, "way": way, "seconds": {"twinoar": ratio, "torch": 1.0}}


def test_written_calls_are_of_functions_that_exist() -> None:
    for call in operator_calls.written_calls("small"):
        assert callable(operator.attrgetter(call.function)(twinoar)), call.name


def test_all_sizes_have_the_same_names() -> None:
    small, *others = operator_calls.SIZES.values()
    assert all(size.keys() == small.keys() for size in others)
    assert operator_calls.SIZES.keys() == operator_calls.ELEMENTS.keys()


def test_the_same_text_makes_the_same_arrays() -> None:
    first, second = (next(operator_calls.written_calls("small")) for _ in range(2))
    np.testing.assert_array_equal(first.args[0], second.args[0])


def test_a_sample_is_scaled_to_so_many_elements() -> None:
    sample = Call("add", "add", (np.ones((2, 3), "float32"), np.ones((3,), "float32")), {})
    found = operator_calls.scaled(sample, 60_000)
    assert found is not None
    rows, columns = found.args[0].shape
    assert found.args[1].shape == (columns,)
    assert 40_000 < rows * columns < 90_000


def test_a_sample_whose_result_is_larger_than_its_operands_is_scaled_by_that() -> None:
    sample = Call("outer", "outer", (np.ones(2, "float32"), np.ones(3, "float32")), {})
    found = operator_calls.scaled(sample, 60_000)
    assert found is not None
    assert 30_000 < found.args[0].size * found.args[1].size < 120_000


def test_a_call_with_positions_has_no_form_in_integers() -> None:
    floats, positions = np.ones(2, "float32"), np.ones(2, "int64")
    assert Call("f", "f", (floats, positions), {}).in_integers() is None
    whole = Call("f", "f", (floats,), {}).in_integers()
    assert whole is not None and whole.args[0].dtype == np.int64


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (np.ones(3), np.ones(3) + 1e-6, True),
        (np.ones(3), np.ones(3) + 1e-2, False),
        (np.ones(3), np.ones(4), False),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array([np.nan]), np.array([np.nan]), True),
    ],
)
def test_results_agree_but_for_rounding(ours, theirs, expected) -> None:
    call = Call("sin", "sin", (), {})
    assert operator_speed.agree(call, [((), ours)], [((), theirs)]) is expected


def test_random_results_are_not_compared() -> None:
    call = Call("rand", "rand", (), {})
    assert operator_speed.agree(call, [((), np.zeros(2))], [((), np.ones(2))])


def test_a_ratio_is_to_the_faster_peer() -> None:
    seconds = {"twinoar": 3.0, "torch": 2.0, "paddle": 4.0}
    assert operator_table.ratio_of({"seconds": seconds}) == 1.5
    assert operator_table.ratio_of({"seconds": {"twinoar": 3.0}}) is None


def test_the_page_gives_a_reason_for_each_slow_figure_and_says_where_none_is_known() -> None:
    known = [operator_table.Reason("f(*", "large", "*", "memory")]
    records = [record(2.0), record(0.5, "small"), record(3.0, call="g(x)")]
    text = "\n".join(operator_table.page(records, known))
    assert "| 1 | memory |" in text
    assert f"| 1 | {operator_table.UNKNOWN} |" in text
    assert "| `f(x)` | 5e+05 (0.50) |" in text and "**2.00**" in text


def test_each_line_of_reasons_is_whole() -> None:
    for reason in operator_table.reasons():
        assert reason.text.endswith("."), reason
        assert set(reason.sizes.split(",")) <= {*operator_calls.SIZES, "*"}
        assert set(reason.ways.split(",")) <= {*operator_table.WAYS, "*"}

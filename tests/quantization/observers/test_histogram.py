"""A histogram counts over batches as it would have counted all values at once."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.errors import ArgumentError
from twinoar.quantization.observers.histogram import Histogram


def grown(batches: list[np.ndarray], bins: int = 16) -> Histogram:
    seen = Histogram(bins)
    for values in batches:
        seen.add(values)
    return seen


@pytest.mark.parametrize("seed", range(20))
def test_no_count_is_lost_or_misplaced_while_the_range_grows(seed: int) -> None:
    random = np.random.default_rng(seed)
    batches = [
        random.normal(random.normal() * 10.0**n, 10.0**n, random.integers(1, 40)) for n in range(4)
    ]
    seen, values = grown(batches), np.concatenate(batches)
    assert seen.counts.sum() == seen.total == values.size
    assert (seen.least, seen.greatest) == (values.min(), values.max())
    reached = np.cumsum(seen.counts)
    width = seen.edges[1] - seen.edges[0]
    below = [(values < edge - 1e-9 * width).sum() for edge in seen.edges[1:]]
    up_to = [(values <= edge + 1e-9 * width).sum() for edge in seen.edges[1:]]
    assert (below <= reached).all() and (reached <= up_to).all()


def test_bins_are_at_most_twice_as_wide_as_needed_on_a_side() -> None:
    seen = grown([np.array([0.0, 1.0]), np.array([900.0])], bins=64)
    assert seen.edges[0] == 0.0 and 900.0 <= seen.edges[-1] < 1800.0


def test_equal_values_wait_for_a_range() -> None:
    seen = grown([np.full(5, 3.0), np.array([]), np.full(2, 3.0)])
    assert seen.counts.sum() == 7 and set(seen.edges) == {3.0}
    seen.add(np.array([4.0]))
    assert seen.counts[0] == 7 and seen.counts[-1] == 1
    assert (seen.edges[0], seen.edges[-1]) == (3.0, 4.0)


def test_a_range_of_one_unit_in_the_last_place_is_counted() -> None:
    seen = grown([np.array([1.0, np.nextafter(1.0, 2.0)])])
    assert seen.counts.sum() == 2 and seen.counts[0] == 1


def test_a_given_beginning_is_no_value() -> None:
    seen = Histogram(4, low=0.0)
    seen.add(np.array([3.0, 4.0]))
    assert seen.counts.tolist() == [0, 0, 0, 2] and seen.edges[0] == 0.0


@pytest.mark.parametrize("bins", [0, 3, -2])
def test_bins_that_are_not_pairs_are_refused(bins: int) -> None:
    with pytest.raises(ArgumentError, match="even number"):
        Histogram(bins)

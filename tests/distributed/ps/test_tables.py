"""What one server keeps: rows made on first sight, by their number, and updated by a rule."""

import numpy as np
import pytest

from tests.distributed.ps.jobs import ROWS, WIDTH, network, tables
from twinoar.distributed import (
    CountFilterEntry,
    ProbabilityEntry,
    ShowClickEntry,
)
from twinoar.distributed.ps.rows import Beginning, Places, merged, server_of
from twinoar.distributed.ps.table import Sparse, Table, empty
from twinoar.errors import DistributedError, UnsupportedError
from twinoar.optimizer import SGD, AdamW


def sparse(**about) -> Sparse:
    return empty(tables(network(**about), 1)[0])


def ids(*numbers) -> np.ndarray:
    return np.array(numbers, np.int64)


ONE = np.ones((1, WIDTH), np.float32)


def test_places_are_found_again_among_many() -> None:
    numbers = np.unique(np.random.default_rng(0).integers(0, 1 << 62, 50_000))
    places = Places()
    for part in np.array_split(numbers, 7):
        assert (places.find(part) == -1).all()
        places.add(part)
    np.testing.assert_array_equal(places.find(numbers), np.arange(len(numbers)))
    assert places.find(ids(-2, 1 << 61)).tolist() == [-1, -1]
    assert places.find(ids()).shape == (0,)


def test_rows_begin_by_their_number_whatever_the_order() -> None:
    one, other = sparse(), sparse()
    rows = one.pull(ids(3, 9, 4), True)
    other.pull(ids(9), True)
    np.testing.assert_array_equal(other.pull(ids(4, 3, 9), True), rows[[2, 0, 1]])
    assert len(one) == 3
    assert np.abs(rows).max() <= 0.1
    assert len(np.unique(rows)) == rows.size


def test_looking_without_training_makes_no_row_and_tells_what_it_would_be() -> None:
    table = sparse()
    seen = table.pull(ids(5), False)
    assert len(table) == 0
    np.testing.assert_array_equal(table.pull(ids(5), True), seen)


@pytest.mark.parametrize(
    ("kind", "mean", "deviation", "least", "most"),
    [
        ("constant", 2.0, 0.0, 2, 2),
        ("uniform", 2.5, 0.5 / 3**0.5, 2, 3),
        ("normal", 2.0, 3.0, -20, 20),
        ("truncated", 2.0, 3.0 * 0.8796, -4, 8),
    ],
)
def test_beginnings_have_their_distribution(kind, mean, deviation, least, most) -> None:
    rows = Beginning(kind, 2.0, 3.0, 5).rows(np.arange(20_000), 8, np.float64)
    assert rows.mean() == pytest.approx(mean, abs=0.03)  # 160,000 draws: 4 standard errors
    assert rows.std() == pytest.approx(deviation, abs=0.03)
    assert rows.min() >= least
    assert rows.max() <= most
    assert rows[:, 0] @ rows[:, 1] / len(rows) == pytest.approx(mean**2, abs=0.3)


def test_servers_share_rows_evenly() -> None:
    counts = np.bincount(server_of(np.arange(30_000), 3))
    assert counts.min() > 9_700


def test_equal_rows_are_added_up_in_order_and_negative_ones_are_none() -> None:
    found, sums = merged(ids(7, -1, 2, 7), np.arange(8.0).reshape(4, 2))
    assert (found.tolist(), sums.tolist()) == ([2, 7], [[4, 5], [6, 8]])
    assert [x.shape for x in merged(ids(), np.zeros((0, 2)))] == [(0,), (0, 2)]


def test_a_push_updates_these_rows_alone() -> None:
    table = sparse()
    before = table.pull(ids(1, 2), True)
    table.push(ids(2), ONE, 0.5)
    after = table.pull(ids(1, 2), True)
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_allclose(after[1], before[1] - 0.5, rtol=1e-6)


@pytest.mark.parametrize(
    "gradient", [np.ones((1, WIDTH + 1), np.float32), np.ones((1, WIDTH)), np.ones(WIDTH)]
)
def test_a_gradient_that_does_not_fit_is_told(gradient) -> None:
    table = sparse()
    table.pull(ids(1), True)
    with pytest.raises(DistributedError, match=rf"the server has float32\[1, {WIDTH}\]"):
        table.push(ids(1), gradient, 0.1)


def test_a_row_is_taken_in_when_it_was_seen_so_often() -> None:
    table = sparse(entry=CountFilterEntry(3))
    seen = []
    for _ in range(4):
        seen.append(table.pull(ids(1), True).any())
        table.push(ids(1), 0 * ONE, 0.1)
    assert seen == [False, False, True, True]
    assert not table.pull(ids(9), False).any()


def test_what_is_pushed_to_a_row_outside_is_dropped() -> None:
    table = sparse(entry=CountFilterEntry(2))
    table.pull(ids(1), True)
    table.push(ids(1), ONE, 100.0)
    assert np.abs(table.pull(ids(1), True)).max() <= 0.1


def test_a_row_counts_as_often_as_a_batch_names_it() -> None:
    table = sparse(entry=CountFilterEntry(3))
    assert table.pull(ids(1, 2), True, np.array([3, 1])).any(1).tolist() == [True, False]


def test_rows_are_taken_in_by_chance_the_same_in_each_run() -> None:
    numbers = np.arange(4_000)
    shares = [sparse(entry=ProbabilityEntry(0.25)).pull(numbers, True).any(1) for _ in range(2)]
    np.testing.assert_array_equal(shares[0], shares[1])
    assert shares[0].mean() == pytest.approx(0.25, abs=0.03)


def test_rows_that_nobody_clicks_are_dropped() -> None:
    table = sparse(entry=ShowClickEntry("show", "click"))
    table.pull(ids(1, 2, 3), True)
    table.weigh(ids(1, 2, 3), np.array([3.0, 3.0, 30.0]), np.array([0.0, 2.0, 0.0]))
    assert table.shrink(None) == 1
    assert table.ids[: len(table)].tolist() == [2, 3]
    assert table.pull(ids(2), True).shape == (1, WIDTH)


def test_whole_parameters_begin_once_and_step() -> None:
    kept = {t.name: empty(t) for t in tables(network(), 1) if not t.is_sparse}
    weight = kept["fc.w_0"]
    with pytest.raises(DistributedError, match="has no value yet"):
        weight.push(np.ones((WIDTH, 1), np.float32), 0.1)
    with pytest.raises(DistributedError, match=r"the value of fc\.w_0 is float64"):
        weight.begin(np.ones((WIDTH, 1)))
    weight.begin(np.ones((WIDTH, 1), np.float32))
    weight.push(np.ones((WIDTH, 1), np.float32), 0.25)
    np.testing.assert_array_equal(weight.value, np.full((WIDTH, 1), 0.75))


def test_whole_parameters_are_spread_by_their_size() -> None:
    places = {t.name: t.server for t in tables(network(), 2)}
    assert (places["fc.w_0"], places["fc.b_0"]) == (0, 1)


def test_a_rule_that_needs_all_rows_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="weight_decay for the table emb"):
        tables(network(lambda: SGD(0.1, weight_decay=0.1)), 1)


def test_what_a_table_is_tells_its_rule() -> None:
    texts = {
        tables(network(rule), 1)[0].described()
        for rule in (SGD, lambda: AdamW(0.1, lazy_mode=True))
    }
    assert len(texts) == 2
    assert all(f"sparse emb: float32[{WIDTH}]" in text for text in texts)


def test_a_declared_height_limits_nothing() -> None:
    assert isinstance(tables(network(), 1)[0], Table)
    assert sparse().pull(ids(ROWS * 1000), True).shape == (1, WIDTH)

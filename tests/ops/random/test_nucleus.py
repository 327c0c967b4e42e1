"""top_p_sampling draws from the likeliest alone, each by its probability."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError

ROW = [0.1, 0.4, 0.05, 0.25, 0.2]  # 0.4, 0.25, 0.2, 0.1, 0.05 in order


def drawn(p, rows=20_000, **options):
    paddle.seed(11)
    x = paddle.to_tensor([ROW] * rows)
    values, places = x.top_p_sampling(paddle.full([rows], p), **options)[:2]
    assert (values.shape, places.shape, places.dtype) == ([rows, 1], [rows, 1], "int64")
    np.testing.assert_array_equal(values.numpy(), np.take(np.float32(ROW), places.numpy()))
    return np.bincount(places.numpy().ravel(), minlength=5) / rows


@pytest.mark.parametrize(
    ("p", "options", "kept"),
    [
        (0.0, {}, [1]),
        (0.3, {}, [1]),
        (0.5, {}, [1, 3]),
        (0.8, {}, [1, 3, 4]),
        (1.0, {}, [0, 1, 2, 3, 4]),
        (1.0, {"threshold": 0.2}, [1, 3, 4]),
        (1.0, {"threshold": 0.9}, [1]),
        (0.1, {"mode": "non-truncated"}, [0, 1, 2, 3, 4]),
    ],
)
def test_shares_of_draws_are_the_probabilities_of_what_is_kept(p, options, kept):
    if "threshold" in options:
        options = {"threshold": paddle.full([20_000], options["threshold"])}
    expected = np.zeros(5)
    expected[kept] = np.array(ROW)[kept] / np.array(ROW)[kept].sum()
    np.testing.assert_allclose(drawn(p, **options), expected, atol=0.015)


def test_each_row_has_its_own_share():
    x = paddle.to_tensor([ROW, ROW])
    places = [x.top_p_sampling(paddle.to_tensor([0.1, 1.0]))[1].tolist() for _ in range(40)]
    assert {row[0][0] for row in places} == {1}
    assert len({row[1][0] for row in places}) > 2


def test_a_seed_draws_the_same_again():
    x, ps = paddle.to_tensor([ROW] * 50), paddle.ones([50])
    seeds = paddle.arange(1, 51)
    for options in ({"seed": 7}, {"topp_seed": seeds}):
        first, second = (x.top_p_sampling(ps, **options)[1].tolist() for _ in range(2))
        assert first == second
    assert len({place for (place,) in first}) > 1
    one, other = (x.top_p_sampling(ps)[1].tolist() for _ in range(2))
    assert one != other


def test_the_likeliest_come_along():
    x = paddle.to_tensor([ROW])
    *_, values, places = x.top_p_sampling(paddle.ones([1]), k=2, return_top=True)
    assert places.tolist() == [[1, 3]]
    np.testing.assert_array_equal(values.numpy(), np.float32([[0.4, 0.25]]))


def test_it_is_part_of_a_converted_function():
    @paddle.jit.to_static
    def next_token(scores):
        shares = paddle.nn.functional.softmax(scores)
        return shares.top_p_sampling(paddle.full([2], 0.1))[1]

    assert next_token(paddle.to_tensor([[0.0, 9.0], [9.0, 0.0]])).tolist() == [[1], [0]]


def test_wrong_arguments_are_refused():
    with pytest.raises(ShapeError, match=r"x must be \[B,V\]"):
        paddle.ones([3]).top_p_sampling(paddle.ones([1]))
    with pytest.raises(ArgumentError, match="mode must be one of"):
        paddle.ones([1, 3]).top_p_sampling(paddle.ones([1]), mode="top")

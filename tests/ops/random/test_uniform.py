"""Random numbers: their bits, their distributions, and the generator's state in both modes."""

import math

import numpy as np
import pytest

from twinoar.backends.numpy import compile_numpy
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.ir.verify import verify
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.random.categorical import bernoulli, multinomial
from twinoar.ops.random.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    feature_alpha_dropout,
)
from twinoar.ops.random.integers import randint, randint_like, randperm
from twinoar.ops.random.uniform import (
    gaussian,
    generator,
    get_rng_state,
    normal,
    rand,
    randn,
    seed,
    set_rng_state,
    standard_normal,
    uniform,
)

COUNT = 20_000


@pytest.fixture(autouse=True)
def fixed_seed():
    seed(1234)


def distance(sample, cdf):
    """The largest difference between the empirical distribution and `cdf`."""
    ordered = np.sort(sample)
    steps = np.arange(len(ordered) + 1) / len(ordered)
    expected = cdf(ordered)
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())


LIMIT = 1.95 / math.sqrt(COUNT)  # exceeded by one sample in a thousand; the seed is fixed


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_are_uniform(dtype):
    x = uniform([COUNT], dtype, -2.0, 3.0).numpy()
    assert x.min() >= -2 and x.max() < 3 and x.dtype == dtype
    assert distance(x, lambda v: (v + 2) / 5) < LIMIT
    assert distance(rand([COUNT]).numpy(), lambda v: v) < LIMIT


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal_numbers_are_normal(dtype):
    x = gaussian([COUNT], 1.0, 2.0, dtype=dtype).numpy()
    assert distance(x, np.vectorize(lambda v: 0.5 * math.erfc(-(v - 1) / 2 / math.sqrt(2)))) < LIMIT
    y = standard_normal([COUNT]).numpy()
    assert abs(y.mean()) < 4 / math.sqrt(COUNT) and abs(y.var() - 1) < 6 / math.sqrt(COUNT)


def test_neighbors_and_draws_are_not_correlated():
    x, y = randn([COUNT]).numpy(), randn([COUNT]).numpy()
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4 / math.sqrt(COUNT)
    assert abs(np.corrcoef(x, y)[0, 1]) < 4 / math.sqrt(COUNT)


def test_integers_are_equally_frequent():
    x = randint(-3, 5, [COUNT]).numpy()
    counts = np.bincount(x + 3, minlength=8)
    expected = COUNT / 8
    assert len(counts) == 8 and ((counts - expected) ** 2 / expected).sum() < 24.3  # chi2, 0.1 %
    assert randint(7).shape == [1] and 0 <= randint(7).item() < 7
    like = randint_like(to_tensor([0.5, 0.5]), 3, 4)
    assert like.tolist() == [3.0, 3.0] and like.dtype == "float32"


def test_permutations_hold_each_number_once_and_all_orders_occur():
    assert sorted(randperm(50).tolist()) == list(range(50))
    orders = {tuple(randperm(3).tolist()) for _ in range(100)}
    assert len(orders) == 6


def test_same_seed_same_numbers_and_each_call_others():
    first, second = randn([4]).tolist(), randn([4]).tolist()
    seed(1234)
    assert [randn([4]).tolist(), randn([4]).tolist()] == [first, second]
    assert first != second
    seed(1235)
    assert randn([4]).tolist() not in (first, second)


def test_a_seed_of_its_own_gives_the_same_numbers_each_time():
    assert uniform([3], seed=7).tolist() == uniform([3], seed=7).tolist()


def test_state_can_be_kept_and_restored():
    state = get_rng_state()
    before = rand([3]).tolist()
    set_rng_state(state)
    assert rand([3]).tolist() == before
    with pytest.raises(ArgumentError, match="the list of one state"):
        set_rng_state([])
    with pytest.raises(ShapeError, match="has shape"):
        set_rng_state([np.zeros(3)])


def test_the_state_stays_one_tensor():
    state = generator.state
    rand([1])
    seed(5)
    assert generator.state is state and state.tolist() == [5, 0]
    assert state.persistable and state.name == "random_state"


def test_programs_draw_what_eager_mode_draws_and_count_on():
    def draw():
        return [rand([2]), normal(0.0, 1.0, [3]), dropout(rand([8]), 0.5), randint(0, 9, [4])]

    program = Program()
    with using(Builder(program)):
        program.main.outputs = draw()
    executable = compile_numpy(verify(program))
    states = {"random_state": generator.state.numpy()}
    for _ in range(2):
        found, states = executable.run({}, states)
        for a, b in zip(found, draw(), strict=True):
            np.testing.assert_array_equal(a, b.numpy(), strict=True)
    assert states["random_state"].tolist() == generator.state.tolist()


def test_normal_with_tensors_takes_their_common_shape():
    x = normal(to_tensor([1.0, 5.0]), to_tensor([[0.0], [0.0]]))
    assert x.tolist() == [[1.0, 5.0], [1.0, 5.0]]
    assert normal(to_tensor([2.0]), 0.0).tolist() == [2.0]
    assert normal(2.0, to_tensor([0.0, 0.0])).tolist() == [2.0, 2.0]


def test_in_place_draws():
    x = to_tensor(np.zeros(COUNT, np.float32))
    assert x.uniform_(1.0, 2.0) is x
    assert x.numpy().min() >= 1 and x.numpy().max() < 2
    assert abs(x.normal_(3.0, 0.5).numpy().mean() - 3) < 0.02


def test_wrong_calls_are_refused():
    with pytest.raises(ArgumentError, match="a seed must be in"):
        seed(-1)
    with pytest.raises(DTypeError, match="are floating, received int64"):
        rand([2], "int64")
    with pytest.raises(ArgumentError, match="low must be below high"):
        randint(3, 3)


def test_bernoulli_has_the_probabilities_given():
    x = to_tensor(np.full(COUNT, 0.3, np.float32), stop_gradient=False)
    drawn = bernoulli(x)
    assert drawn.stop_gradient and set(np.unique(drawn.numpy())) == {0.0, 1.0}
    assert abs(drawn.numpy().mean() - 0.3) < 4 * math.sqrt(0.21 / COUNT)
    assert bernoulli(x, 1.0).numpy().min() == 1.0
    assert bernoulli(to_tensor([0.0, 1.0])).tolist() == [0.0, 1.0]


def test_multinomial_follows_the_weights():
    weights = np.array([1.0, 0.0, 3.0], np.float32)
    drawn = multinomial(to_tensor(weights), COUNT, replacement=True).numpy()
    counts = np.bincount(drawn, minlength=3) / COUNT
    np.testing.assert_allclose(counts, [0.25, 0, 0.75], atol=4 * math.sqrt(0.19 / COUNT))
    rows = to_tensor(np.tile(weights, (5000, 1)))
    firsts = multinomial(rows, 2).numpy()
    assert set(np.unique(firsts)) == {0, 2} and (firsts[:, 0] != firsts[:, 1]).all()
    assert abs((firsts[:, 0] == 2).mean() - 0.75) < 4 * math.sqrt(0.19 / 5000)


def test_multinomial_of_one_follows_the_weights():
    weights = np.tile(np.array([1.0, 0.0, 3.0], "float32"), (COUNT, 1))
    drawn = multinomial(to_tensor(weights), 1)
    assert drawn.shape == [COUNT, 1]
    assert not (drawn == 1).any()
    assert (drawn == 2).astype("float32").mean().item() == pytest.approx(0.75, abs=0.02)


def test_multinomial_without_replacement_repeats_nothing():
    drawn = multinomial(to_tensor(np.arange(9.0).repeat(3).reshape(3, 9)), 5).numpy()
    assert all(len(set(row)) == 5 for row in drawn.tolist())


def test_multinomial_refuses_more_than_there_are():
    with pytest.raises(ArgumentError, match="3 different samples are wanted, 2 have"):
        multinomial(to_tensor([1.0, 0.0, 2.0]), 3)


def test_dropout_keeps_the_mean():
    x = to_tensor(np.ones(COUNT, np.float32))
    kept = dropout(x, 0.25).numpy()
    assert set(np.unique(kept)) == {np.float32(0), np.float32(1) / np.float32(0.75)}
    assert abs((kept == 0).mean() - 0.25) < 4 * math.sqrt(0.19 / COUNT)
    down = dropout(x, 0.25, mode="downscale_in_infer").numpy()
    assert set(np.unique(down)) == {0.0, 1.0}


def test_dropout_outside_training():
    x = to_tensor([1.0, 2.0])
    assert dropout(x, 0.5, training=False).tolist() == [1.0, 2.0]
    assert dropout(x, 0.25, training=False, mode="downscale_in_infer").tolist() == [0.75, 1.5]


def test_dropout_gradient_has_the_same_mask():
    x = to_tensor(np.ones(100, np.float32), stop_gradient=False)
    y = dropout(x, 0.5)
    y.backward()
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())


def test_dropout_of_all_and_of_nothing():
    x = to_tensor([1.0, 2.0])
    before = generator.state.tolist()
    assert dropout(x, 0.0).tolist() == [1.0, 2.0]
    assert generator.state.tolist() == before
    assert dropout(x, 1.0).tolist() == [0.0, 0.0]
    with pytest.raises(ArgumentError, match=r"p must be in \[0, 1\], received 1.5"):
        dropout(x, 1.5)
    with pytest.raises(ArgumentError, match="mode must be one of"):
        dropout(x, 0.5, mode="sideways")


def test_dropout_along_axes_and_of_channels():
    rows = dropout(to_tensor(np.ones((40, 3), np.float32)), 0.5, axis=0).numpy()
    assert (rows == rows[:, :1]).all() and set(np.unique(rows)) == {0.0, 2.0}
    x = to_tensor(np.ones((4, 8, 5, 5), np.float32))
    planes = dropout2d(x, 0.5).numpy()
    assert (planes == planes[:, :, :1, :1]).all() and set(np.unique(planes)) == {0.0, 2.0}
    last = dropout2d(x, 0.5, data_format="NHWC").numpy()
    assert (last == last[:, :1, :1]).all()
    with pytest.raises(ArgumentError, match="data_format must be NCHW or NHWC"):
        dropout2d(x, 0.5, data_format="CHW")


def test_dropout_of_channels_leaves_out_whole_ones():
    x = to_tensor(np.ones((8, 9, 5), "float32"))
    plain, scaled = dropout1d(x).numpy(), feature_alpha_dropout(x).numpy()
    for y in (plain, scaled):
        np.testing.assert_array_equal(y, y[:, :, :1].repeat(5, 2))
        assert len(np.unique(y)) == 2
    rows = dropout1d(to_tensor(np.ones((8, 5), "float32"))).numpy()
    assert np.ptp(rows, 1).max() == 0
    with pytest.raises(ShapeError, match="use alpha_dropout"):
        feature_alpha_dropout(x[0, 0])
    with pytest.raises(ShapeError, match="input must be"):
        dropout1d(x[0, 0])
    dropout1d(x, 1.0, inplace=True)
    assert not x.numpy().any()


def test_alpha_dropout_keeps_mean_and_variance():
    x = randn([COUNT])
    y = alpha_dropout(x, 0.2).numpy()
    assert abs(y.mean()) < 0.03 and abs(y.var() - 1) < 0.05
    assert alpha_dropout(x, 0.2, training=False).tolist() == x.tolist()

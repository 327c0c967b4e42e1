"""Random numbers of static Programs: keys are states that each run reads anew."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.static.builder import Defaults


@pytest.fixture
def program():
    """A Program that is being built."""
    with static.program_guard(static.Program(), static.Program()):
        yield static.default_main_program()


def drawn(program, *fetches):
    return static.Executor().run(program, fetch_list=list(fetches))


def test_no_operator_of_a_program_is_about_keys(program, monkeypatch):
    monkeypatch.setattr(Defaults, "newest_first", False)  # as fluid leaves it
    static.nn.fc(static.data("x", [None, 4]), 3)
    startup = static.default_startup_program()
    assert [o.type for o in startup.global_block().ops] == ["uniform_random", "fill_constant"]


def test_draws_are_those_of_eager_mode():
    def draw():
        return paddle.rand([3]), paddle.randn([2])

    paddle.seed(5)
    expected = [*draw(), *draw()]
    program = static.Program()
    with static.program_guard(program):
        fetches = draw()
    paddle.seed(5)
    for array, tensor in zip(
        drawn(program, *fetches) + drawn(program, *fetches), expected, strict=True
    ):
        np.testing.assert_array_equal(array, tensor.numpy())


def test_each_operator_and_each_run_has_its_own_numbers(program):
    first, second = paddle.rand([4]), paddle.rand([4])
    found = drawn(program, first, second) + drawn(program, first, second)
    assert len({a.tobytes() for a in found}) == 4


def test_a_program_with_a_seed_draws_the_same_in_each_run(program):
    program.random_seed = 7
    first, second = paddle.rand([4]), paddle.rand([4])
    once, again = drawn(program, first, second), drawn(program, first, second)
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(*once)


@pytest.mark.parametrize("seed", [0, 7])
def test_draws_in_a_loop_differ_from_each_other_and_from_those_outside(program, seed):
    program.random_seed = seed
    before = paddle.rand([1])
    _, total = static.nn.while_loop(
        lambda i, kept: i < 3,
        lambda i, kept: [i + 1, paddle.concat([kept[1:], paddle.rand([1])])],
        [paddle.zeros([], "int64"), paddle.zeros([3])],
    )
    after = paddle.rand([1])
    found = np.concatenate(drawn(program, before, total, after))
    assert len(set(found.tolist())) == 5


def test_a_program_as_python_draws_too(program):
    x = paddle.nn.functional.dropout(paddle.ones([100]), 0.5)
    names = {}
    exec(program.to_python(), names)
    built = names["build"]()
    built = built[0] if isinstance(built, tuple) else built
    assert str(built) == str(program)
    paddle.seed(3)
    (expected,) = drawn(program, x)
    paddle.seed(3)
    (found,) = drawn(built, x.name)
    np.testing.assert_array_equal(found, expected)

"""Moving averages of parameters, and weights as a direction times a length."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, ProgramError


def trained(programs, steps=4, **settings):
    """The averages of a training of w and b, the values of w after each step, an Executor."""
    main, startup = programs
    out = static.nn.fc(static.data("x", [None, 2]), 1, weight_attr="w", bias_attr="b")
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(out * out))
    average = static.ExponentialMovingAverage(**settings)
    average.update()
    exe = static.Executor()
    exe.run(startup)
    feeds = np.random.default_rng(0).random((steps, 3, 2), dtype=np.float32)
    return average, [exe.run(main, {"x": x}, ["w"])[0] for x in feeds], exe


def weight():
    return np.array(static.global_scope().find_var("w"))


def test_parameters_are_their_averages_within_the_block(programs):
    average, seen, exe = trained(programs, decay=0.9)
    expected = sum(0.1 * 0.9 ** (3 - i) * w for i, w in enumerate(seen)) / (1 - 0.9**4)
    with average.apply(exe):
        np.testing.assert_allclose(weight(), expected, rtol=1e-5)
    np.testing.assert_array_equal(weight(), seen[-1])


def test_averages_stay_until_they_are_restored(programs):
    average, seen, exe = trained(programs, decay=0.5)
    with average.apply(exe, need_restore=False):
        pass
    assert (weight() != seen[-1]).any()
    average.restore(exe)
    np.testing.assert_array_equal(weight(), seen[-1])


def test_the_decay_grows_with_the_steps(programs):
    steps = static.create_global_var([1], 0, "int64", persistable=True, name="steps")
    paddle.increment(steps)
    average, seen, exe = trained(programs, steps=2, decay=0.999, thres_steps=steps)
    first, second = 2 / 11, 3 / 12
    expected = ((1 - first) * second * seen[0] + (1 - second) * seen[1]) / (1 - second**2)
    with average.apply(exe):
        np.testing.assert_allclose(weight(), expected, rtol=1e-5)


def test_a_parameter_may_be_left_out(programs):
    attr = paddle.ParamAttr(name="w", do_model_average=False)
    static.nn.fc(static.data("x", [None, 2]), 1, weight_attr=attr, bias_attr="b")
    average = static.ExponentialMovingAverage()
    average.update()
    names = {s.name for s in programs[0].list_vars() if s.persistable}
    assert any("b_ema" in name for name in names) and not any("w_ema" in name for name in names)


def test_averages_that_cannot_be_are_refused(programs):
    with pytest.raises(ProgramError, match="no parameters to average"):
        static.ExponentialMovingAverage()
    static.create_parameter([1], "float32")
    with pytest.raises(ArgumentError, match="decay"):
        static.ExponentialMovingAverage(1.5)
    with (
        pytest.raises(ProgramError, match="call update"),
        static.ExponentialMovingAverage().apply(0),
    ):
        pass


@pytest.mark.parametrize(("dim", "shape"), [(None, [1, 1]), (0, [3, 1]), (1, [1, 2]), (-1, [1, 2])])
def test_a_weight_of_normed_length_starts_as_the_weight_would(programs, dim, shape):
    main, startup = programs
    first = np.arange(1, 7, dtype=np.float32).reshape(3, 2)
    attr = static.WeightNormParamAttr(dim, "w", nn.initializer.Assign(first))
    out = static.nn.fc(static.data("x", [None, 3]), 2, weight_attr=attr, bias_attr=False)
    ((_, g), (_, v)) = sorted(
        static.append_backward(paddle.sum(out)), key=lambda pair: pair[0].name
    )
    exe = static.Executor()
    exe.run(startup)
    x = np.random.default_rng(0).random((4, 3), dtype=np.float32)
    found, of_length, of_direction = exe.run(main, {"x": x}, [out, g, v])
    np.testing.assert_allclose(found, x @ first, rtol=1e-5)
    assert list(of_length.shape) == shape
    # The length is free of v's: no gradient along v, in each slice that has a length.
    axes = tuple(i for i, n in enumerate(shape) if n == 1)
    np.testing.assert_allclose((of_direction * first).sum(axes), 0, atol=1e-4)


def test_a_weight_of_normed_length_belongs_to_a_program(programs):
    attr = static.WeightNormParamAttr(dim=5)
    with pytest.raises(ArgumentError, match="dim must be a dimension"):
        static.nn.fc(static.data("x", [None, 3]), 2, weight_attr=attr)

"""dynamic_lstm and dynamic_gru give for padded sequences what Paddle gives for packed ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar import fluid, static
from twinoar.errors import ShapeError
from twinoar.fluid import layers

# The steps of two sequences, of three and two steps, recorded with Paddle 1.8.5.
STATES = {
    "lstm": [
        [0.0, 0.059588],
        [0.036887, 0.145148],
        [0.10926, 0.234986],
        [0.105694, 0.175583],
        [0.230611, 0.290098],
    ],
    "cell": [
        [0.0, 0.113381],
        [0.073035, 0.267025],
        [0.205028, 0.424373],
        [0.194652, 0.298369],
        [0.409668, 0.489898],
    ],
    "plain_lstm": [
        [0.0, 0.059269],
        [0.036855, 0.14311],
        [0.108529, 0.228751],
        [0.105694, 0.173511],
        [0.228119, 0.282659],
    ],
    "plain_cell": [
        [0.0, 0.113381],
        [0.072977, 0.266408],
        [0.203697, 0.420046],
        [0.194652, 0.298369],
        [0.40489, 0.485346],
    ],
    "gru": [
        [0.231059, 0.332302],
        [0.355033, 0.467889],
        [0.349464, 0.518986],
        [0.118166, 0.245316],
        [0.121315, 0.301357],
    ],
    "lstm reversed": [
        [0.097892, 0.218163],
        [0.087886, 0.202664],
        [0.066542, 0.13472],
        [0.204544, 0.288356],
        [0.147235, 0.16489],
    ],
    "cell reversed": [
        [0.148073, 0.428409],
        [0.172293, 0.377272],
        [0.127437, 0.236503],
        [0.375772, 0.505943],
        [0.262155, 0.268525],
    ],
    "plain_lstm reversed": [
        [0.095879, 0.209797],
        [0.087138, 0.198034],
        [0.066542, 0.13338],
        [0.201579, 0.28092],
        [0.147235, 0.163241],
    ],
    "plain_cell reversed": [
        [0.145079, 0.419311],
        [0.170844, 0.374621],
        [0.127437, 0.236503],
        [0.369925, 0.502095],
        [0.262155, 0.268525],
    ],
    "gru reversed": [
        [0.429559, 0.573759],
        [0.333363, 0.451774],
        [0.18133, 0.308781],
        [0.150629, 0.323674],
        [0.057254, 0.18133],
    ],
}


def numbers(count: int, width: int, cycle: int) -> np.ndarray:
    return (np.arange(count * width).reshape(count, width) % cycle / 10).astype("float32")


def fixed(array: np.ndarray) -> Any:
    return fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(array))


def padded(steps: np.ndarray) -> np.ndarray:
    """Five steps as sequences of three and two; a step of nines follows the latter."""
    return np.stack([steps[:3], np.concatenate([steps[3:], np.full_like(steps[:1], 9.0)])])


@pytest.mark.parametrize("time", [3, None], ids=["known_time", "unknown_time"])
@pytest.mark.parametrize("name", STATES)
def test_states_are_those_of_paddle(name: str, time: int | None) -> None:
    kind, _, direction = name.partition(" ")
    main, startup = static.Program(), static.Program()
    width = 6 if kind == "gru" else 8
    with static.program_guard(main, startup):
        steps = fluid.data("steps", [None, time, width])
        lengths = fluid.data("lengths", [None], "int64")
        options = {"is_reverse": direction == "reversed", "lengths": lengths}
        if kind == "gru":
            weight, bias = fixed(numbers(2, 6, 5)), fixed(numbers(1, 6, 3))
            found = layers.dynamic_gru(steps, 2, weight, bias, **options)
        else:
            plain = kind.startswith("plain")
            bias = fixed(numbers(1, 8 if plain else 14, 3))
            states = layers.dynamic_lstm(
                steps, 8, None, None, fixed(numbers(2, 8, 5)), bias, not plain, **options
            )
            found = states[kind.endswith("cell")]
    executor = static.Executor()
    executor.run(startup)
    feed = {"steps": padded(numbers(5, width, 7)), "lengths": np.array([3, 2])}
    (array,) = executor.run(main, feed=feed, fetch_list=[found])
    np.testing.assert_allclose([*array[0], *array[1, :2]], STATES[name], atol=2e-6)
    assert not array[1, 2].any()


def test_another_width_is_refused() -> None:
    with static.program_guard(static.Program()), pytest.raises(ShapeError, match="time, 6"):
        layers.dynamic_gru(fluid.data("steps", [None, 3, 5]), 2)


# The steps of the same two sequences, recorded with Paddle 1.8.5.
SIMPLE = [
    [0.446244, 0.5649, 0.664037],
    [0.576959, 0.704112, 0.797944],
    [0.685809, 0.813706, 0.89285],
    [0.421899, 0.578363, 0.701374],
    [0.57458, 0.693412, 0.783612],
]


@pytest.mark.parametrize("time", [3, None], ids=["known_time", "unknown_time"])
def test_a_network_written_by_steps_ends_where_each_sequence_ends(time: int | None) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        steps = fluid.data("steps", [None, time, 2])
        lengths = fluid.data("lengths", [None], "int64")
        network = layers.DynamicRNN(lengths=lengths)
        with network.block():
            now = network.step_input(steps)
            before = network.memory(shape=[3], value=0.5)
            weights = [fixed(numbers(n, 3, 9)) for n in (2, 3)]
            after = layers.fc([now, before], 3, act="tanh", param_attr=weights, bias_attr=False)
            network.update_memory(before, after)
            network.output(after)
        found = network()
        last = layers.sequence_last_step(found, lengths=lengths)
    executor = static.Executor()
    executor.run(startup)
    feed = {"steps": padded(numbers(5, 2, 7)), "lengths": np.array([3, 2])}
    array, ends = executor.run(main, feed=feed, fetch_list=[found, last])
    np.testing.assert_allclose([*array[0], *array[1, :2]], SIMPLE, atol=2e-6)
    np.testing.assert_allclose(ends, [SIMPLE[2], SIMPLE[4]], atol=2e-6)
    assert not array[1, 2].any()

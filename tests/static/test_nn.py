"""Layers of `static.nn`: names, states, what the layers of `nn` give, training on each back end."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, static
from twinoar.core.interpreter import eager, using

nn = static.nn
random = np.random.default_rng(5)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


IMAGES, VOLUMES, ROWS = normal(2, 4, 5, 6), normal(2, 3, 4, 5, 4), normal(6, 4)

# name: (the input, the function, the layer of nn that means the same, its parameters in order)
SAME = {
    "fc": (ROWS, lambda x: nn.fc(x, 3), lambda: paddle.nn.Linear(4, 3), ["weight", "bias"]),
    "conv2d": (
        IMAGES,
        lambda x: nn.conv2d(x, 6, 3, 2, 1, groups=2),
        lambda: paddle.nn.Conv2D(4, 6, 3, 2, 1, groups=2),
        ["weight", "bias"],
    ),
    "conv3d": (
        VOLUMES,
        lambda x: nn.conv3d(x, 4, [2, 3, 1], padding="SAME"),
        lambda: paddle.nn.Conv3D(3, 4, [2, 3, 1], padding="SAME"),
        ["weight", "bias"],
    ),
    "conv2d_transpose": (
        IMAGES,
        lambda x: nn.conv2d_transpose(x, 3, filter_size=2, stride=2),
        lambda: paddle.nn.Conv2DTranspose(4, 3, 2, 2),
        ["weight", "bias"],
    ),
    "conv3d_transpose": (
        VOLUMES,
        lambda x: nn.conv3d_transpose(x, 2, filter_size=2, stride=2),
        lambda: paddle.nn.Conv3DTranspose(3, 2, 2, 2),
        ["weight", "bias"],
    ),
    "batch_norm": (
        IMAGES,
        lambda x: nn.batch_norm(x, momentum=0.8),
        lambda: paddle.nn.BatchNorm2D(4, 0.8),
        ["weight", "bias", "_mean", "_variance"],
    ),
    "layer_norm": (
        IMAGES,
        lambda x: nn.layer_norm(x, begin_norm_axis=2),
        lambda: paddle.nn.LayerNorm([5, 6]),
        ["weight", "bias"],
    ),
    "group_norm": (
        IMAGES,
        lambda x: nn.group_norm(x, 2, param_attr=True, bias_attr=True),
        lambda: paddle.nn.GroupNorm(2, 4),
        ["weight", "bias"],
    ),
    "instance_norm": (
        IMAGES,
        lambda x: nn.instance_norm(x, param_attr=True, bias_attr=True),
        lambda: paddle.nn.InstanceNorm2D(4),
        ["scale", "bias"],
    ),
    "embedding": (
        np.array([[1, 0, 3], [2, 2, 4]]),
        lambda x: nn.embedding(x, [5, 3]),
        lambda: paddle.nn.Embedding(5, 3),
        ["weight"],
    ),
    "sparse_embedding": (
        np.array([[1, 0, 3], [2, 2, 4]]),
        lambda x: nn.sparse_embedding(x, [5, 3]),
        lambda: paddle.nn.Embedding(5, 3),
        ["weight"],
    ),
    "prelu": (IMAGES, lambda x: nn.prelu(x, "all"), lambda: paddle.nn.PReLU(), ["_weight"]),
}  # fmt: skip


@pytest.fixture
def programs():
    paddle.seed(8)
    main, startup = static.Program(), static.Program()
    scope = static.scope_guard(static.Scope())
    with paddle.utils.unique_name.guard(), scope, static.program_guard(main, startup):
        yield main, startup


def data(array, batch=None):
    return static.data("x", [batch, *array.shape[1:]], str(array.dtype))


def member(layer, name):
    return next(p for key, p in layer.state_dict().items() if key == name)


def trained_eagerly(make, members, start, array):
    """The losses of two steps of the layer of `nn`, and the layer."""
    with using(eager()):
        layer, expected = make(), []
        for own, value in zip(members, start.values(), strict=True):
            member(layer, own).set_value(value.reshape(member(layer, own).shape))
        optimizer = paddle.optimizer.SGD(0.5, parameters=layer.parameters())
        for _ in range(2):
            result = layer(paddle.to_tensor(array))
            loss = paddle.mean(result * result)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            expected.append(loss.numpy())
    return expected, layer


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("name", SAME)
def test_two_steps_are_those_of_the_layer(programs, name, backend):
    main, startup = programs
    array, function, make, members = SAME[name]
    with config.override(backend=backend):
        out = function(data(array))
        loss = paddle.mean(out * out)
        paddle.optimizer.SGD(0.5).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        start = {k: v.copy() for k, v in main.state_dict("param").items()}
        losses = [executor.run(main, {"x": array}, [loss])[0] for _ in range(2)]
        end = main.state_dict("param")
    expected, layer = trained_eagerly(make, members, start, array)
    np.testing.assert_allclose(losses, expected, rtol=1e-4, atol=1e-6)
    for own, value in zip(members, end.values(), strict=True):
        learned = member(layer, own).numpy()
        np.testing.assert_allclose(value.ravel(), learned.ravel(), rtol=1e-4, atol=1e-5)


def test_moving_statistics_are_states_that_training_alone_moves(programs):
    main, startup = programs
    out = nn.batch_norm(data(IMAGES), momentum=0.75)
    names = [p.name for p in main.all_parameters()]
    assert names == [f"batch_norm_0.{end}" for end in ("w_0", "b_0", "w_1", "w_2")]
    assert [p.stop_gradient for p in main.all_parameters()] == [False, False, True, True]
    test, executor = main.clone(for_test=True), static.Executor()
    executor.run(startup)
    executor.run(test, {"x": IMAGES}, [out.name])
    assert not main.state_dict()["batch_norm_0.w_1"].any()
    executor.run(main, {"x": IMAGES}, [out])
    state = main.state_dict()
    np.testing.assert_allclose(
        state["batch_norm_0.w_1"], 0.25 * IMAGES.mean((0, 2, 3)), rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(
        state["batch_norm_0.w_2"], 0.75 + 0.25 * IMAGES.var((0, 2, 3)), rtol=1e-4
    )
    (found,) = executor.run(test, {"x": IMAGES}, [out.name])
    mean, variance = (state[f"batch_norm_0.w_{i}"].reshape(1, 4, 1, 1) for i in (1, 2))
    np.testing.assert_allclose(
        found, (IMAGES - mean) / np.sqrt(variance + 1e-5), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("argument", ["is_test", "use_global_stats"])
def test_statistics_in_use_do_not_move(programs, argument):
    main, _ = programs
    nn.batch_norm(data(IMAGES), **{argument: True})
    assert not main.updates


def names_of(program):
    return [p.name for p in program.all_parameters()]


def test_a_name_is_taken_as_it_is(programs):
    main, _ = programs
    x = data(ROWS)
    nn.fc(x, 3, name="dense")
    nn.fc(x, 3, name="dense")
    nn.fc(x, 3)
    assert names_of(main) == [
        *("dense.w_0", "dense.b_0", "dense.w_1", "dense.b_1", "fc_0.w_0", "fc_0.b_0")
    ]


def test_attributes_say_what_a_parameter_is(programs):
    main, startup = programs
    frozen = paddle.ParamAttr("scale", paddle.nn.initializer.Constant(2.0), trainable=False)
    out = nn.fc(data(ROWS), 1, weight_attr=frozen, bias_attr=False)
    executor = static.Executor()
    executor.run(startup)
    (found,) = executor.run(main, {"x": ROWS}, [out])
    np.testing.assert_allclose(found, 2 * ROWS.sum(1, keepdims=True), rtol=1e-5, atol=1e-6)
    assert names_of(main) == ["scale"] and main.all_parameters()[0].stop_gradient


@pytest.mark.parametrize("name", ["deform_conv2d", "row_conv", "nce", "bilinear", "spectral_norm"])
@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_training_lowers_the_loss(programs, name, backend):
    main, startup = programs
    images, steps, rows = normal(2, 4, 5, 5), normal(2, 5, 4), normal(6, 4)
    feed = {"images": images, "offset": normal(2, 18, 5, 5) / 4, "steps": steps, "rows": rows}
    feed["labels"] = np.array([[1], [0], [7], [3], [3], [2]])
    x = {k: static.data(k, list(v.shape), str(v.dtype)) for k, v in feed.items()}
    with config.override(backend=backend):
        out = {
            "deform_conv2d": lambda: nn.deform_conv2d(
                x["images"], x["offset"], None, 3, 3, padding=1
            ),
            "row_conv": lambda: nn.row_conv(x["steps"], 2),
            "nce": lambda: nn.nce(x["rows"], x["labels"], 8, num_neg_samples=6),
            "bilinear": lambda: nn.bilinear_tensor_product(x["rows"], x["rows"], 3),
            "spectral_norm": lambda: paddle.matmul(
                x["rows"], nn.spectral_norm(static.create_parameter([4, 3], "float32"), 0, 3)
            ),
        }[name]()
        target = paddle.mean(out if name == "nce" else (out - 1.0) ** 2)
        paddle.optimizer.Adam(0.05).minimize(target)
        executor = static.Executor()
        executor.run(startup)
        losses = [executor.run(main, feed, [target])[0] for _ in range(40)]
    assert np.mean(losses[-5:]) < 0.9 * np.mean(losses[:5])


def test_spectral_norm_is_that_of_the_weight(programs):
    main, startup = programs
    out = nn.spectral_norm(data(normal(4, 3), 4), power_iters=30)
    weight = normal(4, 3)
    executor = static.Executor()
    executor.run(startup)
    (found,) = executor.run(main, {"x": weight}, [out])
    np.testing.assert_allclose(found, weight / np.linalg.norm(weight, 2), rtol=1e-4)


@pytest.mark.parametrize("sampler", ["uniform", "log_uniform", "custom_dist"])
def test_nce_is_the_expected_cost_of_its_samples(programs, sampler):
    main, startup = programs
    table = {
        "uniform": np.full(5, 0.2),
        "log_uniform": np.log1p(1 / np.arange(1.0, 6)) / np.log(5),
        "custom_dist": np.array([0.1, 0.2, 0.3, 0.4, 0.0]),
    }[sampler]
    label = np.array([[1], [3]])
    given = static.data("label", [2, 1], "int64")
    dist = table.tolist() if sampler == "custom_dist" else None
    out = nn.nce(data(ROWS[:2], 2), given, 5, num_neg_samples=2, sampler=sampler, custom_dist=dist)
    executor = static.Executor()
    executor.run(startup)
    feed = {"x": ROWS[:2], "label": label}
    costs = np.mean([executor.run(main, feed, [out])[0] for _ in range(600)], 0)
    weight, bias = (main.state_dict()[f"nce_0.{k}"] for k in ("w_0", "b_0"))
    o = 1 / (1 + np.exp(-(ROWS[:2] @ weight.T + bias[:, 0])))
    noise = 2 * table
    drawn = table if sampler == "custom_dist" else table / table.sum()
    if sampler == "log_uniform":  # class 4 is drawn where 5 ** u reaches 5, which it does not
        drawn = np.array([*(np.log1p(1 / np.arange(1.0, 5)) / np.log(5)), 0.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        of_noise = np.where(drawn > 0, -drawn * np.log(noise / (o + noise)), 0.0).sum(1)
    of_label = -np.log(o / (o + noise))[np.arange(2), label[:, 0]]
    np.testing.assert_allclose(costs[:, 0], (of_label + 2 * of_noise) / 3, rtol=0.05)


def test_embedding_of_padding_is_zero_and_stays(programs):
    main, startup = programs
    ids = np.array([[1, 3, 4]])
    out = nn.embedding(data(ids), [5, 2], padding_idx=-2, param_attr="table")
    paddle.optimizer.SGD(1.0).minimize(paddle.sum(out))
    executor = static.Executor()
    executor.run(startup)
    before = main.state_dict()["table"].copy()
    (found,) = executor.run(main, {"x": ids}, [out])
    assert not found[0, 1].any() and found[0, 0].any()
    changed = main.state_dict()["table"] != before
    assert changed.any(1).tolist() == [False, True, False, False, True]

"""Models and optimizers in lower precision: what is cast, what stays, what is kept beside."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import amp, nn
from twinoar.errors import ArgumentError, TypeMismatchError

LOWS = ("bfloat16", "float16")


def network():
    paddle.seed(3)
    return paddle.nn.Sequential(
        paddle.nn.Conv2D(1, 2, 3),
        paddle.nn.BatchNorm2D(2),
        paddle.nn.Flatten(),
        paddle.nn.Linear(8, 4),
        paddle.nn.LayerNorm(4),
    )


def dtypes(model):
    return {name: x.dtype.name for name, x in model.state_dict().items()}


@pytest.mark.parametrize("low", LOWS)
def test_parameters_are_low_but_those_of_normalization(low):
    model = amp.decorate(network(), level="O2", dtype=low)
    own = {"float16": "float32", "bfloat16": "bfloat16"}[low]
    assert dtypes(model) == {
        "0.weight": low,
        "0.bias": low,
        **{f"1.{name}": "float32" for name in ("weight", "bias", "_mean", "_variance")},
        "3.weight": low,
        "3.bias": low,
        "4.weight": own,
        "4.bias": own,
    }


def test_level_o1_leaves_parameters_alone():
    model = network()
    sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    assert amp.decorate(model, level="O1") is model
    assert amp.decorate(model, sgd) == (model, sgd)
    assert amp.amp_decorate([model], [sgd]) == ([model], [sgd])
    assert set(dtypes(model).values()) == {"float32"}


@pytest.mark.parametrize("as_class", [False, True])
def test_excluded_layers_stay(as_class):
    model = network()
    excluded = paddle.nn.Linear if as_class else [model[3]]
    amp.decorate(model, level="O2", dtype="bfloat16", excluded_layers=excluded)
    found = dtypes(model)
    assert (found["3.weight"], found["0.weight"]) == ("float32", "bfloat16")


@pytest.mark.parametrize("converted", [False, True])
@pytest.mark.parametrize("master", [None, False])
def test_small_steps_are_not_lost_where_there_are_masters(master, converted):
    """1 + 2^-12 is 1 in bfloat16: without a float32 copy nothing is learned."""
    model = paddle.nn.Linear(1, 1, bias_attr=False)
    model.weight.set_value(np.ones((1, 1), np.float32))
    sgd = paddle.optimizer.SGD(2.0**-12, parameters=model.parameters())
    amp.decorate(model, sgd, level="O2", dtype="bfloat16", master_weight=master)

    def step():
        model(paddle.ones([1, 1], "bfloat16")).sum().backward()
        sgd.step()
        sgd.clear_grad()

    run = paddle.jit.to_static(step, full_graph=True) if converted else step
    for _ in range(64):
        run()
    assert model.weight.item() == (1.0 if master is False else 1 - 2.0**-6)
    masters = sgd.state_dict().get("master_weights", {})
    assert [x.dtype.name for x in masters.values()] == ([] if master is False else ["float32"])


@pytest.mark.parametrize("converted", [False, True])
def test_master_gradients_are_float32_and_add_up_in_it(converted):
    model = paddle.nn.Linear(1, 1, bias_attr=False)
    sgd = paddle.optimizer.SGD(1.0, parameters=model.parameters())
    amp.decorate(model, sgd, level="O2", dtype="bfloat16", master_grad=True)

    def backward(x):
        model(x).sum().backward()

    run = paddle.jit.to_static(backward, full_graph=True) if converted else backward
    run(paddle.ones([1, 1], "bfloat16"))
    run(paddle.full([1, 1], 2.0**-9, "bfloat16"))
    assert model.weight.grad.dtype == paddle.float32
    assert model.weight.grad.item() == 1 + 2.0**-9
    sgd.clear_grad()
    assert model.weight.grad.dtype == paddle.float32
    before = model.weight.item()
    sgd.step()
    assert model.weight.item() == before


def test_states_are_saved_in_the_dtype_that_is_asked_for(tmp_path):
    model = amp.decorate(network(), level="O2", dtype="bfloat16", save_dtype="float32")
    state = model.state_dict()
    assert {x.dtype.name for x in state.values()} == {"float32"}
    assert model[0].weight.dtype == paddle.bfloat16
    paddle.save(state, str(tmp_path / "model.pdparams"))
    other = network()
    other.set_state_dict(paddle.load(str(tmp_path / "model.pdparams")))
    np.testing.assert_array_equal(
        other[0].weight.numpy(), model[0].weight.astype("float32").numpy()
    )
    double = amp.decorate(network(), level="O1", save_dtype="float64")
    assert {x.dtype.name for x in double.state_dict().values()} == {"float64"}


def test_optimizers_that_have_stepped_are_refused():
    model = network()
    sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    model(paddle.ones([1, 1, 4, 4])).sum().backward()
    sgd.step()
    with pytest.raises(ArgumentError, match="before the first step"):
        amp.decorate(model, sgd, level="O2")
    assert set(dtypes(model).values()) == {"float32"}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"models": 3}, TypeMismatchError, "models: expected one Layer, or a list, received int"),
        ({"optimizers": [3]}, TypeMismatchError, "optimizers: expected one Optimizer"),
        ({"level": "O3"}, ArgumentError, "level 'O1' or 'O2', received 'O3'"),
        ({"dtype": "float64"}, ArgumentError, "dtype among"),
        ({"save_dtype": "int8"}, ArgumentError, "save_dtype: expected a floating dtype"),
        ({"excluded_layers": "conv"}, TypeMismatchError, "excluded_layers: expected layers"),
    ],
)
def test_bad_arguments(change, error, message):
    given = {"models": network(), "level": "O2"} | change
    with pytest.raises(error, match=message):
        amp.decorate(**given)


@pytest.mark.parametrize("converted", [False, True])
@pytest.mark.parametrize("low", LOWS)
@pytest.mark.parametrize("level", ["OD", "O1", "O2"])
def test_losses_are_those_of_float32_within_the_precision(level, low, converted):
    def losses(level):
        paddle.seed(1)
        model = paddle.vision.models.LeNet()
        adam = paddle.optimizer.Adam(1e-3, parameters=model.parameters())
        scaler = amp.GradScaler(enable=low == "float16" and level != "O0", init_loss_scaling=64.0)
        if level == "O2":
            model, adam = amp.decorate(model, adam, level=level, dtype=low)
        random = np.random.RandomState(0)
        x = paddle.to_tensor(random.randn(16, 1, 28, 28).astype(np.float32))
        y = paddle.to_tensor(random.randint(0, 10, (16, 1)))

        def step(x, y):
            with amp.auto_cast(level=level, dtype=low):
                loss = paddle.nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(adam)
            scaler.update()
            adam.clear_grad()
            return loss

        run = paddle.jit.to_static(step, full_graph=True) if converted else step
        return [float(run(x, y)) for _ in range(10)]

    wide, narrow = losses("O0"), losses(level)
    assert narrow[-1] < 0.75 * narrow[0]
    np.testing.assert_allclose(narrow, wide, rtol=0.05)


@pytest.mark.parametrize("level", ["O1", "O2"])
@pytest.mark.parametrize("low", ["bfloat16", "float16"])
def test_a_compiled_layer_learns_as_an_eager_one(level, low):
    """Parameters of both precisions go into one Program, as they are."""

    def losses(converted):
        paddle.seed(0)
        net = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.Flatten(), nn.Linear(144, 5))
        rule = paddle.optimizer.SGD(0.05, parameters=net.parameters())
        amp.decorate(net, rule, level=level, dtype=low)
        run = paddle.jit.to_static(net) if converted else net
        random = np.random.default_rng(0)
        x = paddle.to_tensor(random.normal(size=(4, 3, 8, 8)).astype("float32"))
        labels = paddle.to_tensor(random.integers(0, 5, 4))
        found = []
        for _ in range(4):
            with amp.auto_cast(level=level, dtype=low):
                loss = nn.functional.cross_entropy(run(x), labels)
            loss.backward()
            rule.step()
            rule.clear_grad()
            found.append(float(loss))
        return found

    eager = losses(False)
    assert eager[-1] < eager[0]
    np.testing.assert_allclose(losses(True), eager, rtol=0.05)


def test_a_py_layer_gets_what_it_is_given(low="bfloat16"):
    class Kept(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            return x * 1, y * 1

        @staticmethod
        def backward(ctx, gx, gy):
            return gx, gy

    def run(x, y):
        with amp.auto_cast(dtype=low):
            return Kept.apply(x, y)

    given = paddle.ones([2], low), paddle.ones([2])
    for call in (run, paddle.jit.to_static(run)):
        assert [t.dtype.name for t in call(*given)] == [low, "float32"]

"""Steps on row-sparse gradients: the rows that a gradient has, eagerly and in Programs, or refused.

Paddle's numbers are those of 3.3.1. Its Adam takes the powers of both betas a step too late for
sparse gradients; its documentation, and ours, have them as for dense ones.
"""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn, optimizer, static
from twinoar.errors import ConversionError, UnsupportedError

F = nn.functional
ROWS, WIDTH = 60, 4
START = np.random.default_rng(0).standard_normal((ROWS, WIDTH)).astype(np.float32)
IDS = [np.random.default_rng(n).integers(0, ROWS, (6, 3)) for n in range(4)]
ALONE = {
    "SGD": lambda **k: optimizer.SGD(0.1, **k),
    "Adagrad": lambda **k: optimizer.Adagrad(0.1, **k),
    "Adam": lambda **k: optimizer.Adam(0.1, lazy_mode=True, **k),
    "Adam amsgrad": lambda **k: optimizer.Adam(0.1, lazy_mode=True, amsgrad=True, **k),
    "AdamW": lambda **k: optimizer.AdamW(0.1, lazy_mode=True, **k),
}
AMONG_ALL = {
    "Momentum": lambda **k: optimizer.Momentum(0.1, **k),
    "Adam": lambda **k: optimizer.Adam(0.1, **k),
    "AdamW": lambda **k: optimizer.AdamW(0.1, **k),
    "RMSProp": lambda **k: optimizer.RMSProp(0.1, **k),
    "Lamb": lambda **k: optimizer.Lamb(0.1, **k),
}
REFUSED = {
    "Adamax": lambda **k: optimizer.Adamax(0.1, **k),
    "Adadelta": lambda **k: optimizer.Adadelta(0.1, **k),
    "NAdam": lambda **k: optimizer.NAdam(0.1, **k),
    "RAdam": lambda **k: optimizer.RAdam(0.1, **k),
    "Rprop": lambda **k: optimizer.Rprop(0.1, **k),
    "ASGD": lambda **k: optimizer.ASGD(0.1, batch_num=1, **k),
}


def table(dtype="float32"):
    weight = paddle.create_parameter([ROWS, WIDTH], dtype)
    weight.set_value(START)
    return weight


def loss_of(weight, ids, sparse=True):
    return (F.embedding(ids, weight, sparse=sparse) ** 2).sum()


def trained(make, sparse=True, how="eager", weight=None, **kwargs):
    """The table after a few steps."""
    weight = table() if weight is None else weight
    rule = make(parameters=[weight], **kwargs)

    def step(ids):
        loss_of(weight, ids, sparse).backward()
        rule.step()
        rule.clear_grad()

    if how == "to_static":
        step = paddle.jit.to_static(step)
    for ids in IDS:
        step(paddle.to_tensor(ids))
    return weight.astype("float32").numpy()


def by_rows_in_numpy():
    """What Adam does to the rows that have a gradient, each as a parameter of its own.

    The powers of both betas are those of all steps: rows that a step leaves out take none.
    """
    weight = START.copy()
    states = {}
    for n, ids in enumerate(IDS, 1):
        rows, counts = np.unique(ids, return_counts=True)
        gradient = 2 * weight[rows] * counts[:, None]
        m, v = states.setdefault("m", np.zeros_like(START)), states.setdefault("v", START * 0)
        m[rows] = 0.9 * m[rows] + 0.1 * gradient
        v[rows] = 0.999 * v[rows] + 0.001 * gradient**2
        root = np.sqrt(v[rows] / (1 - 0.999**n)) + 1e-8
        weight[rows] -= 0.1 * m[rows] / (1 - 0.9**n) / root
    return weight


def test_lazy_adam_is_the_documented_formula_on_the_rows_of_a_step():
    found = trained(ALONE["Adam"])
    np.testing.assert_allclose(found, by_rows_in_numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ALONE)
def test_rows_without_a_gradient_stay(name):
    weight = table()
    rule = ALONE[name](parameters=[weight])
    for _ in range(3):
        loss_of(weight, paddle.to_tensor([3, 7, 3])).backward()
        rule.step()
        rule.clear_grad()
    changed = np.flatnonzero((weight.numpy() != START).any(1))
    assert changed.tolist() == [3, 7]
    for moment in rule._memory.like(weight):
        assert np.flatnonzero(moment.numpy().any(1)).tolist() == [3, 7]


@pytest.mark.parametrize("name", ["SGD", "Adagrad"])
def test_rules_that_zeros_do_not_move_are_those_of_dense_gradients(name):
    np.testing.assert_array_equal(trained(ALONE[name]), trained(ALONE[name], sparse=False))


@pytest.mark.parametrize("name", AMONG_ALL)
def test_rules_with_a_memory_of_all_rows_take_the_others_as_zeros(name):
    found = trained(AMONG_ALL[name])
    np.testing.assert_allclose(found, trained(AMONG_ALL[name], sparse=False), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_rules_that_have_no_meaning_for_rows_refuse_them(name):
    weight = table()
    rule = REFUSED[name](parameters=[weight])
    loss_of(weight, paddle.to_tensor([1])).backward()
    with pytest.raises(UnsupportedError, match=rf"{name} has no rule .*\n.*SGD, Adagrad or Adam"):
        rule.step()
    np.testing.assert_array_equal(weight.numpy(), START)


def test_a_rule_that_users_write_over_another_is_refused():
    class Mine(optimizer.SGD):
        def update(self, param, grad, states, rate, settings):
            return (param - rate * grad / param.norm(),)

    weight = table()
    loss_of(weight, paddle.to_tensor([1])).backward()
    with pytest.raises(UnsupportedError, match="Mine has no rule"):
        Mine(0.1, parameters=[weight]).step()


@pytest.mark.parametrize("how", ["eager", "to_static"])
@pytest.mark.parametrize("name", ALONE)
def test_programs_and_small_steps_agree(name, how):
    with config.override(backend="numpy"):
        expected = trained(ALONE[name])
    np.testing.assert_allclose(trained(ALONE[name], how=how), expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", ALONE)
def test_a_large_table_is_updated_by_one_compiled_step(name, monkeypatch):
    monkeypatch.setattr("twinoar.optimizer.fused.LARGE", 1)
    with config.override(backend="numpy"):
        expected = trained(ALONE[name])
    with config.override(backend="native"):
        found = trained(ALONE[name])
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


def test_one_compiled_step_serves_any_number_of_rows(monkeypatch):
    monkeypatch.setattr("twinoar.optimizer.fused.LARGE", 1)
    weight = table()
    rule = optimizer.SGD(0.5, parameters=[weight])
    for count in (1, 5, 40, 300, 7):
        loss_of(weight, paddle.to_tensor(np.arange(count) % 50)).backward()
        rule.step()
        rule.clear_grad()
    assert len(rule._fused._runs) <= 1


@pytest.mark.parametrize("how", ["eager", "to_static"])
@pytest.mark.parametrize("multi_precision", [True, False])
def test_tables_of_bfloat16(how, multi_precision):
    make = lambda **k: optimizer.Adam(0.1, lazy_mode=True, multi_precision=multi_precision, **k)  # noqa: E731
    found = trained(make, how=how, weight=table("bfloat16"))
    np.testing.assert_allclose(found, trained(ALONE["Adam"]), rtol=0.05, atol=0.02)


def test_weight_decay_makes_it_dense_where_paddle_does():
    for decay in (0.1, paddle.regularizer.L1Decay(0.1)):
        found = trained(ALONE["SGD"], weight_decay=decay)
        expected = trained(ALONE["SGD"], sparse=False, weight_decay=decay)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_adam_refuses_weight_decay_with_it():
    with pytest.raises(UnsupportedError, match="Adam does not support weight_decay"):
        trained(ALONE["Adam"], weight_decay=0.1)


@pytest.mark.parametrize("how", ["eager", "to_static"])
def test_clips_are_part_of_the_step(how):
    clip = nn.ClipGradByGlobalNorm(0.5)
    expected = trained(ALONE["SGD"], sparse=False, grad_clip=clip)
    np.testing.assert_allclose(trained(ALONE["SGD"], how=how, grad_clip=clip), expected, rtol=1e-5)


def test_what_is_remembered_is_saved_and_goes_on():
    weight, other = table(), table()
    first = ALONE["Adam"](parameters=[weight])
    loss_of(weight, paddle.to_tensor(IDS[0])).backward()
    first.step()
    first.clear_grad()
    other.set_value(weight)
    other.name = weight.name
    second = ALONE["Adam"](parameters=[other])
    second.set_state_dict(first.state_dict())
    for w, rule in ((weight, first), (other, second)):
        loss_of(w, paddle.to_tensor(IDS[1])).backward()
        rule.step()
    np.testing.assert_array_equal(weight.numpy(), other.numpy())


# In Programs.


@pytest.mark.parametrize("name", ALONE)
def test_static_programs_take_the_same_steps(name):
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            ids = static.data("ids", [None, 3], "int64")
            initial = nn.initializer.Assign(START)
            attr = paddle.ParamAttr(name="table", initializer=initial)
            out = static.nn.embedding(ids, [ROWS, WIDTH], is_sparse=True, param_attr=attr)
            ALONE[name](parameters=None).minimize((out**2).sum())
        executor = static.Executor()
        scope = static.Scope()
        with static.scope_guard(scope):
            executor.run(startup)
            for one in IDS:
                executor.run(main, feed={"ids": one})
            found = np.array(scope.find_var("table").get_tensor())
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, trained(ALONE[name]), rtol=2e-5, atol=2e-6)


def test_vectors_and_rows_of_a_static_gradient_are_fetched():
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            ids = static.data("ids", [None, 3], "int64")
            out = static.nn.embedding(ids, [ROWS, WIDTH], is_sparse=True)
            [(parameter, g)] = static.append_backward(out.sum())
        executor = static.Executor()
        executor.run(startup)
        names = [f"{parameter.name}@GRAD", f"{parameter.name}@GRAD@ROWS", g]
        vectors, rows, same = executor.run(main, feed={"ids": IDS[0]}, fetch_list=names)
    finally:
        paddle.disable_static()
    assert rows.tolist() == IDS[0].reshape(-1).tolist()
    assert vectors.tolist() == same.tolist() == np.ones((18, WIDTH)).tolist()


def test_a_converted_model_gives_its_table_rows():
    weight = table()
    model = paddle.jit.to_static(lambda ids: loss_of(weight, ids))
    for _ in range(2):
        model(paddle.to_tensor([4, 2, 4])).backward()
    assert weight.grad.is_selected_rows() and weight.grad.rows() == [2, 4]


def test_a_converted_step_leaves_and_adds_rows():
    weight = table()

    @paddle.jit.to_static
    def step(ids):
        F.embedding(ids, weight, sparse=True).sum().backward()

    step(paddle.to_tensor([4, 2, 4]))
    assert weight.grad.rows() == [4, 2, 4]
    step(paddle.to_tensor([9, 2, 4]))
    assert (weight.grad.rows(), weight.grad.tolist()[1]) == ([2, 4, 9], [3.0] * WIDTH)


def test_a_converted_step_does_not_take_rows_from_before():
    weight = table()
    rule = ALONE["SGD"](parameters=[weight])

    @paddle.jit.to_static
    def step(ids):
        loss_of(weight, ids).backward()
        rule.step()

    loss_of(weight, paddle.to_tensor([4])).backward()
    with pytest.raises(ConversionError, match=r"from before the call.*\n.*clear it"):
        step(paddle.to_tensor([4, 2]))


def test_a_lookup_in_a_branch_gets_a_dense_gradient():
    weight = table()

    @paddle.jit.to_static
    def loss(ids, chosen):
        found = weight.sum() * 0.0
        if chosen > 0:
            found = F.embedding(ids, weight, sparse=True).sum()
        return found

    loss(paddle.to_tensor([4, 2, 4]), paddle.to_tensor(1.0)).backward()
    assert weight.grad.is_dense() and weight.grad.numpy()[4].tolist() == [2.0] * WIDTH


def test_the_attribute_is_in_the_file_and_read_back(tmp_path):
    layer = nn.Embedding(ROWS, WIDTH, sparse=True)
    spec = [static.InputSpec([None, 3], "int64")]
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=spec)
    ids = paddle.to_tensor(IDS[0])
    loaded = paddle.jit.load(str(tmp_path / "model"))
    np.testing.assert_array_equal(loaded(ids).numpy(), layer(ids).numpy())

"""Optimizers whose moments ranks share take the steps of whole ones."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.test_data_parallel_ranks import batch, loss_of, network, own_part
from twinoar.distributed.sharding import group_sharded_parallel, save_group_sharded_model
from twinoar.errors import UnsupportedError
from twinoar.runtime.collective import run_ranks

CLIPS = {
    "none": lambda: None,
    "norm of all": lambda: paddle.nn.ClipGradByGlobalNorm(0.01),
    "norm of each": lambda: paddle.nn.ClipGradByNorm(0.01),
}


def rule(model, clip):
    return paddle.optimizer.Adam(1e-2, parameters=model.parameters(), grad_clip=CLIPS[clip]())


def train(model, adam, seeds):
    for seed in seeds:
        loss_of(model, *map(own_part, batch(seed=seed))).backward()
        adam.step()
        adam.clear_grad()
    return [p.numpy() for p in model.parameters()]


def alone(clip="none", steps=4):
    model = network()
    return train(model, rule(model, clip), range(steps))


def divided(level, clip="none"):
    model = network()
    return group_sharded_parallel(model, rule(model, clip), level)[:2]


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("level", ["os", "os_g", "p_g_os"])
@pytest.mark.parametrize("size", [2, 3])
def test_they_train_as_one_process_does(size, level, clip):
    found = run_ranks(size, lambda: train(*divided(level, clip), range(4)))
    for rank in found:
        for a, b in zip(rank, alone(clip), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("level", ["os", "os_g"])
def test_each_has_the_moments_of_its_own_parameters(level):
    def run():
        model, adam = divided(level)
        train(model, adam, [0])
        return sorted(
            {name.partition("_moment")[0] for name in adam.state_dict() if "moment1" in name}
        )

    first, second = run_ranks(2, run)
    assert first and second and len(first) + len(second) == 4


def test_gradients_are_where_they_are_needed():
    def run():
        model, _ = divided("os_g")
        loss_of(model, *map(own_part, batch())).backward()
        return [p.grad is not None for p in model.parameters()]

    first, second = run_ranks(2, run)
    assert [a != b for a, b in zip(first, second, strict=True)] == [True] * 4


def test_what_is_saved_is_whole_and_loads_on_another_number_of_ranks(tmp_path):
    def named(level):
        model = network()
        for number, p in enumerate(model.parameters()):
            p.name = f"p{number}"  # threads draw names from one counter, processes do not
        return group_sharded_parallel(model, rule(model, "none"), level)[:2]

    def begin():
        model, adam = named("os")
        train(model, adam, range(2))
        save_group_sharded_model(model, str(tmp_path), adam)

    def go_on():
        model, adam = named("os_g")
        model.set_state_dict(paddle.load(str(tmp_path / "model.pdmodel")))
        adam.set_state_dict(paddle.load(str(tmp_path / "model.pdopt")))
        return train(model, adam, range(2, 4))

    run_ranks(2, begin)
    for rank in run_ranks(3, go_on):
        for a, b in zip(rank, alone(), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)


def test_parameters_moments_and_gradients_of_all_fall_with_the_ranks():
    """As much memory as there are numbers that a rank has of them."""

    def held(size):
        def run():
            model, adam = divided("p_g_os")
            train(model, adam, range(1))
            loss_of(model, *map(own_part, batch())).backward()
            tables = [p for p in model.parameters() if p.ndim == 2]
            moments = [v for v in adam.state_dict().values() if getattr(v, "ndim", 0) == 2]
            return [
                sum(int(np.prod(x._local_value().shape)) for x in found)
                for found in (tables, [p.grad for p in tables], moments)
            ]

        return run_ranks(size, run)[0]

    whole = [6 * 8 + 8 * 3, 6 * 8 + 8 * 3, 2 * (6 * 8 + 8 * 3)]
    assert held(2) == [n // 2 for n in whole]
    assert held(4)[2] <= whole[2] // 3  # what 4 does not divide along one dimension is whole


def scaled(level, overflows):
    """Two steps with a GradScaler; in the first a gradient of one rank overflows."""
    model = network()
    adam = rule(model, "none")
    scaler = paddle.amp.GradScaler(init_loss_scaling=64.0, decr_every_n_nan_or_inf=1)
    if level:
        model, adam, scaler = group_sharded_parallel(model, adam, level, scaler=scaler)
    for seed in range(2):
        x, y = batch(seed=seed)
        x, y = (own_part(x), own_part(y)) if level else (paddle.to_tensor(x), paddle.to_tensor(y))
        loss = scaler.scale(loss_of(model, x, y))
        if overflows and seed == 0 and dist.get_rank() == 0:
            loss = loss * float("inf")
        loss.backward()
        scaler.step(adam)
        scaler.update()
        adam.clear_grad()
    return [whole_of(p) for p in model.parameters()], scaler.state_dict()["scale"].item()


def whole_of(p):
    return p.numpy()


@pytest.mark.parametrize("overflows", [False, True])
@pytest.mark.parametrize("level", ["os", "os_g", "p_g_os"])
def test_a_scaler_skips_a_step_on_all_ranks_where_one_overflows(level, overflows):
    expected, scale = scaled(None, overflows)
    for found, own_scale in run_ranks(2, scaled, level, overflows):
        assert own_scale == scale == (32.0 if overflows else 64.0)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)


def test_fully_shard_divides_a_layer_and_those_in_it():
    def run():
        model = network()
        dist.fsdp.fully_shard(model[0])
        assert dist.fsdp.fully_shard(model) is model
        adam = rule(model, "none")
        train(model, adam, range(4))
        return [p.numpy() for p in model.parameters()], model[0].weight._local_value().shape

    for found, shape in run_ranks(2, run):
        assert shape in ([3, 8], [6, 4])
        for a, b in zip(found, alone(), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-5)


def test_a_trace_of_divided_parameters_is_refused_with_the_way_that_there_is():
    def run():
        model = divided("p_g_os")[0]
        paddle.jit.to_static(model)(paddle.ones([2, 6]))

    with pytest.raises(UnsupportedError, match="parallelize"):
        run_ranks(2, run)


@pytest.mark.parametrize("rows", [1, 2, 40])
@pytest.mark.parametrize("shard", ["group_sharded", "fsdp"])
def test_each_gets_its_rows_of_a_small_batch_too(shard, rows):
    """A batch that is smaller than the weight is put together for the layer, not the weight."""
    weight = np.random.default_rng(0).standard_normal((64, 8)).astype("float32")
    x = np.random.default_rng(1).standard_normal((2 * rows, 64)).astype("float32")

    def run():
        layer = paddle.nn.Linear(64, 8, bias_attr=False)
        layer.weight.set_value(weight)
        if shard == "fsdp":
            model = dist.fsdp.fully_shard(layer)
        else:
            adam = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
            model = group_sharded_parallel(layer, adam, "p_g_os")[0]
        first = rows * dist.get_rank()
        out = model(paddle.to_tensor(x[first : first + rows]))
        (out**2).mean().backward()
        return out.numpy(), layer.weight.grad.numpy()

    found = run_ranks(2, run)
    whole = x @ weight
    np.testing.assert_allclose(np.concatenate([out for out, _ in found]), whole, rtol=1e-5)
    for _, gradient in found:
        np.testing.assert_allclose(gradient, x.T @ (2 * whole / whole.size), rtol=1e-4, atol=1e-5)

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
@pytest.mark.parametrize("level", ["os", "os_g"])
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


def test_what_is_not_divided_is_refused():
    with pytest.raises(UnsupportedError, match="p_g_os"):
        run_ranks(2, lambda: divided("p_g_os"))
    assert dist.get_world_size() == 1

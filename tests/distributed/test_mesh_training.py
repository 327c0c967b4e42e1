"""Training on a mesh takes the steps of one process, however tensors lie."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.mesh_steps import NETWORKS, WAYS, train
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.runtime.collective import run_ranks

TOLERANCE = 1e-5  # relative to the greatest element


@pytest.fixture(scope="module")
def alone():
    return {name: train(name, None, None, None, False) for name in NETWORKS}


@pytest.mark.filterwarnings("ignore:no layer of the model")
@pytest.mark.parametrize("is_compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("network", NETWORKS)
def test_steps_are_those_of_one_process(network, way, is_compiled, alone):
    mesh, batch, config = WAYS[way]
    count = np.size(mesh["mesh"])
    for found in run_ranks(count, train, network, mesh, batch, config, is_compiled):
        np.testing.assert_allclose(found["losses"], alone[network]["losses"], rtol=TOLERANCE)
        for got, want in zip(found["parameters"], alone[network]["parameters"], strict=True):
            np.testing.assert_allclose(
                got, want, rtol=TOLERANCE, atol=TOLERANCE * np.abs(want).max()
            )


def test_what_is_divided_takes_less_memory(alone):
    whole = alone["perceptron"]["moments"]
    for way in ("moments divided", "parameters too"):
        mesh, batch, config = WAYS[way]
        found = run_ranks(2, train, "perceptron", mesh, batch, config, False)
        assert all(f["moments"] < 0.6 * whole for f in found)


def test_the_same_bits_on_repeated_runs():
    mesh, batch, config = WAYS["all"]
    runs = [run_ranks(4, train, "perceptron", mesh, batch, config, True)[0] for _ in range(2)]
    assert runs[0]["losses"] == runs[1]["losses"]
    for a, b in zip(runs[0]["parameters"], runs[1]["parameters"], strict=True):
        assert a.tobytes() == b.tobytes()


def linear():
    """A layer that begins alike on all ranks, which share one generator as threads."""
    made = nn.Linear(4, 3)
    made.weight.set_value(np.random.default_rng(0).standard_normal([4, 3]).astype("float32"))
    return made


def test_a_step_explains_what_travels():
    """With the batch cut, the gradient of each parameter once."""

    def job():
        mesh = dist.ProcessMesh([0, 1], dim_names=["dp"])
        network = dist.shard_layer(linear(), mesh)
        sgd = paddle.optimizer.SGD(0.1, parameters=network.parameters())

        @paddle.jit.to_static
        def step(x):
            loss = (network(x) ** 2).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad()
            return loss

        x = dist.shard_tensor(np.ones([4, 4], "float32"), mesh, [dist.Shard(0)])
        float(step(x))
        return str(step.explain())

    name = "all_reduce_sum"
    lines = [line.split() for line in run_ranks(2, job)[0].splitlines() if "travel" in line]
    assert sorted(line[:2] for line in lines) == [[name, "12"], [name, "48"]]


def sharded_step(level, clip):
    """What travels in a step whose moments are divided: of each collective, the bytes it brings."""
    mesh = dist.ProcessMesh([0, 1], dim_names=["dp"])
    network = linear()
    clips = nn.ClipGradByGlobalNorm(1.0) if clip else None
    adam = paddle.optimizer.Adam(0.1, parameters=network.parameters(), grad_clip=clips)
    dist.parallelize(network, adam, mesh, {"dp_config": {"sharding_level": level}})

    @paddle.jit.to_static
    def step(x):
        loss = (network(x) ** 2).mean()
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    x = dist.shard_tensor(np.ones([400, 4], "float32"), mesh, [dist.Shard(0)])
    step(x)  # makes moments
    step(x)
    lines = [line.split() for line in str(step.explain()).splitlines() if "travel" in line]
    return sorted((name, int(size)) for name, size, *_ in lines)


@pytest.mark.parametrize("clip", [False, True], ids=["as they are", "clipped"])
@pytest.mark.parametrize("level", [1, 2])
def test_gradients_that_meet_divided_moments_are_summed_to_parts(level, clip):
    """Of a weight [4,3]; a bias [3] is not divided, and of a norm each has a term."""
    norm = [("all_reduce_sum", 4)] if clip else []
    for found in run_ranks(2, sharded_step, level, clip):
        assert found == [*norm, ("all_reduce_sum", 12), ("reduce_scatter_rows", 24)]


def test_batches_of_a_loader_are_loaded_in_parts():
    images = np.arange(24, dtype="float32").reshape(12, 2)
    dataset = [(images[n], np.int64(n)) for n in range(12)]

    def job():
        mesh = dist.ProcessMesh([0, 1], dim_names=["dp"])
        loader = paddle.io.DataLoader(dataset, batch_size=4)
        own = dist.shard_dataloader(loader, mesh, shard_dims="dp")
        batches = list(own)
        shapes = [(x.shape, x._local_value().shape, x.placements) for x, _ in batches]
        return len(own), shapes, [y.tolist() for _, y in batches]

    for count, shapes, labels in run_ranks(2, job):
        assert count == 3
        assert shapes == [([4, 2], [2, 2], [dist.Shard(0)])] * 3
        assert sorted(itertools.chain(*labels)) == list(range(12))


def test_a_loader_with_an_order_of_its_own_is_not_divided():
    def job():
        mesh = dist.ProcessMesh([0, 1], dim_names=["dp"])
        data = [np.float32(n) for n in range(8)]
        own = paddle.io.BatchSampler(sampler=[7, 5, 3, 1], batch_size=2)
        with pytest.raises(ArgumentError, match="a sampler of its own"):
            dist.shard_dataloader(paddle.io.DataLoader(data, batch_sampler=own), mesh, None, "dp")
        with pytest.raises(ArgumentError, match="share batches of 3 equally"):
            dist.shard_dataloader(paddle.io.DataLoader(data, batch_size=3), mesh, None, "dp")
        return True

    assert run_ranks(2, job) == [True, True]


def test_checkpoints_load_on_another_mesh(tmp_path):
    weights = np.arange(20, dtype="float32").reshape(5, 4)

    def write():
        mesh = dist.ProcessMesh([0, 1, 2], dim_names=["x"])
        state = {
            "rows": dist.shard_tensor(weights, mesh, [dist.Shard(0)]),
            "all": dist.shard_tensor(weights + 1, mesh, [dist.Replicate()]),
        }
        dist.save_state_dict(state, str(tmp_path))

    def read():
        mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
        state = {
            "rows": dist.shard_tensor(weights * 0, mesh, [dist.Shard(1), dist.Shard(0)]),
            "all": dist.shard_tensor(weights * 0, mesh, [dist.Shard(0)]),
        }
        dist.load_state_dict(state, str(tmp_path))
        return state["rows"].numpy(), state["all"].numpy()

    run_ranks(3, write)
    for rows, everything in run_ranks(4, read):
        np.testing.assert_array_equal(rows, weights)
        np.testing.assert_array_equal(everything, weights + 1)


def test_a_dist_model_trains_on_a_mesh():
    images = np.random.default_rng(1).standard_normal((8, 4)).astype("float32")
    labels = np.arange(8) % 3

    def job(count):
        network = linear()
        sgd = paddle.optimizer.SGD(0.1, parameters=network.parameters())
        x, y = paddle.to_tensor(images), paddle.to_tensor(labels)
        if count:
            mesh = dist.ProcessMesh(list(range(count)), dim_names=["dp"])
            dist.shard_layer(network, mesh)
            x, y = (dist.shard_tensor(v, mesh, [dist.Shard(0)]) for v in (x, y))
        model = dist.to_static(network, None, nn.CrossEntropyLoss(), sgd)
        return [float(model(x, y)) for _ in range(3)]

    expected = job(0)
    for found in run_ranks(2, job, 2):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_moments_lie_as_their_parameters_do():
    """Whole ones would be put together again in each step."""

    def job():
        mesh = dist.ProcessMesh([0, 1], dim_names=["mp"])
        layer = dist.shard_layer(
            linear(), mesh, lambda name, x, mesh: dist.shard_tensor(x.weight, mesh, [dist.Shard(0)])
        )
        adam = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
        layer(paddle.ones([2, 4])).mean().backward()
        adam.step()
        return [m.placements for m in adam._memory.like(layer.weight)]

    assert run_ranks(2, job) == [[[dist.Shard(0)]] * 2] * 2

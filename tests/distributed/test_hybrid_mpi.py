"""Divided networks in two real processes of an MPI job are those of one."""

import os
import time

import numpy as np
import pytest

from tests.distributed.hybrid_job import PIPELINES, RINGS, STEPS, split_program
from tests.distributed.mixtures import trained_mixture
from tests.distributed.pipelines import trained
from tests.distributed.sequences import attention_of_one, trained_over_ring, whole_block_steps
from tests.distributed.test_mpi import launched, script_of

TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each of two ranks of tests/distributed/hybrid_job.py has found."""
    folder = tmp_path_factory.mktemp("hybrid")
    environment = {**os.environ, "PYTHONPATH": "."}
    done = launched("tests/distributed/hybrid_job.py", folder, env=environment)
    assert done.returncode == 0, done.stderr + done.stdout
    return [dict(np.load(folder / f"found.{rank}.npz")) for rank in range(2)]


@pytest.mark.parametrize("name", PIPELINES)
def test_two_stages_train_as_one_process_does(found, name):
    model, mode, _ = PIPELINES[name]
    losses, parameters = trained(model, 1, mode, steps=STEPS)
    prefix = f"pipeline/{name}/"
    own = [{k.removeprefix(prefix): v for k, v in f.items() if k.startswith(prefix)} for f in found]
    for one in own:
        np.testing.assert_allclose(one.pop("losses"), losses, rtol=TOLERANCE)
    assert set(own[0]) | set(own[1]) == set(parameters)
    for parts in own:
        for key, value in parts.items():
            np.testing.assert_allclose(value, parameters[key], rtol=TOLERANCE, atol=TOLERANCE)


def compare(found, prefix, expected):
    for one in found:
        for key, value in expected.items():
            own = one[f"{prefix}/{key}"]
            np.testing.assert_allclose(own, value, rtol=TOLERANCE, atol=TOLERANCE)


def test_blocks_of_divided_positions_train_as_whole_ones(found):
    compare(found, "sequence/block", whole_block_steps(clip=True))


@pytest.mark.parametrize("kind", RINGS)
def test_attention_over_a_ring_is_that_of_one_process(found, kind):
    compare(found, f"sequence/{kind}", dict(enumerate(attention_of_one(8, RINGS[kind][0]))))


def test_networks_of_divided_positions_train_as_whole_ones(found):
    compare(found, "sequence/steps", dict(enumerate(trained_over_ring(1))))


def test_mixtures_train_as_one_process_with_all_experts(found):
    out, parameters = trained_mixture("gshard", "global")
    np.testing.assert_allclose(
        np.concatenate([one["mixture/out"] for one in found]), out, rtol=TOLERANCE, atol=TOLERANCE
    )
    compare(found, "mixture", parameters)


def test_a_program_whose_weights_are_split_trains_as_one_process_does(found):
    alone = split_program(1)
    assert alone[0] > alone[-1]
    for one in found:
        np.testing.assert_allclose(one["split"], alone, rtol=TOLERANCE, atol=1e-6)


def test_a_stage_that_is_killed_is_named_and_ends_the_others(tmp_path):
    body = """
from paddle.distributed import fleet
from paddle.distributed.fleet.meta_parallel import LayerDesc, PipelineLayer
strategy = fleet.DistributedStrategy()
strategy.hybrid_configs = {"pp_degree": 2}
strategy.pipeline_configs = {"accumulate_steps": 4, "micro_batch_size": 1}
fleet.init(is_collective=True, strategy=strategy)
calls = []
def second(x):
    calls.append(x)
    if len(calls) == 3:
        print("killed at", time.time(), flush=True)
        os.kill(os.getpid(), 9)
    return x
layers = [LayerDesc(paddle.nn.Linear, 2, 2), second]
network = PipelineLayer(layers, num_stages=2, loss_fn=lambda y, label: (y * label).mean())
network = fleet.distributed_model(network)
network.forward_backward_pipeline((paddle.ones([4, 2]),) * 2)
"""
    done = launched(script_of(tmp_path, body))
    seconds = time.time() - float(done.stdout.split("killed at")[1].split()[0])
    assert done.returncode != 0
    assert "rank 1" in done.stderr
    assert seconds < 4

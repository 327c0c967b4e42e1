"""Some steps of each way to divide a training; `fifty_steps` takes fifty of all."""

from __future__ import annotations

import numpy as np
import pytest

from tests.distributed.as_one_process import (
    NETWORKS,
    TOLERANCE,
    WAYS,
    difference,
    fleet_trained,
    is_same,
    ranks_of,
    train,
)
from twinoar.runtime.collective import run_ranks

STEPS = 4


@pytest.fixture(scope="module")
def alone():
    return train("mlp", None, STEPS)


@pytest.mark.parametrize("way", WAYS)
def test_ranks_come_to_the_parameters_of_one_process_and_again_to_the_same(way, alone):
    found = ranks_of("mlp", WAYS[way], STEPS)
    assert difference([f.parameters for f in found], alone.parameters) < TOLERANCE
    assert is_same(found, ranks_of("mlp", WAYS[way], STEPS))


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("lenet", "DataParallel 2"),
        ("lenet", "group_sharded os_g"),
        ("transformer", "DataParallel 2"),
        ("transformer", "group_sharded os"),
        ("transformer", "pipeline 4"),
        ("lenet", "pipeline 2 x data 2"),
    ],
)
def test_other_networks_do_so_too(name, way):
    found = ranks_of(name, WAYS[way], STEPS)
    alone = train(name, None, STEPS, WAYS[way].parts(NETWORKS[name]))
    assert difference([f.parameters for f in found], alone.parameters) < TOLERANCE


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("ranks", [2, 4])
def test_layers_of_fleet_compute_what_one_process_does(ranks):
    expected = fleet_trained(STEPS, 1)
    found = run_ranks(ranks, fleet_trained, STEPS, ranks)
    assert difference(found, expected) < TOLERANCE


@pytest.mark.parametrize(
    ("way", "parts"),
    [
        ("DataParallel 4", 1),
        ("group_sharded os", 2),
        ("group_sharded p_g_os", 2),
        ("mesh sharded 1", 2),
        ("mesh sharded 2 of 4", 4),
        ("mesh sharded 3 of 4", 4),
        ("mesh hybrid 2x2, sharded 3", 4),
        ("pipeline 2", 2),
    ],
)
def test_what_the_optimizer_remembers_is_divided(way, parts):
    """Of LeNet, half of whose elements are one weight: some ranks have more than others."""
    found, alone = ranks_of("lenet", WAYS[way], 1), train("lenet", None, 1)
    assert alone.moments == 2 * sum(x.nbytes for x in alone.parameters)
    assert max(f.moments for f in found) >= alone.moments / parts
    if parts == 1:
        assert [f.moments for f in found] == [alone.moments] * 4
    elif way.startswith(("mesh", "group_sharded p")):  # small ones that cannot be cut stay whole
        assert max(f.moments for f in found) < 1.1 * alone.moments / parts
    else:
        assert sum(f.moments for f in found) == alone.moments


def test_a_parameter_that_no_rank_has_and_one_that_is_nan_are_differences():
    one, nan = np.ones(2), np.array([1.0, np.nan])
    assert difference([[one, None], [None, one]], [one, one]) == 0.0
    assert difference([[one, None], [one, None]], [one, one]) == np.inf
    assert difference([[nan]], [one]) == np.inf

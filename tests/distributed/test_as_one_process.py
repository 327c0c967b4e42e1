"""Some steps of each way to divide a training; `as_one_process --all` takes fifty of all."""

from __future__ import annotations

import pytest

from tests.distributed.as_one_process import (
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
    assert max(difference(f, alone) for f in found) < TOLERANCE
    assert is_same(found[0], ranks_of("mlp", WAYS[way], STEPS)[0])


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("lenet", "DataParallel 2"),
        ("lenet", "group_sharded os_g"),
        ("transformer", "DataParallel 2"),
        ("transformer", "group_sharded os"),
    ],
)
def test_other_networks_do_so_too(name, way):
    found = ranks_of(name, WAYS[way], STEPS)
    assert max(difference(f, train(name, None, STEPS)) for f in found) < TOLERANCE


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("ranks", [2, 4])
def test_layers_of_fleet_compute_what_one_process_does(ranks):
    expected = fleet_trained(STEPS, 1)
    for found in run_ranks(ranks, fleet_trained, STEPS, ranks):
        assert difference(found, expected) < TOLERANCE

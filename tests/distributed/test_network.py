"""What collectives cost: said, measured, kept in a file, and agreed on by all ranks."""

from __future__ import annotations

import json

import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar import config
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.dividing import Divided, _choice
from twinoar.distributed.auto_parallel.machine import device_of_mesh, grid_of
from twinoar.distributed.auto_parallel.measuring import measure_network
from twinoar.distributed.auto_parallel.moving import Grid
from twinoar.distributed.auto_parallel.network import KINDS, Link, Network
from twinoar.distributed.auto_parallel.prices import FIXED, MeasuredPrices
from twinoar.errors import ArgumentError, FileError
from twinoar.runtime.collective import run_ranks

SLOW = Network.parse("1ms,1Gbit/s")


@pytest.mark.parametrize(
    ("text", "latency", "bandwidth"),
    [
        ("1ms,1Gbit/s", 1e-3, 1.25e8),
        ("25us, 2.9GB/s", 25e-6, 2.9e9),
        ("500ns,100MB/s", 5e-7, 1e8),
        ("0.1s,8kbit/s", 0.1, 1e3),
    ],
)
def test_a_link_is_read_as_it_is_written(text, latency, bandwidth):
    found = Network.parse(text).between
    assert (found.latency, found.bandwidth) == pytest.approx((latency, bandwidth))


@pytest.mark.parametrize("text", ["", "1ms", "1ms,1", "x1ms,1GB/s", "0x1us,1GB/s", "1us,0GB/s"])
def test_what_is_no_link_is_told(text):
    with pytest.raises(ArgumentError, match="neither the file of a network"):
        Network.parse(text)


def test_a_ring_of_large_messages_is_bound_by_the_wire():
    seconds = SLOW.seconds("all_reduce", 1e9, 4)
    assert seconds == pytest.approx(2 * 3 / 4 * 1e9 / 1.25e8, rel=0.01)


def test_small_messages_take_latencies_by_rounds():
    assert SLOW.seconds("all_reduce", 4, 1024) == pytest.approx(10e-3, rel=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_one_rank_waits_for_nobody_and_more_bytes_take_longer(kind):
    assert SLOW.seconds(kind, 1e6, 1) == 0
    times = [SLOW.seconds(kind, n, 4) for n in (0, 10, 1e4, 1e7)]
    assert times == sorted(times) and times[0] < times[-1]


def test_ranks_of_one_machine_use_what_is_within_it():
    network = Network.parse("8x1us,100GB/s;10us,1GB/s")
    within = network.seconds("all_gather", 1e8, 8)
    across = network.seconds("all_gather", 1e8, 8, stride=8)
    assert within < across / 50
    both = network.seconds("all_reduce", 1e8, 64)
    assert within < both < network.seconds("all_reduce", 1e8, 8, stride=8)


def test_what_was_measured_goes_before_the_links():
    points = {2: ((100.0, 1.0), (200.0, 3.0))}
    network = Network(Link(1, 1), Link(1, 1), 1, {"all_gather": points})
    assert [network.seconds("all_gather", n, 2) for n in (1, 150, 300)] == [1.0, 2.0, 5.0]
    assert network.seconds("all_gather", 150, 4) > 2.0


def test_ranks_measure_one_network_and_its_file_is_the_same(tmp_path):
    found = run_ranks(4, lambda: measure_network([8, 4096, 65536], 2))
    assert len({network.to_text() for network in found}) == 1
    assert set(found[0].measured) == set(KINDS)
    assert all(set(points) == {2, 4} for points in found[0].measured.values())
    found[0].write(tmp_path / "network.json")
    assert Network.read(tmp_path / "network.json") == found[0]
    assert Network.parse(str(tmp_path / "network.json")) == found[0]


def test_one_process_has_nothing_to_measure():
    with pytest.raises(ArgumentError, match="no network to measure"):
        measure_network()


@pytest.mark.parametrize(
    "damage",
    [
        lambda x: {**x, "format": "other"},
        lambda x: {**x, "version": 99},
        lambda x: {**x, "measured": {"all_reduce": {"2": [[1, -1]]}}},
        lambda x: {**x, "measured": {"prayer": {}}},
        lambda x: {k: v for k, v in x.items() if k != "within"},
        lambda x: [x],
    ],
)
def test_a_damaged_file_is_told(tmp_path, damage):
    file = tmp_path / "network.json"
    file.write_text(json.dumps(damage(json.loads(SLOW.to_text()))))
    with pytest.raises(FileError, match="does not read as a network"):
        Network.read(file)
    with pytest.raises(FileError, match="No such file"):
        Network.read(tmp_path / "nothing")


def chosen(prices, inner, outer):
    """How [outer,inner] by [inner,outer] is divided, where both are cut along what is summed."""
    specs = [Spec(shape, paddle.float32) for shape in ((outer, inner), (inner, outer))]
    result = Spec((outer, outer), paddle.float32)
    operands = [Divided(None, specs[0], (1,)), Divided(None, specs[1], (0,))]
    attrs = {"transpose_x": False, "transpose_y": False}
    grid = Grid((2,), (0,), (-1,), prices)
    return _choice(registry["matmul"], specs, attrs, [result], operands, grid)


def test_a_network_that_was_measured_decides():
    """Where messages are slow, one large result is better than two small operands."""
    parts = [(1,), (0,)], [("sum",)]
    assert chosen(MeasuredPrices(Network.parse("1s,100GB/s")), 8, 512) == parts
    assert chosen(FIXED, 8, 512) != parts
    assert chosen(FIXED, 512, 8) == chosen(MeasuredPrices(Network.parse("1us,1GB/s")), 512, 8)


def test_all_ranks_have_the_prices_of_the_first(tmp_path):
    file = tmp_path / "network.json"
    SLOW.write(file)

    def job():
        mesh = dist.ProcessMesh([0, 1, 2], dim_names=["x"])
        prices = grid_of(device_of_mesh(mesh)).prices
        return prices.travel("all_reduce", 1e6, 3, 1)

    with config.override(network=file):
        found = run_ranks(3, job)
    assert found == [SLOW.seconds("all_reduce", 1e6, 3)] * 3
    with config.override(network=tmp_path / "none"), pytest.raises(FileError):
        run_ranks(3, job)

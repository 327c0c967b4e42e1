"""What a plan says of a step is what ranks do; and what it says of thousands follows."""

from __future__ import annotations

import json

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar import nn, static
from twinoar.cli import main
from twinoar.distributed.planning import Network, Speeds, Split, plan, splits_of, step_of
from twinoar.distributed.planning.price import Pricer
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.runtime.collective import run_ranks
from twinoar.static import InputSpec

NETWORK = "25us,25Gbit/s"
SPEEDS = Speeds(1e10, 1e11)
FLOAT, PARAMETERS = 4, (64 * 128 + 128, 128 * 16 + 16)
ALL = sum(PARAMETERS) * FLOAT
INPUTS = [InputSpec([None, 64], "float32", "x"), InputSpec([None, 16], "float32", "y")]


def perceptron():
    return nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 16))


def loss_of(network):
    return lambda x, y: ((network(x) - y) ** 2).mean()


def priced(*splits, batch=64, **more):
    """The rows of splits of a perceptron, in their order."""
    ranks = splits[0].ranks
    rows = plan(loss_of(perceptron()), ranks, NETWORK, batch, INPUTS, splits, speeds=SPEEDS, **more)
    return [next(r for r in rows if r.split == s) for s in splits]


def test_data_parallel_ranks_send_their_gradients():
    (row,) = priced(Split(4))
    assert row.memory.parameters == row.memory.gradients == ALL
    assert 2 * ALL < row.memory.optimizer < 2 * ALL + 100  # and the powers of the betas
    assert row.travelled == pytest.approx(2 * 3 / 4 * ALL, rel=0.01)
    assert row.collectives == 4  # a parameter each


def test_one_rank_sends_nothing():
    (row,) = priced(Split(1))
    assert (row.network, row.travelled, row.collectives) == (0, 0, 0)
    assert row.seconds == row.compute > 0


@pytest.mark.parametrize(
    ("stage", "divided"), [(1, ["optimizer"]), (3, ["optimizer", "parameters"])]
)
def test_what_ranks_share_takes_less_memory(stage, divided):
    whole, row = priced(Split(4), Split(4, stage=stage))
    for name in divided:
        assert getattr(row.memory, name) == pytest.approx(getattr(whole.memory, name) / 4, rel=0.01)


def test_tensor_parallel_weights_are_cut_by_columns_and_then_by_rows():
    """As those of Megatron-LM: the sum behind the second layer is all that travels."""
    (row,) = priced(Split(1, 4))
    expected = (64 * 128 + 128 + 128 * 16) / 4 + 16
    assert row.memory.parameters == expected * FLOAT
    assert row.collectives == 1
    assert row.travelled == 2 * 3 / 4 * 64 * 16 * FLOAT


def test_a_pipeline_idles_while_it_fills():
    """Stages of one micro-batch each after the other: of 2 stages and 8 of them, one in nine."""
    even = nn.Sequential(*(nn.Linear(64, 64) for _ in range(4)))
    for pieces in (1, 8):
        (row,) = plan(
            lambda x: even(x).mean(),
            2,
            "1ns,1000GB/s",
            4096,
            INPUTS[:1],
            [Split(1, 1, 2)],
            speeds=SPEEDS,
            microbatches=pieces,
            optimizer="sgd",
        )
        assert row.idle / row.seconds == pytest.approx(1 / (pieces + 1), abs=0.03)


def test_stages_of_a_pipeline_have_their_own_weights():
    whole, halves = priced(Split(2)), priced(Split(1, 1, 2))
    assert ALL / 2 < halves[0].memory.parameters < ALL
    assert halves[0].memory.optimizer <= 2.01 * halves[0].memory.parameters
    assert halves[0].memory.total < whole[0].memory.total


def test_gradients_in_buckets_wait_once():
    alone = priced(Split(4))[0]
    together = priced(Split(4), bucket_bytes=25 << 20)[0]
    assert (alone.collectives, together.collectives) == (4, 1)
    assert together.network < alone.network
    assert together.travelled == alone.travelled


def test_a_plan_of_a_mesh_moves_what_the_mesh_moves():
    """The collectives of the plan's Program beside those of ranks that train."""
    x, y = np.ones([512, 64], "float32"), np.ones([512, 16], "float32")

    def job():
        mesh = dist.ProcessMesh([0, 1], dim_names=["dp"])
        network = perceptron()
        for p in network.parameters():
            p.set_value(np.full(p.shape, 0.01, "float32"))
        dist.shard_layer(network, mesh)
        adam = paddle.optimizer.Adam(1e-3, parameters=network.parameters())

        @paddle.jit.to_static
        def step(x, y):
            loss = loss_of(network)(x, y)
            loss.backward()
            adam.step()
            adam.clear_grad()
            return loss

        step(*(dist.shard_tensor(v, mesh, [dist.Shard(0)]) for v in (x, y)))
        return step.explain().splitlines()

    found = run_ranks(2, job)[0]
    lines = [line.split() for line in found if line.endswith("bytes travel")]
    assert {line[0] for line in lines} == {"all_reduce_sum"}
    gradients = [int(line[1]) for line in lines if int(line[1]) > FLOAT]  # and the loss
    row = priced(Split(2), batch=512)[0]
    assert len(gradients) == row.collectives == 4
    assert sum(gradients) == row.travelled == ALL


def test_thousands_of_ranks_are_planned():
    rows = plan(loss_of(perceptron()), 4096, NETWORK, 8192, INPUTS, speeds=SPEEDS)
    assert {row.split.ranks for row in rows} == {4096}
    assert {"data", "sharded 1", "data + tensor", "data + pipeline"} <= {r.split.name for r in rows}
    assert [row.seconds for row in rows] == sorted(row.seconds for row in rows)
    assert all(row.memory.total > 0 and row.travelled > 0 for row in rows)


def test_a_better_network_waits_less_and_computes_as_long():
    slow, fast = (
        plan(loss_of(perceptron()), 64, text, 64, INPUTS, [Split(64)], speeds=SPEEDS)[0]
        for text in ("1ms,1Gbit/s", "5us,100Gbit/s")
    )
    assert fast.network < slow.network / 20
    assert fast.compute == slow.compute


@pytest.fixture
def program():
    """A static Program without an update."""
    made = static.Program()
    with static.program_guard(made, static.Program()):
        given = [static.data(s.name, s.shape, s.dtype) for s in INPUTS]
        made.main.outputs = [loss_of(perceptron())(*given)]
    return made


def trained(program):
    with static.program_guard(program, static.Program()):
        paddle.optimizer.Adam(1e-3).minimize(program.main.outputs[0])
    return program


def test_models_in_any_form_have_one_price(program, tmp_path):
    network = perceptron()
    network.eval()
    paddle.jit.save(network, str(tmp_path / "model"), INPUTS[:1])
    options = {"splits": [Split(4)], "speeds": SPEEDS}
    function = plan(loss_of(perceptron()), 4, NETWORK, 64, INPUTS, **options)
    for model in (program, trained(program.clone())):
        (row,) = plan(model, 4, NETWORK, 64, **options)
        assert row.memory == function[0].memory
        assert row.travelled == function[0].travelled
        assert row.compute == pytest.approx(function[0].compute, rel=0.02)
    (saved,) = plan(str(tmp_path / "model"), 4, NETWORK, 64, **options)
    assert saved.memory.parameters == ALL
    assert saved.collectives == 3  # of a mean, the gradient of the last bias is a constant


def test_the_program_that_is_planned_is_not_changed(program):
    before = str(program)
    plan(program, 4, NETWORK, 64, splits=[Split(4)], speeds=SPEEDS)
    assert str(program) == before


def test_a_measured_step_scales_what_is_computed():
    given = {"splits": [Split(2)], "speeds": SPEEDS}
    (floor,) = plan(loss_of(perceptron()), 2, NETWORK, 64, INPUTS, **given)
    (told,) = plan(loss_of(perceptron()), 2, NETWORK, 64, INPUTS, step_seconds=1.0, **given)
    assert told.compute == pytest.approx(1.0, rel=0.05)  # what a rank does of 64 is a step of 32
    assert told.network == floor.network
    (timed,) = plan(loss_of(perceptron()), 2, NETWORK, 64, INPUTS, measured=True, **given)
    assert timed.compute > 0


def test_activations_are_about_what_a_compiled_step_keeps():
    """Beside the arena of the compiled Program; a plan cannot know what the compiler joins."""
    blocks = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.GELU()) for _ in range(6)))
    step = step_of(lambda x: blocks(x).mean(), INPUTS[:1], 512, "sgd")
    row = Pricer(step, Network.parse(NETWORK), SPEEDS).row(Split())
    kept = 6 * 512 * 64 * FLOAT  # what each layer reads again
    assert kept <= row.memory.activations <= 2.5 * kept


def test_splits_are_those_that_ranks_and_batch_allow():
    assert {(s.data, s.tensor, s.pipeline) for s in splits_of(8, 2)} == {
        (2, 1, 4), (2, 2, 2), (2, 4, 1), (1, 1, 8), (1, 8, 1), (1, 2, 4), (1, 4, 2),
    }  # fmt: skip
    assert splits_of(3, 8)[0] == Split(3)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"ranks": 0}, ArgumentError, "at least one rank"),
        ({"batch": 0}, ArgumentError, "at least one sample"),
        ({"splits": [Split(2)]}, ArgumentError, "has 2 ranks, expected 4"),
        ({"splits": [Split(4)], "batch": 2}, ArgumentError, "cannot share a batch"),
        ({"splits": [Split(4, stage=7)]}, ArgumentError, "split so"),
        ({"network": "fast"}, ArgumentError, "neither the file"),
        ({"model": 3}, TypeMismatchError, "expected a Program"),
        ({"model": "nowhere"}, FileError, "nowhere"),
        ({"optimizer": "magic"}, ArgumentError, "no rule is called"),
        ({"inputs": [InputSpec([None, -1, 64], "float32")]}, ArgumentError, "is open"),
        ({"inputs": [3]}, TypeMismatchError, "expected InputSpecs"),
    ],
)
def test_what_cannot_be_planned_is_told(change, error, text):
    network = perceptron()
    given = {
        "model": lambda x: network(x).mean(), "ranks": 4, "network": NETWORK, "batch": 64,
        "inputs": INPUTS[:1], "speeds": SPEEDS,
    }  # fmt: skip
    with pytest.raises(error, match=text):
        plan(**{**given, **change})


SCRIPT = """
import paddle
from paddle import nn
network = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 16))
def loss(x, y):
    return ((network(x) - y) ** 2).mean()
"""


@pytest.fixture
def command(tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT)
    specs = ["-i", "f32[N,64]", "-i", "f32[N,16]", "--speeds", "10GB/s,100GFLOP/s"]
    return ["plan", f"{tmp_path / 'net.py'}:loss", *specs, "--ranks", "4096", "--network", NETWORK]


def test_the_command_prints_a_table_and_json(command, capsys):
    assert main([*command, "--split", "4096", "--split", "512x4x2:1"]) == 0
    head, first, *rest = capsys.readouterr().out.splitlines()
    assert head.startswith("split") and first.startswith("data")
    assert rest[-1] == "compute: the roofline of a rank"
    assert main([*command, "--split", "4096:1", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["split"]["data"] == 4096 and row["split"]["stage"] == 1
    assert row["memory"]["total"] > 0 and row["seconds"] == row["compute"] + row["network"]


@pytest.mark.parametrize("more", [["--split", "4096xx"], ["--size", "N1"], ["--speeds", "fast"]])
def test_the_command_names_what_it_cannot_read(command, more, capsys):
    assert main([*command, *more]) == 1
    assert "twinoar: " in capsys.readouterr().err


def test_the_command_needs_a_model_ranks_and_a_network(capsys):
    assert main(["plan", "--ranks", "8"]) == 1
    assert "a plan needs model and network" in capsys.readouterr().err
    assert main(["plan", "--measure", "file.json"]) == 1
    assert "no network to measure" in capsys.readouterr().err

"""Layers that processes would divide compute what the plain layers do."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.distributed import fleet, split
from twinoar.distributed.fleet import tensor_parallel
from twinoar.distributed.fleet.meta_parallel import (
    ColumnParallelLinear,
    LayerDesc,
    ParallelCrossEntropy,
    PipelineLayer,
    RNGStatesTracker,
    RowParallelLinear,
    SharedLayerDesc,
    VocabParallelEmbedding,
    get_rng_state_tracker,
    model_parallel_random_seed,
)
from twinoar.distributed.fleet.utils import recompute
from twinoar.distributed.fleet.utils.sequence_parallel_utils import RowSequenceParallelLinear
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError


@pytest.mark.parametrize(
    ("divided", "plain", "x"),
    [
        (
            lambda: ColumnParallelLinear(3, 4, has_bias=True),
            lambda: paddle.nn.Linear(3, 4),
            [[1.0, 2.0, 3.0]],
        ),
        (lambda: RowParallelLinear(3, 4), lambda: paddle.nn.Linear(3, 4), [[1.0, 2.0, 3.0]]),
        (
            lambda: ColumnParallelLinear(3, 4, has_bias=False),
            lambda: paddle.nn.Linear(3, 4, bias_attr=False),
            [[1.0, 2.0, 3.0]],
        ),
    ],
)
def test_they_begin_as_the_plain_layers_and_compute_the_same(divided, plain, x):
    layers = []
    for make in (divided, plain):
        paddle.seed(7)
        layers.append(make())
    ours, expected = layers
    assert list(ours.state_dict()) == list(expected.state_dict())
    np.testing.assert_array_equal(ours.weight.numpy(), expected.weight.numpy())
    x = paddle.to_tensor(x)
    np.testing.assert_array_equal(ours(x).numpy(), expected(x).numpy())


def test_an_embedding_takes_rows():
    layer = VocabParallelEmbedding(5, 2)
    x = paddle.to_tensor([[0, 4]])
    np.testing.assert_array_equal(layer(x).numpy()[0], layer.weight.numpy()[[0, 4]])


@pytest.mark.parametrize("shape", [[2, 1], [2]])
def test_cross_entropy_of_divided_classes_is_that_of_all(shape):
    logits = paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    label = paddle.to_tensor([2, 0]).reshape(shape)
    found = ParallelCrossEntropy()(logits, label)
    assert found.shape == [2, 1]
    np.testing.assert_allclose(found.numpy(), 0.40760595, rtol=1e-6)


def test_states_of_random_numbers_go_on_where_they_were_left():
    def drawn(names):
        tracker = RNGStatesTracker()
        tracker.add("a", 1)
        tracker.add("b", 2)
        found = {"a": [], "b": []}
        for name in names:
            with tracker.rng_state(name):
                found[name].append(paddle.rand([3]).tolist())
        return found

    paddle.seed(3)
    expected = paddle.rand([2]).tolist()
    paddle.seed(3)
    assert drawn("abab") == drawn("aabb")
    assert paddle.rand([2]).tolist() == expected
    with pytest.raises(UnknownNameError), RNGStatesTracker().rng_state("c"):
        pass
    with pytest.raises(ArgumentError, match="exists"):
        tracker = RNGStatesTracker()
        tracker.add("a", 1)
        tracker.add("b", 1)


def test_seeding_for_model_parallelism_is_repeatable():
    def drawn():
        model_parallel_random_seed(5)
        with get_rng_state_tracker().rng_state():
            inside = paddle.rand([2]).tolist()
        return inside, paddle.rand([2]).tolist()

    first = drawn()
    assert drawn() == first
    assert first[0] != first[1]


@pytest.mark.parametrize("operation", ["linear", "embedding"])
def test_split_makes_a_layer_in_a_program(operation):
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [2, 5], "float32" if operation == "linear" else "int64")
            y = split(x, (5, 3), operation)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = {"x": np.ones((2, 5), x.dtype.name)}
        (found,) = executor.run(main, feed=feed, fetch_list=[y])
    finally:
        paddle.disable_static()
    assert found.shape == ((2, 3) if operation == "linear" else (2, 5, 3))


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"operation": "linear"}, UnsupportedError, "static Program"),
        ({"operation": "conv"}, ArgumentError, "operation"),
        ({"operation": "linear", "axis": 2}, ArgumentError, "axis"),
    ],
)
def test_split_says_what_it_does_not_do(given, error, text):
    with pytest.raises(error, match=text):
        split(paddle.ones([2, 5]), (5, 3), **given)


def network(recompute_interval=0):
    paddle.seed(11)
    return PipelineLayer(
        [
            SharedLayerDesc("table", paddle.nn.Embedding, None, "weight", 7, 4),
            LayerDesc(paddle.nn.Linear, 4, 4),
            paddle.tanh,
            SharedLayerDesc(
                "table",
                paddle.nn.Embedding,
                lambda layer, x: paddle.matmul(x, layer.weight, transpose_y=True),
                "weight",
                7,
                4,
            ),
        ],
        num_stages=1,
        loss_fn=lambda y, label: paddle.nn.functional.cross_entropy(y, label),
        recompute_interval=recompute_interval,
    )


def test_layers_in_turn_are_one_network_whose_shared_weight_is_one():
    found = network()
    assert list(found.state_dict()) == ["shared_layers.table.weight", "1.weight", "1.bias"]
    assert found(paddle.to_tensor([0, 1, 2])).shape == [3, 7]


def trained(recompute_interval, accumulate_steps):
    strategy = fleet.DistributedStrategy()
    strategy.pipeline_configs = {
        "accumulate_steps": accumulate_steps,
        "micro_batch_size": 4 // accumulate_steps,
    }
    fleet.init(is_collective=True, strategy=strategy)
    model = fleet.distributed_model(network(recompute_interval))
    optimizer = paddle.optimizer.SGD(0.5, parameters=model.parameters())
    data = (paddle.to_tensor([0, 1, 2, 3]), paddle.to_tensor([3, 2, 1, 0]))
    losses = [model.train_batch(data, optimizer).item() for _ in range(3)]
    return [*losses, model.eval_batch(data).item()]


@pytest.mark.filterwarnings("ignore:there is one process")
@pytest.mark.parametrize(("recompute_interval", "accumulate_steps"), [(1, 1), (0, 2), (2, 4)])
def test_a_batch_in_parts_or_computed_twice_trains_as_a_whole_one(
    recompute_interval, accumulate_steps
):
    expected = trained(0, 1)
    assert expected[0] > expected[-1]
    found = trained(recompute_interval, accumulate_steps)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_more_stages_than_processes_are_refused():
    with pytest.raises(ArgumentError, match="num_stages is 2, there are 1 processes"):
        PipelineLayer([paddle.tanh], num_stages=2)


def test_layers_for_divided_positions_are_those_of_one_process():
    layer = RowSequenceParallelLinear(2, 3)
    assert layer(paddle.ones([4, 2])).shape == [4, 3]


def test_what_is_computed_twice_drops_the_same_elements():
    model_parallel_random_seed(5)
    x = paddle.to_tensor(np.ones((4, 8), "float32"), stop_gradient=False)

    def dropped(x):
        return tensor_parallel.dropout(x * 2, 0.5, rng_name="model_parallel_rng")

    y = recompute(dropped, x)
    tensor_parallel.dropout(x.detach(), 0.5, rng_name="model_parallel_rng")  # draws on
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())

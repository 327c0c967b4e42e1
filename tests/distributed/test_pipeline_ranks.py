"""Pipelines of several stages: in lock step, the parameters of one process."""

import itertools
import weakref

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.pipelines import MICROS, MODELS, ROWS, begun, trained
from twinoar import nn
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.fleet.meta_parallel import (
    ColumnParallelLinear,
    LayerDesc,
    NoPipelineParallel,
    PipelineLayer,
    RowParallelLinear,
)
from twinoar.distributed.fleet.stages import cuts_of
from twinoar.distributed.group import communicator_of
from twinoar.errors import ArgumentError, DistributedError, TypeMismatchError, UnsupportedError
from twinoar.runtime.collective import run_ranks

TOLERANCE = 1e-5


def merged(found):
    """The parameters of all stages, by name."""
    whole = {}
    for _, own in found:
        for name, value in own.items():
            before = whole.setdefault(name, value)
            np.testing.assert_allclose(value, before, rtol=TOLERANCE, atol=TOLERANCE)
    return whole


def compare(found, alone, losses=True):
    expected, parameters = alone
    whole = merged(found)
    assert set(whole) == set(parameters)
    for own, _ in found if losses else ():  # others have other data
        np.testing.assert_allclose(own, expected, rtol=TOLERANCE)
    for name, value in parameters.items():
        np.testing.assert_allclose(whole[name], value, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("ranks", [2, 4])
def test_fifty_steps_on_stages_are_those_of_one_process(model, ranks):
    found = run_ranks(ranks, lambda: trained(model, ranks, steps=50))
    compare(found, trained(model, 1, steps=50))


@pytest.mark.parametrize("mode", ["FThenB", "ZBH1", "VPP"])
@pytest.mark.parametrize("model", MODELS)
def test_every_schedule_gives_the_same(model, mode):
    chunks = 2 if mode == "VPP" else 1
    found = run_ranks(2, lambda: trained(model, 2, mode=mode, chunks=chunks, steps=5))
    compare(found, trained(model, 1, steps=5))


@pytest.mark.parametrize("option", ["recompute", "clip", "scaler", "schedule"])
def test_what_one_process_can_do_in_a_step_stages_can(option):
    found = run_ranks(2, lambda: trained("transformer", 2, option=option, steps=5))
    compare(found, trained("transformer", 1, option=option, steps=5))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("mode", ["1F1B", "ZBH1"])
@pytest.mark.parametrize("option", [None, "clip"])
def test_pipelines_beside_each_other_train_on_all_data(model, mode, option):
    def run():
        return trained(model, 2, mode, option=option, steps=4, dp_degree=2)

    layers = trained(model, 1, mode, option=option, steps=4, replicas=2)
    compare(run_ranks(4, run), layers, losses=False)


@pytest.mark.parametrize("option", [None, "clip"])
def test_pipelines_whose_moments_are_shared_train_the_same(option):
    def run():
        return trained("transformer", 2, option=option, steps=4, sharding_degree=2)

    compare(run_ranks(4, run), trained("transformer", 1, option=option, steps=4))


@pytest.mark.parametrize("mode", ["ZBH1", "VPP"])
def test_what_is_computed_twice_has_its_gradients_once(mode):
    chunks = 2 if mode == "VPP" else 1
    found = run_ranks(2, lambda: trained("transformer", 2, mode, chunks, "recompute", steps=3))
    compare(found, trained("transformer", 1, steps=3))


def test_evaluation_goes_through_chunks_too():
    def run():
        layers = [LayerDesc(nn.Linear, 3, 3), paddle.tanh] * 2
        network = stages(layers, num_virtual_pipeline_stages=2)
        x = paddle.ones([8, 3])
        loss = network.eval_batch((x, x), compute_loss=True).item()
        return loss, network.forward_backward_pipeline((x, x)).item()

    for evaluated, trained_on in run_ranks(2, run):
        assert evaluated == pytest.approx(trained_on)


class Halves(paddle.nn.Layer):
    """Two linear layers that tensor parallelism divides."""

    def __init__(self, seed):
        super().__init__()
        self.up = ColumnParallelLinear(6, 8, has_bias=True, gather_output=False)
        self.down = RowParallelLinear(8, 6, input_is_parallel=True)
        numbers = np.random.default_rng(seed)
        rank, size = self.up.rank, self.up.world_size
        for weight, shape, axis in ((self.up.weight, (6, 8), 1), (self.down.weight, (8, 6), 0)):
            whole = numbers.standard_normal(shape).astype("float32") * 0.5
            weight.set_value(np.split(whole, size, axis)[rank])

    def forward(self, x):
        return x + self.down(paddle.tanh(self.up(x)))


def divided(ranks, stages, steps=4):
    groups, strategy = begun(pp_degree=stages, mp_degree=ranks // stages)
    layers = [LayerDesc(Halves, seed) for seed in range(4)]
    network = PipelineLayer(layers, stages, loss_fn=lambda y, label: ((y - label) ** 2).mean())
    clip = paddle.nn.ClipGradByGlobalNorm(0.1)
    rule = paddle.optimizer.Momentum(0.1, parameters=network.parameters(), grad_clip=clip)
    whole = NoPipelineParallel(network, strategy)
    if ranks > 1:
        whole, rule = divided_model(network, groups, strategy), divided_optimizer(rule, groups)
    losses = []
    for step in range(steps):
        x = np.random.default_rng(step).standard_normal((8, 6)).astype("float32")
        data = paddle.to_tensor(x), paddle.to_tensor(np.sin(x))
        losses.append(whole.train_batch(data, rule).item())
    found = {}
    for name, p in network.named_parameters():
        parts = [p.numpy()]
        if p.is_distributed if hasattr(p, "is_distributed") else False:
            axis = 1 if name.endswith("up.weight") else 0
            there = communicator_of(groups.get_model_parallel_group())
            parts = list(there.all_gather(p.numpy()))
            found[name] = np.concatenate(parts, axis)
        else:
            found[name] = parts[0]
    return losses, found


def test_stages_of_divided_layers_clip_by_the_norm_of_all():
    compare(run_ranks(4, lambda: divided(4, 2)), divided(1, 1))


def stages(layers, loss=None, micros=MICROS, rows=ROWS, mode="1F1B", **options):
    """A network of two stages, as this rank has it."""
    groups, strategy = begun(micros, rows, mode, pp_degree=2)
    network = PipelineLayer(layers, num_stages=2, loss_fn=loss or mean_of, **options)
    return divided_model(network, groups, strategy)


def mean_of(y, label):
    return (y * label).mean()


@pytest.mark.parametrize(("mode", "most"), [("1F1B", [2, 1]), ("ZBH1", [2, 2]), ("FThenB", [6, 6])])
def test_as_many_activations_are_alive_as_the_schedule_says(mode, most):
    def run():
        alive, highest = weakref.WeakSet(), [0]

        class Kept:
            pass

        def activation(x):
            y = paddle.exp(x)  # whose gradient needs its result
            token = Kept()
            weakref.finalize(y._data, lambda: alive.discard(token))
            tokens[id(token)] = token
            weakref.finalize(y._data, tokens.pop, id(token), None)
            alive.add(token)
            highest[0] = max(highest[0], len(alive))
            return y

        tokens = {}
        layers = [LayerDesc(nn.Linear, 3, 3), activation] * 2
        network = stages(layers, micros=6, rows=1, mode=mode)
        x = paddle.ones([6, 3])
        network.forward_backward_pipeline((x, x))
        return highest[0]

    assert run_ranks(2, run) == most


def test_stages_pass_tuples_and_dicts_on_with_what_wants_no_gradient():
    def first(x):
        return {"h": x * 2, "mask": paddle.to_tensor([1, 0, 1])}

    def second(given):
        assert given["mask"].stop_gradient
        return given["h"] * given["mask"].astype("float32"), given["h"]

    def third(pair):
        return pair[0] + pair[1]

    def run():
        network = stages([LayerDesc(nn.Linear, 3, 3), first, second, third], seg_method=[0, 2])
        x = paddle.ones([8, 3])
        loss = network.forward_backward_pipeline((x, x))
        own = network.parameters()
        return loss.item(), own[0].grad.numpy() if own else None

    found = run_ranks(2, run)
    assert found[0][0] == found[1][0]
    np.testing.assert_allclose(found[0][1], np.tile([[4, 2, 4]], (3, 1)) / 3, rtol=1e-6)


def test_evaluation_gives_the_loss_or_what_the_stage_returns():
    def run():
        network = stages([LayerDesc(nn.Linear, 3, 3), paddle.tanh, paddle.exp], seg_method=[0, 1])
        x = paddle.ones([8, 3])
        outputs = network.eval_batch((x, x))
        loss = network.eval_batch((x, x), compute_loss=True)
        parts = network.forward_backward_pipeline((x, x), return_micro_batch_loss=True)
        return [y.shape for y in outputs], loss.item(), parts.sum().item(), parts.shape

    for shapes, loss, total, parts in run_ranks(2, run):
        assert shapes == [[2, 3]] * 4
        assert total == pytest.approx(loss)
        assert parts == [4]


def test_stages_say_what_they_do_as_paddle_does():
    """As Paddle 3.3.1 prints it, of stage 0."""

    def run():
        network = stages([paddle.tanh, paddle.tanh])
        return network.get_static_scheduler(), network.forward_backward_pipeline(None, None, True)

    assert run_ranks(2, run)[0] == ("f0;f1;b0;f2;b1;f3;b2;b3;",) * 2


def test_an_iterator_gives_the_parts():
    def run():
        network = stages([LayerDesc(nn.Linear, 3, 3), paddle.tanh])
        parts = iter([(paddle.ones([n, 3]),) * 2 for n in (1, 2, 3, 4)])
        return network.forward_backward_pipeline(parts).item()

    first, second = run_ranks(2, run)
    assert first == second


def test_an_overflow_on_one_stage_leaves_the_step_out_on_all():
    def run():
        network = stages([LayerDesc(nn.Linear, 3, 3), LayerDesc(nn.Linear, 3, 3)])
        before = network.parameters()[0].numpy().copy()
        sgd = paddle.optimizer.SGD(0.1, parameters=network.parameters())
        scaler = paddle.amp.GradScaler(init_loss_scaling=2.0)
        x = paddle.ones([8, 3])
        network.forward_backward_pipeline((x, x), scaler)
        if dist.get_rank() == 1:
            network.parameters()[0].grad.set_value(np.full((3, 3), np.inf, "float32"))
        scaler.step(sgd)
        scaler.update()
        return np.array_equal(network.parameters()[0].numpy(), before), scaler._scale.item()

    assert run_ranks(2, run) == [(True, 1.0)] * 2


def test_stages_that_are_made_differently_are_told_on_all():
    def run():
        stages([paddle.tanh, paddle.tanh], micros=2 + dist.get_rank())

    with pytest.raises(DistributedError, match="accumulate_steps is 2 on rank 0, 3 on rank 1"):
        run_ranks(2, run)


def test_a_stage_that_fails_is_named_by_the_others():
    told = []

    def fail(x):
        raise ValueError("no data")

    def run():
        network = stages([LayerDesc(nn.Linear, 3, 3), fail], seg_method=[0, 1])
        try:
            network.forward_backward_pipeline((paddle.ones([8, 3]),) * 2)
        except DistributedError as error:
            told.append(str(error))
            raise

    with pytest.raises(ValueError, match="no data"):
        run_ranks(2, run)
    assert "rank 1 has ended, and rank 0 waits for it in recv from rank 1" in told[0]


@pytest.mark.parametrize(
    ("layers", "options", "error", "text"),
    [
        ([paddle.tanh] * 2, {"mode": "Eager"}, ArgumentError, "schedule_mode"),
        ([paddle.tanh], {}, ArgumentError, "1 layers for 2 stages"),
        ([paddle.tanh] * 4, {"mode": "FThenB", "num_virtual_pipeline_stages": 2}, ArgumentError,
         "VPP"),
        ([paddle.tanh] * 4, {"micros": 3, "num_virtual_pipeline_stages": 2}, ArgumentError,
         "multiple of pp_degree"),
        ([paddle.tanh] * 2, {"use_dualpipev": True}, UnsupportedError, "use_dualpipev"),
    ],
)  # fmt: skip
def test_pipelines_that_cannot_be_are_told(layers, options, error, text):
    with pytest.raises(error, match=text):
        run_ranks(2, lambda: stages(layers, **options))


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (lambda: (paddle.ones([7, 3]),) * 2, ArgumentError, "a batch of 7 rows for 4 parts of 2"),
        (lambda: iter([(paddle.ones([2, 3]),) * 2]), ArgumentError, "1 micro-batches are left"),
    ],
)
def test_batches_of_another_size_are_told(data, error, text):
    def run():
        stages([paddle.tanh, paddle.tanh]).forward_backward_pipeline(data())

    with pytest.raises(error, match=text):
        run_ranks(2, run)


def test_what_has_no_stages_is_told():
    def run():
        groups, strategy = begun(pp_degree=2)
        divided_model(nn.Linear(2, 2), groups, strategy)

    with pytest.raises(TypeMismatchError, match="expected a PipelineLayer, received Linear"):
        run_ranks(2, run)


def test_a_stage_that_returns_no_tensor_is_told():
    def run():
        stages([lambda x: 3, paddle.tanh]).forward_backward_pipeline((paddle.ones([8, 3]),) * 2)

    with pytest.raises(TypeMismatchError, match="a stage of a pipeline returns a int"):
        run_ranks(2, run)


def test_a_checkpoint_of_stages_loads_on_other_numbers_of_them(tmp_path):
    def network(count):
        begun(pp_degree=count)
        layers, loss = MODELS["transformer"]()
        return PipelineLayer(layers, num_stages=count, loss_fn=loss)

    def save():
        whole = network(2)
        for name, p in whole.named_parameters():
            numbers = np.random.default_rng(len(name))
            p.set_value(numbers.standard_normal(p.shape).astype("float32"))
        dist.save_state_dict(whole.state_dict(), str(tmp_path))
        return {name: p.numpy() for name, p in whole.named_parameters()}

    def load(count):
        whole = network(count)
        state = whole.state_dict()
        dist.load_state_dict(state, str(tmp_path))
        whole.set_state_dict(state)
        return {name: p.numpy() for name, p in whole.named_parameters()}

    first, second = run_ranks(2, save)
    for found in (*run_ranks(3, lambda: load(3)), load(1)):
        for name, value in found.items():
            np.testing.assert_array_equal(value, {**first, **second}[name])


@pytest.mark.parametrize(
    ("method", "cuts"),
    [
        ("uniform", [0, 3, 7]),
        ("layer:Linear", [0, 3, 7]),
        ("parameters", [0, 2, 7]),
        ([0, 5], [0, 5, 7]),
        ([0, 2, 7], [0, 2, 7]),
    ],
)
def test_layers_are_cut_where_the_method_says(method, cuts):
    layers = [LayerDesc(nn.Linear, 40, 4), paddle.tanh, LayerDesc(nn.Linear, 4, 4), paddle.tanh]
    layers += [LayerDesc(nn.Linear, 4, 4), paddle.tanh, LayerDesc(nn.Linear, 4, 2)]
    assert cuts_of(layers, 2, method) == cuts


@pytest.mark.parametrize(
    ("layers", "method", "text"),
    [
        (3, "layers", "seg_method is 'layers'"),
        (3, "layer:Linear", "0 layers named 'Linear'"),
        (3, [1, 2], "0 first, rising"),
        (3, [0, 4, 3], "0 first, rising"),
        (1, "uniform", "1 layers for 2 stages"),
    ],
)
def test_cuts_that_cannot_be_are_told(layers, method, text):
    with pytest.raises(ArgumentError, match=text):
        cuts_of([paddle.tanh] * layers, 2, method)


@pytest.mark.parametrize(("weights", "parts"), [([5, 1, 1, 1], 2), ([1, 1, 1, 9], 3), ([0] * 4, 3)])
def test_parts_by_parameters_are_as_light_as_can_be(weights, parts):
    layers = [LayerDesc(nn.Linear, n, 1, bias_attr=False) if n else paddle.tanh for n in weights]
    found = cuts_of(layers, parts, "parameters")
    heaviest = lambda cuts: max(sum(weights[a:b]) for a, b in itertools.pairwise(cuts))  # noqa: E731
    inner = itertools.combinations(range(1, len(weights)), parts - 1)
    assert heaviest(found) == min(heaviest([0, *cuts, len(weights)]) for cuts in inner)
    assert all(a < b for a, b in itertools.pairwise(found))

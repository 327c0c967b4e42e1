"""Pruned networks are smaller, consistent, and compute what masked ones compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, FileError, ProgramError, UnknownNameError
from twinoar.slim import (
    FilterPruner,
    FPGMFilterPruner,
    L1NormFilterPruner,
    L2NormFilterPruner,
    PruningPlan,
)

F = nn.functional
IMAGE = [1, 3, 8, 8]


def conv(inner: int, outer: int, size: int = 3, **other: Any) -> nn.Layer:
    layer = nn.Conv2D(inner, outer, size, padding=size // 2, **other)
    return nn.Sequential(layer, nn.BatchNorm2D(outer), nn.ReLU())


class Network(nn.Layer):
    """A stem of 8 channels, a body that a test gives, and a head."""

    def __init__(self, body: Callable[..., Any], width: int, *layers: nn.Layer):
        super().__init__()
        self.stem, self.layers, self.body = conv(3, 8), nn.LayerList(layers), body
        self.pool, self.head = nn.AdaptiveAvgPool2D(2), nn.Linear(4 * width, 5)

    def forward(self, x: Any) -> Any:
        y = self.body(self.stem(x), *self.layers)
        return self.head(self.pool(y).flatten(1))


def shuffle(x: Any, layer: Any) -> Any:
    return layer(F.channel_shuffle(x, 2))


def squeeze_and_excite(x: Any, first: Any, second: Any) -> Any:
    return x * F.sigmoid(second(F.relu(first(x.mean([2, 3], keepdim=True)))))


def halves(x: Any, one: Any, other: Any) -> Any:
    a, b = paddle.split(x, 2, axis=1)
    return paddle.concat([one(a), other(b)], axis=1)


def sliced(x: Any, layer: Any) -> Any:
    half = x.shape[1] // 2
    return layer(x[:, :half] * x[:, half:])


def spatial_attention(x: Any, layer: Any) -> Any:
    return x * F.sigmoid(layer(x))


def padded(x: Any, layer: Any) -> Any:
    return layer(F.pad(x, [1, 1, 1, 1]))


BODIES: dict[str, Callable[[], Network]] = {
    "chain": lambda: Network(lambda x, a: a(x), 6, conv(8, 6)),
    "residual": lambda: Network(lambda x, a, b: x + b(a(x)), 8, conv(8, 6), conv(6, 8)),
    "concat": lambda: Network(
        lambda x, a, b: paddle.concat([a(x), x, b(x)], 1), 18, conv(8, 4), conv(8, 6)
    ),
    "depthwise": lambda: Network(
        lambda x, a, b: b(a(x)), 6, conv(8, 8, groups=8), conv(8, 6)
    ),
    "multiplier": lambda: Network(lambda x, a: a(x), 16, conv(8, 16, groups=8)),
    "grouped": lambda: Network(lambda x, a, b: b(a(x)), 6, conv(8, 12, groups=4), conv(12, 6)),
    "shuffle": lambda: Network(shuffle, 6, conv(8, 6)),
    "gate": lambda: Network(squeeze_and_excite, 8, nn.Conv2D(8, 4, 1), nn.Conv2D(4, 8, 1)),
    "split": lambda: Network(halves, 10, conv(4, 4), conv(4, 6)),
    "slice": lambda: Network(sliced, 6, conv(4, 6)),
    "spatial attention": lambda: Network(spatial_attention, 8, nn.Conv2D(8, 1, 1)),
    "prelu": lambda: Network(lambda x, a, b: b(a(x)), 6, nn.PReLU(8), conv(8, 6)),
    "one prelu": lambda: Network(lambda x, a, b: b(a(x)), 6, nn.PReLU(1), conv(8, 6)),
    "instance norm": lambda: Network(lambda x, a: a(x), 8, nn.InstanceNorm2D(8)),
    "transposed": lambda: Network(
        lambda x, a, b: b(a(x)), 4, nn.Conv2DTranspose(8, 6, 2, stride=2), conv(6, 4)
    ),
    "image pad": lambda: Network(padded, 6, conv(8, 6)),
    "upsampled": lambda: Network(
        lambda x, a: a(F.interpolate(x, scale_factor=2)), 6, conv(8, 6)
    ),
    "pixel shuffle": lambda: Network(
        lambda x, a: a(F.pixel_shuffle(x, 2)), 6, conv(2, 6)
    ),
}  # fmt: skip


def weights(model: nn.Layer) -> dict[str, Any]:
    return {n: t.numpy().copy() for n, t in model.state_dict().items()}


def output(model: nn.Layer, x: np.ndarray) -> np.ndarray:
    model.eval()
    return model(paddle.to_tensor(x)).numpy()


def image(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(2, 3, 8, 8)).astype("float32")


@pytest.mark.parametrize("kind", BODIES)
def test_a_pruned_network_computes_what_the_masked_one_computes(kind: str) -> None:
    paddle.seed(1)
    model = BODIES[kind]()
    for layer in model.sublayers():
        if isinstance(layer, nn.BatchNorm2D):
            layer._mean.set_value(paddle.randn([layer._num_features]))
    pruner = L1NormFilterPruner(model, IMAGE)
    name = model.stem[0].weight.name
    before = model.stem[0].weight.shape[0]
    plan = pruner.prune_var(name, 0, 0.5, apply="lazy")
    masked = output(model, image())
    assert model.stem[0].weight.shape[0] == before
    plan.restore()
    plan.apply(model)
    assert model.stem[0].weight.shape[0] < before
    np.testing.assert_allclose(output(model, image()), masked, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", BODIES)
def test_removing_what_is_zero_changes_nothing(kind: str) -> None:
    paddle.seed(2)
    model = BODIES[kind]()
    plan = L1NormFilterPruner(model, IMAGE).prune_var(model.stem[0].weight.name, 0, 0.25, "lazy")
    kept = output(model, image())
    zeros = plan.removed
    plan = PruningPlan(plan.network, zeros)
    plan.apply(model)
    np.testing.assert_allclose(output(model, image()), kept, rtol=1e-4, atol=1e-5)


def normalized(x: Any, layer: Any) -> Any:
    return layer(F.layer_norm(x.transpose([0, 2, 3, 1]), [8]).transpose([0, 3, 1, 2]))


@pytest.mark.parametrize(
    "body",
    [
        normalized,
        lambda x, a: a(F.group_norm(x, 2) if hasattr(F, "group_norm") else x / x.sum(1, True)),
        lambda x, a: a(F.softmax(x, 1)),
        lambda x, a: a(x - x.mean(1, keepdim=True)),
        lambda x, a: a(x[:, [0, 2, 4, 6, 1, 3, 5, 7]]),
        lambda x, a: a(paddle.concat([x[:, :3], x[:, 3:]], 1)),
    ],
)
def test_channels_that_are_mixed_are_kept(body: Callable[..., Any]) -> None:
    model = Network(body, 6, conv(8, 6))
    pruner = L1NormFilterPruner(model, IMAGE)
    assert model.stem[0].weight.name not in pruner.prunable
    pruner.prune_var(model.stem[0].weight.name, 0, 0.5)
    assert model.stem[0].weight.shape[0] == 8
    assert model.layers[0][0].weight.name in pruner.prunable


@pytest.mark.parametrize(
    "body",
    [
        lambda x, a: a(x.reshape([-1, 8, 8, 8])),
        lambda x, a: a(paddle.concat([x[:, 4:], x[:, :4]], 1)),
    ],
)
def test_a_size_in_the_code_is_refused_and_nothing_has_changed(body: Callable[..., Any]) -> None:
    model = Network(body, 6, conv(8, 6))
    before = weights(model)
    pruner = L1NormFilterPruner(model, IMAGE)
    with pytest.raises(ProgramError, match="pruned network"):
        pruner.prune_var(model.stem[0].weight.name, 0, 0.5)
    after = weights(model)
    assert all((after[n] == v).all() for n, v in before.items())
    assert model.stem[0]._out_channels == 8


def test_results_keep_their_channels() -> None:
    model = BODIES["chain"]()
    pruner = L1NormFilterPruner(model, IMAGE)
    pruner.prune_var(model.head.weight.name, 1, 0.5)
    assert model.head.weight.shape == [24, 5]


def test_attributes_follow_the_weights() -> None:
    model = BODIES["grouped"]()
    L1NormFilterPruner(model, IMAGE).prune_var(model.stem[0].weight.name, 0, 0.5)
    stem, grouped, after = (model.stem, model.layers[0], model.layers[1])
    assert (stem[0]._in_channels, stem[0]._out_channels) == (3, 4)
    assert stem[1]._num_features == 4
    assert (grouped[0]._in_channels, grouped[0]._out_channels, grouped[0]._groups) == (4, 6, 2)
    assert after[0]._in_channels == 6


@pytest.mark.parametrize(
    "kind, importance",
    [
        (L1NormFilterPruner, lambda w: np.abs(w).sum((1, 2, 3))),
        (L2NormFilterPruner, lambda w: np.square(w).sum((1, 2, 3))),
        (
            FPGMFilterPruner,
            lambda w: np.sqrt(np.square(w[:, None] - w[None]).sum((2, 3, 4))).sum(1),
        ),
    ],
)
def test_what_matters_least_goes(
    kind: type[FilterPruner], importance: Callable[[np.ndarray], np.ndarray]
) -> None:
    model = BODIES["chain"]()
    weight = model.stem[0].weight.numpy()
    kind(model, IMAGE).prune_var(model.stem[0].weight.name, 0, 0.375)
    left = np.sort(np.argsort(importance(weight))[3:])
    np.testing.assert_array_equal(model.stem[0].weight.numpy(), weight[left])


def test_a_group_goes_by_its_mean() -> None:
    model = BODIES["grouped"]()
    weight = model.stem[0].weight
    values = weight.numpy()
    scores = np.abs(values).mean((1, 2, 3)).reshape(4, 2).mean(1)
    L1NormFilterPruner(model, IMAGE).prune_var(weight.name, 0, 0.25)
    left = np.delete(values.reshape(4, 2, 3, 3, 3), np.argmin(scores), 0)
    np.testing.assert_array_equal(weight.numpy(), left.reshape(6, 3, 3, 3))


def test_what_goes_together_is_pruned_once() -> None:
    model = BODIES["residual"]()
    names = [model.stem[0].weight.name, model.layers[1][0].weight.name]
    L1NormFilterPruner(model, IMAGE).prune_vars(dict.fromkeys(names, 0.25), axis=0)
    assert [model.stem[0].weight.shape[0], model.layers[1][0].weight.shape[0]] == [6, 6]


def test_the_last_channel_stays() -> None:
    model = BODIES["chain"]()
    L1NormFilterPruner(model, IMAGE).prune_var(model.stem[0].weight.name, 0, 0.99)
    assert model.stem[0].weight.shape[0] == 1


def test_restore_gives_everything_back() -> None:
    model = BODIES["depthwise"]()
    before, expected = weights(model), output(model, image())
    pruner = L1NormFilterPruner(model, IMAGE)
    pruner.prune_flops(0.6)
    assert output(model, image()).shape == expected.shape
    pruner.restore()
    after = weights(model)
    assert all((after[n] == v).all() for n, v in before.items())
    np.testing.assert_array_equal(output(model, image()), expected)


OPTIMIZERS = [paddle.optimizer.SGD, paddle.optimizer.Momentum, paddle.optimizer.AdamW]


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_the_optimizer_goes_on_with_what_is_left(kind: type) -> None:
    def train(model: nn.Layer, opt: Any) -> None:
        model.train()
        model(paddle.to_tensor(image())).square().mean().backward()
        opt.step()
        opt.clear_grad()

    paddle.seed(3)
    model = BODIES["residual"]()
    opt = kind(0.1, parameters=model.parameters())
    train(model, opt)
    remembered = {n: t.numpy() for n, t in opt.state_dict().items() if hasattr(t, "numpy")}
    pruner = L1NormFilterPruner(model, IMAGE, opt=opt)
    plan = pruner.prune_var(model.layers[0][0].weight.name, 0, 0.5)
    left = np.flatnonzero(plan.masks[model.layers[0][0].weight.name][0])
    for name, tensor in opt.state_dict().items():
        if name.startswith(model.layers[0][0].weight.name) and "pow" not in name:
            np.testing.assert_array_equal(tensor.numpy(), remembered[name][left])
    train(model, opt)
    assert np.isfinite(output(model, image())).all()


def test_a_step_of_an_optimizer_that_was_not_given_is_refused() -> None:
    model = BODIES["chain"]()
    opt = paddle.optimizer.Adam(0.1, parameters=model.parameters())
    model(paddle.to_tensor(image())).mean().backward()
    opt.step()
    opt.clear_grad()
    L1NormFilterPruner(model, IMAGE).prune_var(model.stem[0].weight.name, 0, 0.5)
    model(paddle.to_tensor(image())).mean().backward()
    with pytest.raises(ArgumentError):
        opt.step()


def test_a_converted_network_is_traced_anew() -> None:
    model = paddle.jit.to_static(BODIES["chain"]())
    model.eval()
    before = model(paddle.to_tensor(image()))
    L1NormFilterPruner(model, IMAGE).prune_flops(0.5)
    assert model(paddle.to_tensor(image())).shape == before.shape


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_target_of_flops_is_met(share: float) -> None:
    model = paddle.vision.models.resnet18(num_classes=10)
    pruner = L1NormFilterPruner(model, [1, 3, 32, 32])
    before = pruner.network.flops()
    plan = pruner.prune_flops(share)
    assert abs(plan.pruned_flops - share) < 0.01
    assert pruner.network.flops() == pytest.approx(before * (1 - plan.pruned_flops))


def test_counts_of_filters_are_multiples() -> None:
    model = paddle.vision.models.resnet18(num_classes=10)
    plan = L1NormFilterPruner(model, [1, 3, 32, 32]).prune_flops(0.5, align=16)
    assert abs(plan.pruned_flops - 0.5) < 0.1
    counts = {p.shape[0] for p in model.parameters() if len(p.shape) == 4}
    assert all(count % 16 == 0 for count in counts)


def test_flops_are_those_of_the_table_of_layers(capsys: pytest.CaptureFixture) -> None:
    model = nn.Sequential(nn.Conv2D(3, 4, 3, bias_attr=False), nn.Flatten(), nn.Linear(144, 2))
    assert L1NormFilterPruner(model, IMAGE).network.flops() == paddle.flops(model, IMAGE)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda p: p.prune_var("nobody", 0, 0.5), UnknownNameError),
        (lambda p: p.prune_var(p.prunable[0], 3, 0.5), ArgumentError),
        (lambda p: p.prune_var(p.prunable[0], 0, 1.0), ArgumentError),
        (lambda p: p.prune_var(p.prunable[0], 0, -0.1), ArgumentError),
        (lambda p: p.prune_var(p.prunable[0], 0, 0.5, apply="soon"), UnknownNameError),
        (lambda p: p.prune_flops(1.5), ArgumentError),
        (lambda p: p.prune_flops(0.5, align=0), ArgumentError),
        (lambda p: p.sensitive_prune(0.5), ArgumentError),
        (lambda p: p.sensitive(lambda: 1.0, target_vars=["nobody"]), UnknownNameError),
        (lambda p: p.prune_flops(0.5).apply(p.model), ProgramError),
        (lambda p: L1NormFilterPruner(p.model, []), ArgumentError),
        (lambda p: L1NormFilterPruner(p.model, IMAGE, prune_type="rnn"), UnknownNameError),
        (lambda p: L1NormFilterPruner(p.model, IMAGE, num_head=2), ArgumentError),
        (lambda p: FilterPruner(p.model, IMAGE).prune_flops(0.5), ArgumentError),
    ],
)
def test_bad_calls_are_refused(call: Callable[[Any], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call(L1NormFilterPruner(BODIES["chain"](), IMAGE))


def test_sensitivities_are_losses_of_each_weight_alone(tmp_path: Any) -> None:
    model = BODIES["residual"]()
    pruner = L1NormFilterPruner(model, IMAGE)
    before = weights(model)
    whole = output(model, image())
    asked = []

    def score() -> float:
        asked.append(1)
        return 1 / (1 + float(np.square(output(model, image()) - whole).mean()))

    file = str(tmp_path / "sen.json")
    found = pruner.sensitive(score, sen_file=file)
    assert set(found) == set(pruner.prunable)
    assert all(len(losses) == 9 for losses in found.values())
    assert all(loss > 0 for losses in found.values() for loss in losses.values())
    assert all((weights(model)[n] == v).all() for n, v in before.items())
    count = len(asked)
    other = L1NormFilterPruner(model, IMAGE, sen_file=file)
    assert other.sensitive(score) == found
    assert len(asked) == count + 1  # the whole network, and nothing that is known
    plan = other.sensitive_prune(0.4, skip_vars=[model.stem[0].weight.name])
    assert abs(plan.pruned_flops - 0.4) < 0.15


def test_a_file_of_something_else_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "sen.json"
    file.write_text("[1, 2]")
    with pytest.raises(FileError):
        L1NormFilterPruner(BODIES["chain"](), IMAGE, sen_file=str(file))


def test_linear_layers_are_pruned_by_columns() -> None:
    model = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 3))
    pruner = L1NormFilterPruner(model, [1, 6], prune_type="fc")
    pruner.prune_flops(0.5)
    assert [p.shape for p in model.parameters()] == [[6, 4], [4], [4, 3], [3]]
    assert (model[0].out_features, model[2].in_features) == (4, 4)


# What PaddleSlim 2.6 on Paddle 2.6.2 keeps of the filters of the second layer for these weights.
CHOSEN = [
    (L1NormFilterPruner, "1110110110110110"),
    (L2NormFilterPruner, "1011110111110100"),
    (FPGMFilterPruner, "1010110111111100"),
]


@pytest.mark.parametrize("kind, chosen", CHOSEN)
def test_filters_are_those_that_paddleslim_chooses(kind: type[FilterPruner], chosen: str) -> None:
    model = paddle.vision.models.LeNet()
    generator = np.random.RandomState(0)
    for p in model.parameters():
        p.set_value(generator.randn(*p.shape).astype("float32"))
    pruner = kind(model, [1, 1, 28, 28])
    first, second = pruner.prunable
    plan = pruner.prune_vars({first: 0.5, second: 0.3}, 0, apply=None)
    assert "".join(map(str, plan.masks[first][0])) == "101010"
    assert "".join(map(str, plan.masks[second][0])) == chosen
    assert plan.network.flops() == 341256

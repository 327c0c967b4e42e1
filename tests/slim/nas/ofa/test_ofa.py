"""Supernets: what is drawn, what goes together, what is taken out, and what is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.slim.nas import ofa
from twinoar.slim.nas.ofa import OFA, DistillConfig, RunConfig
from twinoar.slim.nas.ofa.convert_super import Convert, supernet

HALF = {"expand_ratio": [0.5, 1.0]}


class Residual(nn.Layer):
    """Two convolutions that are added, one of each channel by itself, and a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2D(1, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU())
        self.inner = nn.Sequential(nn.Conv2D(8, 12, 3, padding=1), nn.BatchNorm2D(12), nn.ReLU())
        self.outer = nn.Sequential(nn.Conv2D(12, 8, 1), nn.BatchNorm2D(8))
        self.by_channel = nn.Conv2D(8, 8, 3, padding=1, groups=8)
        self.pool, self.fc = nn.AdaptiveAvgPool2D(2), nn.Linear(32, 5)

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        x = nn.functional.relu(x + self.outer(self.inner(x)))
        return self.fc(self.pool(self.by_channel(x)).flatten(1))


class Deep(nn.Layer):
    """Layers of which the first are called."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.LayerList([nn.Linear(4, 4) for _ in range(3)])
        self.last = nn.Linear(4, 2)

    def forward(self, x: Any, depth: int = 3) -> Any:
        for block in self.blocks[:depth]:
            x = block(x)
        return self.last(x)


def super_of(net: nn.Layer, **space: Any) -> nn.Layer:
    return Convert(supernet(**space)).convert(net)


def images(size: int = 8) -> paddle.Tensor:
    return paddle.to_tensor(
        np.random.default_rng(0).standard_normal((3, 1, size, size)).astype("f4")
    )


def residual(**space: Any) -> tuple[nn.Layer, OFA]:
    paddle.seed(3)
    net = Residual()
    return net, OFA(super_of(copy.deepcopy(net), **(space or {"expand_ratio": [0.5, 0.75, 1.0]})))


def test_what_is_added_chooses_its_width_together() -> None:
    _, model = residual()
    model(images())
    assert sorted(model.ofa_layers) == ["inner.0", "stem.0"]
    for _ in range(5):
        model(images())
        config = model.get_current_config
        assert config["outer.0"] == config["stem.0"] and "fc" not in config
        width = int(8 * config["stem.0"]["expand_ratio"])
        assert model.model.outer[0].fn.cur_config["prune_dim"][0] == width
        assert model.model.by_channel.fn.cur_config["prune_group"] == width


@pytest.mark.parametrize("ratio", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("has_origin", [False, True])
def test_what_is_taken_out_computes_what_the_supernet_does(ratio: float, has_origin: bool) -> None:
    net, model = residual()
    for _ in range(4):
        model(images()).mean().backward()
    config = {"stem.0": {"expand_ratio": ratio}, "inner.0": {"expand_ratio": 0.5}}
    small = model.export(config, [1, 1, 8, 8], ["float32"], net if has_origin else None)
    assert not any(isinstance(x, ofa.BaseBlock) for x in small.sublayers())
    assert small.by_channel._groups == int(8 * ratio) and small.inner[0]._out_channels == 6
    model.eval()
    model.set_net_config(config)
    np.testing.assert_allclose(small.eval()(images()), model(images()), rtol=1e-5, atol=1e-5)
    assert model.model.inner[0].fn.weight.shape == [12, 8, 3, 3]


@pytest.mark.parametrize("kernel", [3, 5, 7])
def test_kernels_are_made_of_the_largest_by_matrices(kernel: int) -> None:
    net = nn.Sequential(nn.Conv2D(1, 4, 3, padding=1), nn.Conv2D(4, 2, 1))
    model = OFA(super_of(net, kernel_size=(3, 5, 7)))
    layer = model.model[0].fn
    assert layer.weight.shape == [4, 1, 7, 7]
    random = np.random.default_rng(1)
    for name in ("7to5_matrix", "5to3_matrix"):
        matrix = getattr(layer, name)
        matrix.set_value(random.standard_normal(matrix.shape).astype("f4"))
    config = {"0": {"kernel_size": kernel}}
    small = model.export(config, [1, 1, 9, 9], ["float32"])
    wanted = layer.weight.numpy()
    for size in (5, 3):
        if kernel <= size:
            cut = wanted[:, :, 1:-1, 1:-1].reshape(-1, size**2)
            matrix = getattr(layer, f"{size + 2}to{size}_matrix").numpy()
            wanted = (cut @ matrix).reshape(4, 1, size, size)
    np.testing.assert_allclose(small[0].weight, wanted, rtol=1e-4, atol=1e-5)
    assert small(paddle.ones([1, 1, 9, 9])).shape == [1, 2, 9, 9]


def test_kernels_learn_through_the_matrices() -> None:
    model = OFA(super_of(nn.Sequential(nn.Conv2D(1, 2, 3), nn.Conv2D(2, 1, 1)), kernel_size=(3, 5)))
    model.set_net_config({"0": {"kernel_size": 3}})
    model(images()).mean().backward()
    layer = model.model[0].fn
    assert getattr(layer, "5to3_matrix").grad is not None
    gradient = layer.weight.grad.numpy()
    assert np.abs(gradient[:, :, 1:4, 1:4]).min() > 0 and not gradient[:, :, 0].any()


def test_running_statistics_of_channels_that_are_left_out_stay() -> None:
    layer = ofa.SuperBatchNorm2D(4)
    layer(paddle.full([2, 2, 3, 3], 5.0))
    assert layer._mean.tolist() == pytest.approx([0.5, 0.5, 0.0, 0.0])
    layer.eval()
    wanted = nn.functional.batch_norm(
        images().tile([1, 2, 1, 1]), layer._mean[:2], layer._variance[:2]
    )
    np.testing.assert_allclose(layer(images().tile([1, 2, 1, 1])), wanted, rtol=1e-5)


def test_gradients_go_to_the_channels_that_were_called() -> None:
    layer = ofa.SuperLinear(4, 6, {"channel": [2, 6]})
    layer(paddle.ones([1, 3]), channel=2).sum().backward()
    assert (layer.weight.grad.numpy() != 0).sum() == 6 and layer.bias.grad.tolist() == [
        1,
        1,
        0,
        0,
        0,
        0,
    ]


def test_tasks_follow_from_epochs_and_phases() -> None:
    paddle.seed(0)
    space = {"kernel_size": (3, 5), "expand_ratio": [0.25, 0.5, 1.0]}
    net = nn.Sequential(nn.Conv2D(1, 8, 3), nn.Conv2D(8, 2, 3))
    model = OFA(super_of(net, **space), RunConfig(n_epochs=[[1], [2, 3]]))
    assert model.elastic_order == ["kernel_size", "width"]

    def drawn(epoch: int) -> tuple[set[Any], set[Any]]:
        model.set_epoch(epoch)
        found = []
        for _ in range(25):
            model(images())
            found.append(model.get_current_config["0"])
        return {x["kernel_size"] for x in found}, {x["expand_ratio"] for x in found}

    assert drawn(1) == ({3, 5}, {1.0})
    assert drawn(2) == ({3, 5}, {0.5, 1.0})
    assert drawn(3) == ({3, 5}, {0.25, 0.5, 1.0})
    assert drawn(99) == ({3, 5}, {0.25, 0.5, 1.0})


def test_epochs_follow_from_calls_where_nobody_sets_them() -> None:
    net = nn.Sequential(nn.Conv2D(1, 8, 3), nn.Conv2D(8, 2, 3))
    config = RunConfig(
        train_batch_size=2, total_images=4, n_epochs=[[0], [1]], dynamic_batch_size=[1, 2]
    )
    model = OFA(super_of(net, kernel_size=(3, 5), expand_ratio=[0.5, 1.0]), config)
    tasks = []
    for _ in range(4):
        model(images())
        tasks.append(len(model.task))
    assert tasks == [1, 2, 2, 2]


def test_a_task_that_is_set_is_drawn_from() -> None:
    _, model = residual()
    model.set_task("width", phase=0)
    drawn = set()
    for _ in range(20):
        model(images())
        drawn.add(model.get_current_config["stem.0"]["expand_ratio"])
    assert drawn == {0.75, 1.0}


def test_the_largest_alone_is_trained_where_that_is_wanted() -> None:
    net, _ = residual()
    model = OFA(super_of(copy.deepcopy(net), expand_ratio=[0.5, 1.0]), train_full=True)
    model.eval()
    np.testing.assert_allclose(model(images()), net.eval()(images()), rtol=1e-5, atol=1e-6)


def test_draws_follow_from_the_seed() -> None:
    def drawn() -> list[Any]:
        _, model = residual()
        found = []
        for _ in range(6):
            model(images())
            found.append(copy.deepcopy(model.get_current_config))
        return found

    assert drawn() == drawn()


def test_depth_is_passed_on() -> None:
    net = Deep()
    model = OFA(
        super_of(copy.deepcopy(net), expand_ratio=[0.5, 1.0]), RunConfig(elastic_depth=[1, 3])
    )
    assert model.elastic_order == ["depth", "width"]
    x = paddle.ones([2, 4])
    model.set_net_config({"depth": 1})
    np.testing.assert_allclose(model(x), net(x, depth=1), rtol=1e-5)
    model.set_net_config(None)
    model.set_task("depth")
    depths = set()
    for _ in range(12):
        model(x)
        depths.add(model.get_current_config["depth"])
    assert depths == {1, 3}


def test_layers_that_are_skipped_and_what_is_added_to_them_stay() -> None:
    net, _ = residual()
    model = OFA(super_of(net, expand_ratio=[0.5, 1.0]), RunConfig(skip_layers=["outer.0"]))
    model(images())
    assert list(model.ofa_layers) == ["inner.0"]


def test_candidates_of_layers_may_be_given_by_hand() -> None:
    net, _ = residual()
    config = RunConfig(
        ofa_layers={"stem.0": {"expand_ratio": [0.25]}},
        same_search_space=[["stem.0", "outer.0"]],
        skip_layers=["inner.0"],
    )
    model = OFA(super_of(net, expand_ratio=[0.25, 1.0]), config)
    model.set_task("width")
    model(images())
    assert model.get_current_config["outer.0"] == {"expand_ratio": 0.25}


def test_channels_may_be_listed() -> None:
    channel = [[4, 6], [8, 16], [4, 6], [1], [5]]
    net, _ = residual()
    model = OFA(super_of(net, channel=channel))
    fc = model.model.fc.fn
    assert model.model.inner[0].fn.weight.shape == [16, 6, 3, 3]
    assert fc.weight.shape == [24, 5]
    small = model.export({"stem.0": {"channel": 4}}, [1, 1, 8, 8], "float32")
    assert small.fc.weight.shape == [16, 5]


def test_lists_of_layers_are_converted_in_a_with_block() -> None:
    with supernet(channel=[[4, 8], [2]]) as convert:
        layers = convert.convert(
            [nn.Conv2D(1, 8, 3), nn.BatchNorm2D(8), nn.ReLU(), nn.Conv2D(8, 2, 1)]
        )
    model = OFA(nn.Sequential(*layers))
    model.set_net_config({"0": {"channel": 4}})
    assert model(images()).shape == [3, 2, 6, 6]
    assert isinstance(layers[1], ofa.SuperBatchNorm2D)


def test_transformers_keep_what_blocks_pass_on() -> None:
    net = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
    model = OFA(super_of(net, expand_ratio=[0.5, 1.0]))
    model.eval()
    x = paddle.ones([1, 3, 8])
    model(x)
    assert list(model.ofa_layers) == ["linear1"]
    config = ofa.dynabert_config(model, 0.5)
    small = model.export(config, [1, 3, 8], ["float32"])
    assert small.linear1.weight.shape == [8, 8] and small.linear2.weight.shape == [8, 8]
    model.set_net_config(config)
    np.testing.assert_allclose(small.eval()(x), model(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("operation", [None, "conv2d"])
def test_a_teacher_teaches_layers(operation: str | None) -> None:
    net, _ = residual()
    teacher = copy.deepcopy(net)
    config = DistillConfig(
        lambda_distill=2.0, teacher_model=teacher, mapping_layers=["outer.0"], mapping_op=operation
    )
    model = OFA(super_of(net, expand_ratio=[0.5, 1.0]), distill_config=config, train_full=True)
    answer, wanted = model(images())
    loss = model.calc_distill_loss()
    loss.backward()
    assert answer.shape == wanted.shape and wanted.stop_gradient
    assert model.model.stem[0].fn.weight.grad is not None
    assert teacher.stem[0].weight.grad is None
    assert len(model.netAs_param) == (0 if operation is None else 2)


def test_candidates_are_numbered() -> None:
    _, model = residual()
    model(images())
    model.set_task("expand_ratio")
    model.tokenize()
    assert model.search_cands == [[0, 1, 2], [0, 1, 2]]
    assert model.decode_token([0, 2]) == {
        "stem.0": {"expand_ratio": 0.5},
        "inner.0": {"expand_ratio": 1.0},
    }


@pytest.mark.parametrize(
    ("super_layer", "shape", "chosen", "wanted"),
    [
        (ofa.SuperConv2DTranspose(4, 8, 3), [1, 3, 5, 5], {"channel": 2}, [1, 2, 7, 7]),
        (ofa.SuperGroupConv2D(4, 8, 3, groups=2), [1, 2, 5, 5], {"channel": 4}, [1, 4, 3, 3]),
        (ofa.SuperDepthwiseConv2D(4, 4, 3, groups=4), [1, 3, 5, 5], {}, [1, 3, 3, 3]),
        (ofa.SuperDepthwiseConv2DTranspose(4, 4, 3, groups=4), [1, 3, 5, 5], {}, [1, 3, 7, 7]),
        (ofa.SuperSeparableConv2D(4, 8, 3), [1, 3, 5, 5], {"channel": 2}, [1, 2, 3, 3]),
        (ofa.SuperInstanceNorm2D(4), [1, 3, 5, 5], {}, [1, 3, 5, 5]),
        (ofa.SuperLayerNorm(4), [2, 3], {}, [2, 3]),
        (ofa.SuperSyncBatchNorm(4), [2, 3, 2, 2], {}, [2, 3, 2, 2]),
        (ofa.SuperLinear(4, 8, HALF), [2, 3], {"expand_ratio": 0.5}, [2, 4]),
    ],
    ids=lambda x: type(x).__name__,
)  # fmt: skip
def test_elastic_layers_compute_what_their_ordinary_ones_do(
    super_layer: Any, shape: Any, chosen: Any, wanted: Any
) -> None:
    x = paddle.randn(shape)
    super_layer.eval()
    out = super_layer(x, **chosen)
    assert out.shape == wanted
    np.testing.assert_allclose(super_layer.ordinary().eval()(x), out, rtol=1e-5, atol=1e-6)


def test_vectors_of_a_table_become_shorter() -> None:
    layer = ofa.SuperEmbedding(10, 8, {"channel": [4, 8]}, padding_idx=0)
    ids = paddle.to_tensor([[1, 0]])
    out = layer(ids, channel=4)
    np.testing.assert_array_equal(out, layer.weight.numpy()[[1, 0], :4][None])
    np.testing.assert_array_equal(layer.ordinary()(ids), out)


def test_a_supernet_begins_as_the_network_where_sizes_stay() -> None:
    net, _ = residual()
    before = {name: value.numpy() for name, value in net.state_dict().items()}
    made = super_of(net, expand_ratio=[0.5, 1.0])
    np.testing.assert_array_equal(made.inner[0].fn.weight, before["inner.0.weight"])
    made.inner[0].fn.weight.set_value(made.inner[0].fn.weight * 0.0)
    ofa.utils.utils.set_state_dict(made, {n: paddle.to_tensor(v) for n, v in before.items()})
    np.testing.assert_array_equal(made.inner[0].fn.weight, before["inner.0.weight"])


def of_tasks(*config: Any) -> OFA:
    return OFA(super_of(Residual(), expand_ratio=[1.0], kernel_size=[3]), *config)


TWO = RunConfig(n_epochs=[[1], [2]])


def taught(layers: list[str]) -> OFA:
    return of_tasks(None, DistillConfig(teacher_model=Residual(), mapping_layers=layers))


def exported(origin: nn.Layer) -> nn.Layer:
    return of_tasks().export({}, [1, 1, 8, 8], "float32", origin)


def chain() -> nn.Layer:
    return nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))


def narrow(layer: Any, size: int, **chosen: int) -> Any:
    return layer(paddle.ones([1, size]), **chosen)


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (ArgumentError, "exclude", lambda: supernet(expand_ratio=[1], channel=[[1]])),
        (ArgumentError, "2 layers with", lambda: super_of(chain(), channel=[[1]])),
        (TypeMismatchError, "supernet", lambda: Convert({})),
        (TypeMismatchError, "Layer", lambda: OFA(3)),
        (TypeMismatchError, "sizes to choose", lambda: ofa.Block(nn.Linear(1, 1))),
        (ProgramError, "in no supernet", lambda: narrow(ofa.Block(ofa.SuperLinear(1, 1)), 1)),
        (UnknownNameError, "'stem'", lambda: of_tasks().set_net_config({"stem": HALF})),
        (UnknownNameError, "channels", lambda: ofa.SuperLinear(1, 1, {"channels": [1]})),
        (ArgumentError, "9 channels were", lambda: narrow(ofa.SuperLinear(2, 4), 2, channel=9)),
        (ArgumentError, "made for 2 at most", lambda: narrow(ofa.SuperLinear(2, 4), 3)),
        (ArgumentError, "none of", lambda: ofa.SuperConv2D(1, 1, 5)(images(), 4)),
        (ArgumentError, "n_epochs has 1 entries", lambda: of_tasks(RunConfig(n_epochs=[[1]]))),
        (ArgumentError, "which task", lambda: of_tasks()(images())),
        (ArgumentError, "epoch is not known", lambda: of_tasks(TWO)(images())),
        (ArgumentError, "expected one of", lambda: residual()[1].set_task("weight")),
        (ArgumentError, "nobody teaches", lambda: residual()[1].calc_distill_loss()),
        (UnknownNameError, "mapping_layers", lambda: taught(["no"])),
        (ArgumentError, "origin_model has no layer", lambda: exported(chain())),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()

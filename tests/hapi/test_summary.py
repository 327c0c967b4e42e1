"""Tables of layers: the counts are those that Paddle 2.6.2 gives."""

import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.vision.models import LeNet, resnet18


class Mixed(nn.Layer):
    """Layers of many kinds."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2D(3, 8, 3, padding=1, bias_attr=False), nn.BatchNorm2D(8), nn.AvgPool2D(2),
            nn.GELU(), nn.LeakyReLU(), nn.PReLU(),
        )  # fmt: skip
        self.up = nn.Conv2DTranspose(8, 4, 3)
        self.mean, self.head = nn.AdaptiveAvgPool2D(1), nn.Linear(8, 5)

    def forward(self, x):
        x = self.body(x)
        return self.head(self.mean(x).flatten(1)), self.up(x)


@pytest.mark.parametrize(
    ("make", "size", "expected"),
    [
        (LeNet, [1, 1, 28, 28], 347560),
        (resnet18, [1, 3, 64, 64], 148965888),
        (Mixed, [2, 3, 16, 16], 110592 + 8192 + 1024 + 1024 + 8 * 65 * 2 + 80 + 4 * 200 * 73),
    ],
)
def test_flops(make, size, expected):
    assert paddle.flops(make(), size) == expected


def test_flops_by_rules_of_ones_own(capsys):
    def count(layer, inputs, output):
        layer.total_ops += 7

    plain = paddle.flops(Mixed(), [2, 3, 16, 16])
    assert paddle.flops(Mixed(), [2, 3, 16, 16], {nn.GELU: count}, print_detail=True) == plain + 7
    assert "GELU-1" in capsys.readouterr().out


def test_summary_counts_parameters_once_and_leaves_modes_alone(capsys):
    net = Mixed()
    net.train()
    assert paddle.summary(net, (2, 3, 16, 16)) == {
        "total_params": 216 + 32 + 1 + 292 + 45,
        "trainable_params": 216 + 16 + 1 + 292 + 45,
    }
    shown = capsys.readouterr().out
    assert "[[2, 3, 16, 16]]" in shown and "Non-trainable params: 16" in shown
    assert net.training and net.body[1].training
    shared = nn.Linear(4, 4)
    assert paddle.summary(nn.Sequential(shared, shared), (1, 4))["total_params"] == 20


def test_summary_of_other_dtypes_and_inputs():
    table = nn.Embedding(5, 6)
    assert paddle.summary(table, (2, 3), dtypes="int64")["total_params"] == 30
    assert paddle.summary(table, input=paddle.to_tensor([[1, 2]]))["total_params"] == 30
    with pytest.raises(ArgumentError, match="expected the shape of the input"):
        paddle.summary(table)


def test_summary_counts_statistics_but_no_buffers():
    norm = nn.BatchNorm2D(3)
    norm.register_buffer("offsets", paddle.zeros([100]))
    counts = paddle.summary(nn.Sequential(norm), (1, 3, 2, 2))
    assert counts == {"total_params": 12, "trainable_params": 6}

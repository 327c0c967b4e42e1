"""Small networks of many kinds, each with a batch, a loss and an optimizer; all begin the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn, optimizer
from twinoar.core import unique_name

F = nn.functional


class Activations(nn.Layer):
    """A perceptron with another activation after each layer."""

    FUNCTIONS = (F.relu, F.gelu, F.silu, F.tanh, F.softplus, F.elu, F.hardswish, F.mish)

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(12, 12) for _ in self.FUNCTIONS])
        self.out = nn.Linear(12, 4)

    def forward(self, x):
        for function, layer in zip(self.FUNCTIONS, self.layers, strict=True):
            x = x + function(layer(x))
        return self.out(x)


def lenet() -> nn.Layer:
    return nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Conv2D(6, 8, 5), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten(),
        nn.Linear(72, 24), nn.Linear(24, 5),
    )  # fmt: skip


class Residual(nn.Layer):
    """Two blocks of a ResNet: convolution, normalization by the batch, a sum; the second halves."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2D(3, 8, 3, padding=1, bias_attr=False)
        self.norm = nn.BatchNorm2D(8)
        self.first = self._branch(8, 8, 1)
        self.second = self._branch(8, 16, 2)
        self.short = nn.Sequential(nn.Conv2D(8, 16, 1, 2, bias_attr=False), nn.BatchNorm2D(16))
        self.pool, self.out = nn.AdaptiveAvgPool2D(1), nn.Linear(16, 5)

    @staticmethod
    def _branch(given: int, made: int, stride: int) -> nn.Layer:
        return nn.Sequential(
            nn.Conv2D(given, made, 3, stride, 1, bias_attr=False), nn.BatchNorm2D(made), nn.ReLU(),
            nn.Conv2D(made, made, 3, padding=1, bias_attr=False), nn.BatchNorm2D(made),
        )  # fmt: skip

    def forward(self, x):
        x = F.relu(self.norm(self.stem(x)))
        x = F.relu(x + self.first(x))
        x = F.relu(self.short(x) + self.second(x))
        return self.out(paddle.flatten(self.pool(x), 1))


def convolutions() -> nn.Layer:
    """Depthwise, grouped, dilated and transposed ones, of uneven strides and paddings."""
    return nn.Sequential(
        nn.Conv2D(4, 4, 3, padding=1, groups=4), nn.ReLU(),
        nn.Conv2D(4, 8, 3, padding=(0, 1), groups=2), nn.ReLU(),
        nn.Conv2D(8, 6, 3, padding=2, dilation=2), nn.Tanh(),
        nn.Conv2D(6, 6, (2, 3), stride=(2, 1), padding=[1, 0, 2, 1]), nn.ReLU(),
        nn.Conv2DTranspose(6, 4, 3, stride=2, padding=1, output_padding=1), nn.ReLU(),
        nn.Conv2DTranspose(4, 2, 2, groups=2), nn.Flatten(1),
    )  # fmt: skip


class Pools(nn.Layer):
    """Pooling with windows that hang over the border, and adaptive pooling of uneven bins."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.out = nn.Conv2D(2, 4, 3, padding=1), nn.Linear(4 * 25, 5)

    def forward(self, x):
        x = self.conv(x)
        a = F.max_pool2d(x, 3, stride=2, padding=1, ceil_mode=True)
        b = F.avg_pool2d(x, 3, stride=2, padding=1, exclusive=True, ceil_mode=True)
        c = F.avg_pool2d(x, (2, 3), stride=(2, 1), padding=(1, 0), exclusive=False)
        parts = [F.adaptive_avg_pool2d(p, 5) for p in (a, b, c)]
        return self.out(paddle.flatten(sum(parts) + F.adaptive_max_pool2d(x, 5), 1))


class Encoder(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, 0.0, "gelu", normalize_before=True)
        self.encoder, self.out = nn.TransformerEncoder(layer, 2), nn.Linear(16, 20)

    def forward(self, ids):
        return self.out(self.encoder(self.table(ids)))


class Decoder(nn.Layer):
    """With a causal mask on its own positions, and one on those of the memory."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 16)
        layer = nn.TransformerDecoderLayer(16, 4, 32, 0.0)
        self.decoder, self.out = nn.TransformerDecoder(layer, 1), nn.Linear(16, 20)

    def forward(self, ids, memory):
        n, m = ids.shape[1], memory.shape[1]
        causal = paddle.triu(paddle.full([n, n], -1e9), 1)
        hidden = paddle.triu(paddle.full([n, m], -1e9), 3)
        return self.out(self.decoder(self.table(ids), memory, causal, hidden))


class Bag(nn.Layer):
    """A classifier of the mean of embedded words, of which word 0 is none."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.out = nn.Embedding(30, 8, padding_idx=0), nn.Linear(8, 4)

    def forward(self, ids):
        present = (ids != 0).astype("float32").unsqueeze(-1)
        mean = (self.table(ids) * present).sum(axis=1) / present.sum(axis=1).clip(1.0)
        return self.out(mean)


def autoencoder() -> nn.Layer:
    return nn.Sequential(
        nn.Linear(16, 8), nn.Sigmoid(), nn.Linear(8, 3), nn.Sigmoid(),
        nn.Linear(3, 8), nn.Sigmoid(), nn.Linear(8, 16), nn.Sigmoid(),
    )  # fmt: skip


def dropped() -> nn.Layer:
    return nn.Sequential(
        nn.Linear(12, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 16), nn.Dropout(0.5),
        nn.ReLU(), nn.Linear(16, 4),
    )  # fmt: skip


class Norms(nn.Layer):
    """Normalization by layer, by group and by instance."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2D(2, 8, 3), nn.Conv2D(8, 8, 3)
        self.group, self.instance = nn.GroupNorm(4, 8), nn.InstanceNorm2D(8)
        self.layer, self.out = nn.LayerNorm([8, 5, 4]), nn.Linear(8 * 20, 4)

    def forward(self, x):
        x = F.relu(self.group(self.first(x)))
        x = F.relu(self.instance(self.second(x)))
        return self.out(paddle.flatten(self.layer(x), 1))


def perceptron() -> nn.Layer:
    return nn.Sequential(
        nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 4)
    )


Array = np.ndarray
Numbers = np.random.Generator


def floats(*shape: int) -> Callable[[Numbers, int], Array]:
    return lambda numbers, n: numbers.standard_normal((n, *shape)).astype(np.float32)


def ints(limit: int, *shape: int) -> Callable[[Numbers, int], Array]:
    return lambda numbers, n: numbers.integers(0, limit, (n, *shape))


def shares(*shape: int) -> Callable[[Numbers, int], Array]:
    return lambda numbers, n: numbers.random((n, *shape), np.float32)


def classes(out: Any, y: Any) -> Any:
    return F.cross_entropy(out, y)


def weighted(out: Any, y: Any) -> Any:
    weight = paddle.to_tensor(np.array([1.0, 2.0, 0.5, 1.5], "float32"))
    return F.cross_entropy(out, y, weight=weight, ignore_index=3)


def words(out: Any, y: Any) -> Any:
    return F.cross_entropy(out.reshape([-1, out.shape[-1]]), y.reshape([-1]), label_smoothing=0.1)


def squares(out: Any, y: Any) -> Any:
    return F.mse_loss(out, y.astype(out.dtype))


def bits(out: Any, y: Any) -> Any:
    return F.binary_cross_entropy(out, y)


@dataclass(frozen=True)
class Work:
    """A network, what it is given, its loss and its optimizer."""

    make: Callable[[], nn.Layer]
    given: Sequence[Callable[[Numbers, int], Array]]
    target: Callable[[Numbers, int], Array]
    loss: Callable
    rule: str
    dtype: str = "float32"


# Adam divides by the size of the gradient: with a small epsilon, what differs in the last place of
# a gradient near 0 would become a whole step.
EPSILON = 1e-3
RULES: dict[str, Callable] = {
    "sgd": lambda ps: optimizer.SGD(0.1, ps, weight_decay=0.01),
    "momentum": lambda ps: optimizer.Momentum(0.05, 0.9, ps, use_nesterov=True),
    "adam": lambda ps: optimizer.Adam(0.01, parameters=ps, epsilon=EPSILON),
    "adamw": lambda ps: optimizer.AdamW(
        0.01, parameters=ps, epsilon=EPSILON, weight_decay=0.1,
        grad_clip=nn.ClipGradByGlobalNorm(0.5),
    ),
    "masters": lambda ps: optimizer.AdamW(
        0.01, parameters=ps, epsilon=EPSILON, multi_precision=True
    ),
    "rmsprop": lambda ps: optimizer.RMSProp(0.01, parameters=ps, epsilon=EPSILON, momentum=0.5),
    "adagrad": lambda ps: optimizer.Adagrad(0.05, parameters=ps, epsilon=EPSILON),
    "lamb": lambda ps: optimizer.Lamb(0.01, parameters=ps, epsilon=EPSILON),
    "adamax": lambda ps: optimizer.Adamax(0.01, parameters=ps, epsilon=EPSILON),
    "scheduled": lambda ps: optimizer.SGD(optimizer.lr.StepDecay(0.1, 1, 0.5), ps),
}  # fmt: skip
WORKS: dict[str, Work] = {
    "activations": Work(Activations, [floats(12)], ints(4), classes, "adam"),
    "lenet": Work(lenet, [floats(1, 20, 20)], ints(5), classes, "momentum"),
    "residual": Work(Residual, [floats(3, 9, 9)], ints(5), classes, "sgd"),
    "convolutions": Work(convolutions, [floats(4, 9, 8)], floats(342), squares, "rmsprop"),
    "pools": Work(Pools, [floats(2, 11, 10)], ints(5), classes, "adagrad"),
    "encoder": Work(Encoder, [ints(20, 7)], ints(20, 7), words, "adamw"),
    "decoder": Work(Decoder, [ints(20, 6), floats(5, 16)], ints(20, 6), words, "lamb"),
    "bag": Work(Bag, [ints(30, 9)], ints(4), weighted, "adam"),
    "autoencoder": Work(autoencoder, [floats(16)], shares(16), bits, "adamax"),
    "dropout": Work(dropped, [floats(12)], ints(4), classes, "scheduled"),
    "norms": Work(Norms, [floats(2, 9, 8)], ints(4), classes, "adamw"),
    "float64": Work(perceptron, [floats(12)], ints(4), classes, "adam", "float64"),
    "bfloat16": Work(perceptron, [floats(12)], ints(4), classes, "masters", "bfloat16"),
}  # fmt: skip


class Start:
    """A work at its beginning: the same numbers each time."""

    def __init__(self, name: str):
        self.work = WORKS[name]
        paddle.seed(11)
        with unique_name.guard():
            self.net = self.work.make()
            if self.work.dtype != "float32":
                self.net.to(dtype=self.work.dtype)
        self.parameters = [p for p in self.net.parameters() if not p.stop_gradient]
        self.optimizer = RULES[self.work.rule](self.parameters)
        self.numbers = np.random.default_rng(2)

    def arrays(self, count: int = 4) -> list[Array]:
        """The next batch: what the network is given, then the target."""
        return [make(self.numbers, count) for make in (*self.work.given, self.work.target)]

    def batch(self, count: int = 4) -> list[paddle.Tensor]:
        """The next batch as Tensors, in the dtype of the work."""
        *given, target = map(paddle.to_tensor, self.arrays(count))
        return [x.astype(self.work.dtype) if x.dtype == "float32" else x for x in given] + [target]

    def loss(self, *batch: Any) -> Any:
        *given, target = batch
        out = self.net(*given)
        return self.work.loss(
            out.astype("float32") if self.work.dtype == "bfloat16" else out, target
        )

    def state(self) -> list[Array]:
        """Parameters, statistics and moments."""
        moments = self.optimizer.state_dict()
        found = [*self.net.state_dict().values(), *(moments[k] for k in sorted(moments))]
        return [t.numpy() for t in found if isinstance(t, paddle.Tensor)]

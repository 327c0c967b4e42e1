"""Methods, layers, super(), properties."""

from __future__ import annotations

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given
from twinoar import nn

BATCHES = ([[1.0, 2.0], [3.0, -1.0]], [[-1.0, -2.0], [0.5, -0.5]])
SIGNS = ([1.0, 2.0], [-1.0, -2.0])


class Scaler:
    """Not a Layer."""

    limit = 2.0

    def __init__(self, scale):
        self.scale = scale

    def apply(self, x):
        if x.sum() > 0:
            return x * self.scale
        return self.shift(x)

    def shift(self, x):
        return x - self.scale

    @staticmethod
    def square(x):
        if x.max() > 1:
            return x * x
        return x

    @classmethod
    def bounded(cls, x):
        if x.max() > cls.limit:
            x = x.clip(max=cls.limit)
        return x

    @property
    def doubled(self):
        return self.scale * 2

    def __call__(self, x):
        return self.apply(x) * 10

    def __getitem__(self, key):
        return self.scale + key

    def __len__(self):
        return 3


@case(*SIGNS)
def properties_and_special_methods(x):
    scaler = Scaler(2.0)
    return x * scaler.doubled + scaler[3] * len(scaler)


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.scale = self.create_parameter([2])

    def forward(self, x):
        y = self.linear(x)
        if y.mean() > 0:
            y = y + self.scale
        return y


@case_of_new(*BATCHES)
class Network(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()
        self.head = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))

    def forward(self, x):
        if x.sum() > 2:
            x = self.first(x)
        else:
            x = self.second(x) + self.first(x)
        return self.head(x)


@case_of_new(*BATCHES)
class SharedLayer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.again = self.linear

    def forward(self, x):
        for layer in (self.linear, self.again):
            x = paddle.tanh(layer(x))
            if x.sum() > 0:
                x = layer(x)
        return x


@case_of_new(given([[1.0, 2.0]], [[1.0, 1.0]]), given([[1.0, 2.0]], None))
class OptionalInput(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x, mask=None):
        y = self.linear(x)
        if mask is not None:
            y = y * mask
        return {"y": y, "sum": y.sum()}


@case_of_new(*BATCHES)
class LayerDictAndParameterList(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2)})
        self.weights = nn.ParameterList([self.create_parameter([2, 2]) for _ in range(2)])

    def forward(self, x):
        for name, layer in self.layers.items():
            if name == "a" or x.sum() > 0:
                x = layer(x)
        for weight in self.weights:
            x = paddle.matmul(x, weight)
        return x


@case_of_new(*BATCHES)
class CallsMethodsByName(nn.Layer):
    def __init__(self):
        super().__init__()
        self.steps = ["grow", "shrink", "grow"]

    def grow(self, x):
        return x * 2 if x.sum() < 10 else x

    def shrink(self, x):
        return x * 0.5

    def forward(self, x):
        for step in self.steps:
            x = getattr(self, step)(x)
        return x if not hasattr(self, "missing") else -x

"""Methods, layers, super(), properties."""

import abc

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


class SmallScaler(Scaler):
    limit = 1.0

    def shift(self, x):
        if x.min() < -1.5:
            return super().shift(x) + 1
        return super().shift(x)


@case(*SIGNS)
def methods_of_plain_objects(x):
    scaler = SmallScaler(2.0)
    bound = scaler.apply
    return scaler.apply(x) + bound(-x) + scaler(x)


@case(*SIGNS)
def static_and_class_methods(x):
    return Scaler.square(x) + SmallScaler.bounded(x) + Scaler(1.0).bounded(x)


@case(*SIGNS)
def properties_and_special_methods(x):
    scaler = Scaler(2.0)
    return x * scaler.doubled + scaler[3] * len(scaler)


@case_of_new(*SIGNS)
def method_of_an_object():
    return Scaler(3.0).apply


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
class SelfByAnotherName(nn.Layer):
    def __init__(this):
        super().__init__()
        this.linear = nn.Linear(2, 2)

    def forward(this, values):
        if values.sum() > 0:
            return this.linear(values)
        return this.helper(values)

    def helper(me, values):
        return me.linear(values) * 2


class Base(nn.Layer):
    def __init__(self, width=2):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        if x.max() > 1:
            return self.linear(x)
        return self.activation(x)

    def activation(self, x):
        return paddle.tanh(x)


@case_of_new(*BATCHES)
class Derived(Base):
    def __init__(self):
        super().__init__(width=2)
        self.extra = nn.Linear(2, 2)

    def forward(self, x):
        y = super().forward(x)
        if y.sum() > 0:
            y = self.extra(y)
        return y

    def activation(self, x):
        return super(Derived, self).activation(x) + 1


class Mixin:
    def residual(self, x, y):
        return x + y if y.mean() > 0 else x - y


@case_of_new(*BATCHES)
class WithMixin(Mixin, Base):
    def forward(self, x):
        return self.residual(x, Base.forward(self, x))


@case_of_new(*BATCHES)
class WithProperties(nn.Layer):
    version = 2

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self._gain = 1.5

    @property
    def gain(self):
        return self._gain * self.version

    @property
    def strength(self):
        if self.linear.weight.sum() > 0:
            return self.linear.weight.max()
        return self.linear.weight.min()

    @staticmethod
    def halve(x):
        return x / 2 if x.sum() > 0 else x

    @classmethod
    def offset(cls, x):
        return x + cls.version

    def forward(self, x):
        return self.offset(self.halve(self.linear(x))) * self.gain + self.strength


class Activation(abc.ABC):
    @abc.abstractmethod
    def __call__(self, x): ...


class Leaky(Activation):
    def __call__(self, x):
        if x.sum() > 0:
            return x
        return x * 0.1


@case_of_new(*BATCHES)
class HoldsPlainObjects(nn.Layer):
    def __init__(self):
        super().__init__()
        self.activation = Leaky()
        self.functions = [paddle.tanh, lambda x: x * 2]
        self.options = {"gain": 3.0, "steps": 2}
        self.table = {"a": nn.Linear(2, 2)}
        self.add_sublayer("a", self.table["a"])

    def forward(self, x):
        x = self.activation(x)
        for _ in range(self.options["steps"]):
            for function in self.functions:
                x = function(x)
        return self.table["a"](x) * self.options["gain"]


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

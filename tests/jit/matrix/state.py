"""State: attributes, buffers, globals, nonlocal names, lists outside."""

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given
from twinoar import nn
from twinoar.nn import functional

BATCHES = ([[1.0, 2.0], [3.0, -1.0]], [[-1.0, -2.0], [0.5, -0.5]], [[1.0, 1.0], [1.0, 1.0]])
SCALE = 3.0
TABLE = {"gain": 2.0}


@case(*BATCHES)
def reads_globals(x):
    return x * SCALE + TABLE["gain"]


@case_of_new(*BATCHES)
class Buffer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", paddle.zeros([2]))

    def forward(self, x):
        self.total = self.total + x.sum(axis=0).detach()
        return x + self.total


@case_of_new(*BATCHES)
class BufferInABranch(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("largest", paddle.full([], -100.0))

    def forward(self, x):
        if x.max() > self.largest:
            self.largest = x.max().detach()
        return x - self.largest


@case_of_new(*BATCHES)
class BufferSetInPlace(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", paddle.zeros([], dtype="int64"))

    def forward(self, x):
        paddle.increment(self.steps.reshape([1]))
        self.steps.set_value(self.steps + 1)
        return x * self.steps.astype("float32")


@case_of_new(*BATCHES)
class TensorAttribute(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.hidden = None

    def forward(self, x):
        y = self.linear(x)
        if self.hidden is not None:
            y = y + self.hidden
        self.hidden = y.detach()
        return y


@case_of_new(*BATCHES)
class PlainCounter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


@case_of_new(*BATCHES)
class ListAttribute(nn.Layer):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def forward(self, x):
        self.outputs = []
        for i in range(3):
            x = x * 2
            self.outputs.append(x + i)
        return paddle.stack(self.outputs).sum(axis=0)


@case_of_new(*BATCHES)
class AttributeWithinOneCall(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        self.kept = x * 2
        if x.sum() > 0:
            self.kept = self.kept + 1
        return self.use(x)

    def use(self, x):
        return self.linear(self.kept) + x


@case_of_new(*BATCHES)
class BufferInALoop(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", paddle.zeros([2]))

    def forward(self, x):
        k = 0
        while k < x.shape[0]:
            self.state = self.state * 0.5 + x[k].detach()
            k += 1
        return x + self.state


@case_of_new(*BATCHES)
class BatchNorm(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1D(2)
        self.eval()

    def forward(self, x):
        y = self.norm(x)
        if self.training:
            y = y * 2
        return y


@case_of_new(*BATCHES)
class WeightReadInABranch(nn.Layer):
    def __init__(self):
        super().__init__()
        self.gate = self.create_parameter([2, 2])

    def forward(self, x):
        if x.sum() > 0:
            x = paddle.matmul(x, self.gate)
        return x


@case_of_new(*BATCHES)
def nonlocal_counter():
    count = 0

    def function(x):
        nonlocal count
        count = count + 1
        return x * count

    return function


@case_of_new(*BATCHES)
def list_outside():
    seen = []

    def function(x):
        seen.append(len(seen))
        return x * len(seen)

    return function


@case_of_new(*BATCHES)
def dict_outside():
    table = {"calls": 0.0}

    def function(x):
        table["calls"] += 1
        if x.sum() > 0:
            x = x * 2
        return x + table["calls"]

    return function


@case_of_new(*BATCHES)
def tensor_outside_updated():
    total = paddle.zeros([2])

    def function(x):
        total.set_value(total + x.sum(axis=0))
        return x + total

    return function


CALLS = {"global": 0}


@case_of_new(*BATCHES)
def global_counter():
    CALLS["global"] = 0
    globals()["counter"] = 0

    def function(x):
        global counter
        counter += 1
        CALLS["global"] += counter
        return x * counter + CALLS["global"]

    return function


counter = 0


@case_of_new(given([[1.0, 2.0]], [[1.0, 1.0]]), given([[3.0, 0.0]], [[0.0, 1.0]]))
class Recurrence(nn.Layer):
    def __init__(self):
        super().__init__()
        self.gate, self.new = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x, h):
        for _ in range(3):
            both = paddle.concat([x, h], axis=1)
            gate = functional.sigmoid(self.gate(both))
            h = gate * h + (1 - gate) * paddle.tanh(self.new(both))
            if h.sum() > 0.5:
                h = h * 0.9
        return h

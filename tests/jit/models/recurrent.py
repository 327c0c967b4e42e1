"""An LSTM written by hand: a loop over time, with masks for sequences that end earlier."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

SPEC = [
    paddle.static.InputSpec(["N", None, 3], "float32", "x"),
    paddle.static.InputSpec(["N"], "int64", "lengths"),
]


class LSTMCell(nn.Layer):
    def __init__(self, size, hidden):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Linear(size + hidden, 4 * hidden)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = paddle.split(self.gates(paddle.concat([x, h], axis=1)), 4, axis=1)
        c = F.sigmoid(f) * c + F.sigmoid(i) * paddle.tanh(g)
        h = F.sigmoid(o) * paddle.tanh(c)
        return h, (h, c)


class Classifier(nn.Layer):
    def __init__(self, size=3, hidden=5, classes=2):
        super().__init__()
        self.hidden = hidden
        self.cells = nn.LayerList([LSTMCell(size, hidden), LSTMCell(hidden, hidden)])
        self.attention = nn.Linear(hidden, 1, bias_attr=False)
        self.head = nn.Linear(2 * hidden, classes)

    def forward(self, x, lengths):
        batch, steps, _ = x.shape
        states = [
            (paddle.zeros([batch, self.hidden]), paddle.zeros([batch, self.hidden]))
            for _ in self.cells
        ]
        outputs = []
        for t in range(steps):
            out = x[:, t]
            alive = (lengths > t).astype("float32").unsqueeze(1)
            for i, cell in enumerate(self.cells):
                out, (h, c) = cell(out, states[i])
                old_h, old_c = states[i]
                states[i] = (alive * h + (1 - alive) * old_h, alive * c + (1 - alive) * old_c)
            outputs.append(out * alive)
        sequence = paddle.stack(outputs, axis=1)
        weights = F.softmax(self.attention(sequence), axis=1)
        context = (weights * sequence).sum(axis=1)
        return self.head(paddle.concat([context, states[-1][0]], axis=1))


def make(wrap):
    model = wrap(Classifier())
    optimizer = paddle.optimizer.Adam(
        0.02, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0)
    )
    criterion = nn.CrossEntropyLoss()

    def train_step(x, lengths, labels):
        loss = criterion(model(x, lengths), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for steps in (4, 6, 4):
        lengths = numbers.integers(1, steps + 1, 3)
        x = numbers.standard_normal((3, steps, 3)).astype("float32")
        yield x, lengths, numbers.integers(0, 2, 3)


def examples(numbers):
    for batch, steps in ((1, 1), (3, 4), (2, 7)):
        x = numbers.standard_normal((batch, steps, 3)).astype("float32")
        yield x, numbers.integers(1, steps + 1, batch)

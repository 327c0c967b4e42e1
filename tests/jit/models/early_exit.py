"""A network that answers after the first block that is sure enough."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

SPEC = [paddle.static.InputSpec([None, 4], "float32", "x")]


class Exit(nn.Layer):
    def __init__(self, size, classes):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.linear = nn.Linear(size, classes)

    def forward(self, x):
        return self.linear(self.norm(x))


class EarlyExit(nn.Layer):
    def __init__(self, size=4, classes=3, depth=4, sure=0.5):
        super().__init__()
        self.blocks = nn.LayerList(
            [nn.Sequential(nn.Linear(size, size), nn.Tanh()) for _ in range(depth)]
        )
        self.exits = nn.LayerList([Exit(size, classes) for _ in range(depth)])
        self.sure = sure

    def forward(self, x):
        if self.training:
            return self.all_exits(x)
        for number, (block, leave) in enumerate(zip(self.blocks, self.exits, strict=True)):
            x = x + block(x)
            logits = leave(x)
            confidence = F.softmax(logits, axis=-1).max(axis=-1)
            if confidence.min() > self.sure:
                return logits, paddle.to_tensor(number)
        return logits, paddle.to_tensor(len(self.blocks))

    def all_exits(self, x):
        found = []
        for block, leave in zip(self.blocks, self.exits, strict=True):
            x = x + block(x)
            found.append(leave(x))
        return found


def early_exit_loss(outputs, labels):
    total, weight = 0.0, 1.0
    for logits in outputs:
        loss = F.cross_entropy(logits, labels)
        # a block that has learned enough is left alone
        total = total + weight * loss if loss > 0.05 else total
        weight *= 0.8
    return total


def make(wrap):
    model = wrap(EarlyExit())
    scheduler = paddle.optimizer.lr.StepDecay(0.05, step_size=2)
    optimizer = paddle.optimizer.SGD(scheduler, parameters=model.parameters())

    def train_step(x, labels):
        loss = early_exit_loss(model(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def use(model, numbers):
    """What is done with the trained model."""
    model.eval()
    inputs = [numbers.standard_normal((2, 4)).astype("float32") * s for s in (0.1, 1, 10)]
    return [model(paddle.to_tensor(x)) for x in inputs]


def batches(numbers):
    for _ in range(4):
        yield numbers.standard_normal((6, 4)).astype("float32"), numbers.integers(0, 3, 6)


def examples(numbers):
    for batch, scale in ((1, 0.1), (1, 10.0), (1, 1.0), (5, 1.0)):
        yield (numbers.standard_normal((batch, 4)).astype("float32") * scale,)

"""A mixture of experts: a router sends each token to two of them, and some get none."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

SPEC = [paddle.static.InputSpec([None, 4], "float32", "x")]


class Expert(nn.Layer):
    def __init__(self, size, hidden):
        super().__init__()
        self.up, self.down = nn.Linear(size, hidden), nn.Linear(hidden, size)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class MixtureOfExperts(nn.Layer):
    def __init__(self, size=4, experts=4, chosen=2):
        super().__init__()
        self.router = nn.Linear(size, experts, bias_attr=False)
        self.experts = nn.LayerList([Expert(size, 2 * size) for _ in range(experts)])
        self.chosen = chosen
        self.balance = None

    def forward(self, x):
        probabilities = F.softmax(self.router(x), axis=-1)
        weights, indices = paddle.topk(probabilities, self.chosen, axis=-1)
        weights = weights / weights.sum(axis=-1, keepdim=True)
        out = paddle.zeros_like(x)
        usage = []
        for e, expert in enumerate(self.experts):
            picked = indices == e  # [tokens, chosen]
            usage.append(picked.astype("float32").sum())
            if not picked.any():
                continue
            rows = paddle.nonzero(picked.any(axis=1)).squeeze(1)
            weight = (weights * picked.astype("float32")).sum(axis=1)
            y = expert(paddle.gather(x, rows)) * paddle.gather(weight, rows).unsqueeze(1)
            out = paddle.index_add(out, rows, 0, y)
        share = paddle.stack(usage) / (x.shape[0] * self.chosen)
        self.balance = (share * probabilities.mean(axis=0)).sum() * len(self.experts)
        return out


class Network(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.moe = MixtureOfExperts()
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(x + self.moe(self.norm(x)))


def make(wrap):
    model = Network()
    model.moe = wrap(model.moe)
    optimizer = paddle.optimizer.AdamW(0.02, parameters=model.parameters())

    def train_step(x, labels):
        loss = F.cross_entropy(model(x), labels)
        loss = loss + 0.01 * model.moe.balance
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for tokens in (16, 16, 2):  # with two tokens some experts have nothing to do
        yield numbers.standard_normal((tokens, 4)).astype("float32"), numbers.integers(0, 2, tokens)


def examples(numbers):
    for tokens in (1, 2, 7):
        yield (numbers.standard_normal((tokens, 4)).astype("float32"),)

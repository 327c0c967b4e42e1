"""A Tree-LSTM: recursion over sentences that are nested tuples of words."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

VOCABULARY = ["the", "film", "was", "not", "very", "good", "bad", "at", "all"]
WORDS = {word: i for i, word in enumerate(VOCABULARY)}
TREES = (
    (("the", "film"), ("was", ("very", "good"))),
    (("the", "film"), ("was", ("not", ("good", ("at", "all"))))),
    "bad",
    ("not", "bad"),
)
SPEC = [TREES[0], paddle.static.InputSpec([1], "float32", "mood")]


class TreeLSTM(nn.Layer):
    def __init__(self, hidden=6):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(len(WORDS), hidden)
        self.gates = nn.Linear(2 * hidden, 5 * hidden)
        self.depth = self.create_parameter([hidden])

    def leaf(self, word):
        h = paddle.tanh(self.embed(paddle.to_tensor([WORDS[word]])))
        return h, paddle.zeros_like(h)

    def node(self, left, right):
        (h1, c1), (h2, c2) = left, right
        gates = self.gates(paddle.concat([h1, h2], axis=1))
        i, f1, f2, o, u = paddle.split(gates, 5, axis=1)
        c = F.sigmoid(i) * paddle.tanh(u) + F.sigmoid(f1) * c1 + F.sigmoid(f2) * c2
        if c.abs().max() > 1:
            c = c / c.abs().max()
        return F.sigmoid(o) * paddle.tanh(c), c

    def encode(self, tree, depth=0):
        if isinstance(tree, str):
            h, c = self.leaf(tree)
            return h + self.depth * depth, c
        left, right = (self.encode(child, depth + 1) for child in tree)
        return self.node(left, right)

    def forward(self, tree, mood):
        h, _ = self.encode(tree)
        if mood > 0:
            h = h + mood * 0.1
        return h


class Sentiment(nn.Layer):
    def __init__(self):
        super().__init__()
        self.encoder = TreeLSTM()
        self.head = nn.Linear(self.encoder.hidden, 2)

    def forward(self, tree, mood):
        return self.head(self.encoder(tree, mood))


def make(wrap):
    model = wrap(Sentiment())
    optimizer = paddle.optimizer.Adam(0.05, parameters=model.parameters())

    def train_step(tree, mood, label):
        loss = F.cross_entropy(model(tree, mood), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for tree, label in zip((*TREES, TREES[0]), (1, 0, 0, 1, 1), strict=True):
        yield tree, numbers.standard_normal(1).astype("float32"), [label]


def examples(numbers):
    for mood in (-1.0, 2.0):
        yield TREES[0], numbers.random(1).astype("float32") * mood

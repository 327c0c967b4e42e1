"""A text generator: a loop that appends tokens to a list until the end is drawn."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

LETTERS = "abcde."
END = LETTERS.index(".")
SPEC = [paddle.static.InputSpec([1], "int64", "start")]


class CharacterModel(nn.Layer):
    def __init__(self, hidden=8, limit=7):
        super().__init__()
        self.hidden, self.limit = hidden, limit
        self.embed = nn.Embedding(len(LETTERS), hidden)
        self.update = nn.Linear(2 * hidden, hidden)
        self.gate = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, len(LETTERS))

    def step(self, token, h):
        both = paddle.concat([self.embed(token), h], axis=-1)
        z = F.sigmoid(self.gate(both))
        h = z * h + (1 - z) * paddle.tanh(self.update(both))
        return self.out(h), h

    def forward(self, tokens):
        if not self.training:
            return self.generate(tokens)
        h = paddle.zeros([tokens.shape[0], self.hidden])
        loss = 0.0
        for t in range(tokens.shape[1] - 1):
            logits, h = self.step(tokens[:, t], h)
            loss += F.cross_entropy(logits, tokens[:, t + 1])
        return loss / (tokens.shape[1] - 1)

    def generate(self, start):
        h = paddle.zeros([1, self.hidden])
        token = start
        tokens = [start]
        score = paddle.zeros([])
        while len(tokens) < self.limit:
            logits, h = self.step(token, h)
            token = logits.argmax(axis=-1)
            score = score + F.log_softmax(logits, axis=-1).max()
            tokens.append(token)
            if token == END:
                break
        return paddle.concat(tokens), score


def encode(words):
    return [[LETTERS.index(letter) for letter in word] for word in words]


def make(wrap):
    model = wrap(CharacterModel())
    optimizer = paddle.optimizer.Adam(0.05, parameters=model.parameters())

    def train_step(tokens):
        loss = model(tokens)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def use(model, numbers):
    """What is done with the trained model."""
    model.eval()
    return [model(paddle.to_tensor([letter])) for letter in range(len(LETTERS) - 1)]


def batches(numbers):
    for words in (["abcd.", "bad..", "deed."], ["cab.", "bed."], ["abcd.", "dead.", "ebb.."]):
        yield (encode(words),)


def examples(numbers):
    for letter in (0, 1, 3, 4):
        yield ([letter],)

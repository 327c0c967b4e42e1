"""An encoder and decoder that learns with the right words and answers by beam search."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

WORDS, START, END = 9, 0, 1
SPEC = [paddle.static.InputSpec([1, None], "int64", "source")]


class Seq2Seq(nn.Layer):
    def __init__(self, hidden=8, beams=3, max_length=6):
        super().__init__()
        self.embed = nn.Embedding(WORDS, hidden)
        self.encoder = nn.Linear(hidden, hidden)
        self.cell = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, WORDS)
        self.beams, self.max_length = beams, max_length

    def encode(self, source):
        return paddle.tanh(self.encoder(self.embed(source)).mean(axis=1))

    def step(self, token, state):
        state = paddle.tanh(self.cell(paddle.concat([self.embed(token), state], axis=-1)))
        return F.log_softmax(self.out(state), axis=-1), state

    def forward(self, source, target=None):
        state = self.encode(source)
        if target is None:
            return self.search(state)
        losses = []
        token = paddle.full([source.shape[0]], START, dtype="int64")
        for t in range(target.shape[1]):
            log_p, state = self.step(token, state)
            losses.append(F.nll_loss(log_p, target[:, t]))
            token = target[:, t]
        return sum(losses) / len(losses)

    def search(self, state):
        k = self.beams
        state = state.expand([k, state.shape[-1]])
        tokens = paddle.full([k], START, dtype="int64")
        # one beam at first: the others would be its copies
        scores = paddle.to_tensor([0.0] + [-1e9] * (k - 1))
        finished = paddle.zeros([k], dtype="bool")
        sequences = paddle.full([k, self.max_length], END, dtype="int64")
        t = 0
        while t < self.max_length:
            log_p, state = self.step(tokens, state)
            # what is finished can only go on with END, at no cost
            keep = F.one_hot(paddle.to_tensor(END), WORDS)
            log_p = paddle.where(finished.unsqueeze(1), (keep - 1) * 1e9, log_p)
            total = (scores.unsqueeze(1) + log_p).reshape([-1])
            scores, flat = paddle.topk(total, k)
            parent, tokens = flat // WORDS, flat % WORDS
            state = paddle.gather(state, parent)
            sequences = paddle.gather(sequences, parent)
            sequences[:, t] = tokens
            finished = paddle.gather(finished, parent) | (tokens == END)
            t += 1
            if finished.all():
                break
        best = scores.argmax()
        return sequences[best], scores[best], paddle.to_tensor(t)


def make(wrap):
    model = wrap(Seq2Seq())
    optimizer = paddle.optimizer.Adam(0.02, parameters=model.parameters())

    def train_step(source, target):
        loss = model(source, target)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for _ in range(4):
        source = numbers.integers(2, WORDS, (3, 5))
        target = source[:, :4].copy()
        target[:, 2:] = END
        yield source, target


def examples(numbers):
    for length in (5, 2, 1):
        yield (numbers.integers(2, WORDS, (1, length)),)

"""A decoder whose attention keeps the keys and values of earlier tokens in the layer."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

WORDS, SIZE, HEADS = 10, 8, 2
SPEC = [paddle.static.InputSpec(["N", None], "int64", "tokens")]


class Attention(nn.Layer):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(SIZE, 3 * SIZE, bias_attr=False)
        self.out = nn.Linear(SIZE, SIZE)
        self.cache = None

    def forward(self, x, use_cache=False):
        n, t, _ = x.shape
        qkv = self.qkv(x).reshape([n, t, 3, HEADS, SIZE // HEADS]).transpose([2, 0, 3, 1, 4])
        q, k, v = qkv[0], qkv[1], qkv[2]  # [N,heads,T,D]
        past = 0
        if use_cache:
            if self.cache is not None:
                past = self.cache[0].shape[2]
                k = paddle.concat([self.cache[0], k], axis=2)
                v = paddle.concat([self.cache[1], v], axis=2)
            self.cache = (k.detach(), v.detach())
        scores = paddle.matmul(q, k, transpose_y=True) / (SIZE // HEADS) ** 0.5
        mask = paddle.triu(paddle.full([t, past + t], -1e9), past + 1)
        weights = F.softmax(scores + mask, axis=-1)
        y = paddle.matmul(weights, v).transpose([0, 2, 1, 3]).reshape([n, t, SIZE])
        return self.out(y)


class Decoder(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, SIZE)
        self.norm1, self.norm2 = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(SIZE, 16), nn.GELU(), nn.Linear(16, SIZE))
        self.head = nn.Linear(SIZE, WORDS)

    def forward(self, tokens, use_cache=False):
        x = self.embed(tokens)
        x = x + self.attention(self.norm1(x), use_cache)
        x = x + self.mlp(self.norm2(x))
        return self.head(x)

    def reset(self):
        self.attention.cache = None


def generate(model, tokens, count):
    """One token at a time, each with what the cache holds of those before."""
    model.reset()
    logits = model(tokens, use_cache=True)
    for _ in range(count):
        token = logits[:, -1].argmax(axis=-1, keepdim=True)
        tokens = paddle.concat([tokens, token], axis=1)
        logits = model(token, use_cache=True)
    return tokens, logits


def make(wrap):
    model = wrap(Decoder())
    optimizer = paddle.optimizer.AdamW(0.01, parameters=model.parameters())

    def train_step(tokens):
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.reshape([-1, WORDS]), tokens[:, 1:].reshape([-1]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def use(model, numbers):
    """What is done with the trained model."""
    model.eval()
    prompt = paddle.to_tensor(numbers.integers(0, WORDS, (2, 3)))
    with paddle.no_grad():
        return [*generate(model, prompt, 4), *generate(model, prompt, 2)]


def batches(numbers):
    for length in (6, 6, 4):
        yield (numbers.integers(0, WORDS, (3, length)),)


def examples(numbers):
    for batch, length in ((1, 1), (3, 5), (2, 8)):
        yield (numbers.integers(0, WORDS, (batch, length)),)

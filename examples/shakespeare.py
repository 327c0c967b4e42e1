"""Learn to write like Shakespeare, one character after the other, and write some.

    python examples/shakespeare.py [--model transformer|lstm] [--data FILE] [--output FOLDER]

Trains the same model twice, with `Model.fit` and in a loop of its own whose whole step is compiled,
draws both curves, and writes text with what the model keeps of the characters before: keys and
values, or states. The text is Tiny Shakespeare, `$TWINOAR_DATA_HOME/tinyshakespeare/input.txt`.
"""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import twinoar as paddle
from twinoar import cli, config, nn
from twinoar.callbacks import VisualDL
from twinoar.io import DataLoader, Dataset, DistributedBatchSampler
from twinoar.nn import functional as F

HELD_OUT = 0.1  # the share of the text, its end, that nothing is learned from
LENGTH = 64  # characters in a sample
BATCH_SIZE = 32
RATE, WARM_UP_STEPS = 3e-3, 50
PROMPT, WRITTEN, TEMPERATURE = "ROMEO:\n", 400, 0.7
CHECKED = 100  # characters that are written without a cache too


class Sizes(NamedTuple):
    """How large a model is, and for how many epochs it learns."""

    width: int
    layers: int
    epochs: int
    heads: int = 4


SIZES = {"transformer": Sizes(128, 3, epochs=2), "lstm": Sizes(256, 2, epochs=1)}


class Text(NamedTuple):
    """A text as numbers, each the place of a character in `alphabet`."""

    alphabet: str
    numbers: np.ndarray

    @classmethod
    def read(cls, path: Path) -> Text:
        """The text of a file."""
        characters = path.read_text(encoding="utf-8")
        alphabet = "".join(sorted(set(characters)))
        return cls(alphabet, cls(alphabet, np.empty(0)).encode(characters))

    def encode(self, characters: str) -> np.ndarray:
        """[T], int64."""
        places = {character: place for place, character in enumerate(self.alphabet)}
        return np.array([places[character] for character in characters])

    def decode(self, numbers: np.ndarray) -> str:
        """The characters of `numbers`, [T]."""
        return "".join(self.alphabet[number] for number in numbers)


class Windows(Dataset):
    """Pieces of a text: LENGTH characters, and the one that follows each of them."""

    def __init__(self, numbers: np.ndarray):
        self.numbers = numbers

    def __len__(self) -> int:
        return (len(self.numbers) - 1) // LENGTH

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        piece = self.numbers[index * LENGTH : (index + 1) * LENGTH + 1]
        return piece[:-1], piece[1:]


class Transformer(nn.Layer):
    """Causal self-attention that fades with distance, so a text may be longer than a sample.

    Source: arXiv 2108.12409, section 3.
    """

    def __init__(self, characters: int, sizes: Sizes):
        super().__init__()
        width, layers, heads = sizes.width, sizes.layers, sizes.heads
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0.0, activation="gelu", normalize_before=True
        )
        self.embedding = nn.Embedding(characters, width)
        self.encoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width))
        self.scores = nn.Linear(width, characters)
        slopes = 2.0 ** (-8.0 / heads * np.arange(1, heads + 1))
        self.register_buffer("slopes", paddle.to_tensor(slopes.reshape(-1, 1, 1), "float32"))

    def forward(self, tokens: Any, caches: Any = None) -> Any:
        """tokens: [N,T]. Returns scores [N,T,characters]; with caches a tuple of them and the new
        ones, of the keys and values of these positions too.
        """
        past = 0 if caches is None else caches[0].k.shape[2]
        mask = self.mask(past, tokens.shape[1])
        if caches is None:
            return self.scores(self.encoder(self.embedding(tokens), mask))
        x, caches = self.encoder(self.embedding(tokens), mask, caches)
        return self.scores(x), caches

    def mask(self, past: int, count: int) -> Any:
        """What is added to the scores of `count` positions after `past` others, [heads,Q,K]."""
        queries = paddle.arange(past, past + count, dtype="float32").unsqueeze(1)
        distance = queries - paddle.arange(past + count, dtype="float32")  # [Q,K]
        hidden = paddle.full([count, past + count], -1e9).triu(past + 1)
        return hidden - self.slopes * distance.abs()

    def start(self) -> Any:
        """The caches of a text of no characters."""
        return self.encoder.gen_cache(self.embedding.weight.unsqueeze(0)[:, :1])


class LSTM(nn.Layer):
    """Layers of LSTM cells."""

    def __init__(self, characters: int, sizes: Sizes):
        super().__init__()
        self.embedding = nn.Embedding(characters, sizes.width // 2)
        self.lstm = nn.LSTM(sizes.width // 2, sizes.width, num_layers=sizes.layers)
        self.scores = nn.Linear(sizes.width, characters)

    def forward(self, tokens: Any, states: Any = None) -> Any:
        """tokens: [N,T]. Returns scores [N,T,characters]; with states a tuple of them and the
        states after these positions.
        """
        x, after = self.lstm(self.embedding(tokens), states)
        return self.scores(x) if states is None else (self.scores(x), after)

    def start(self) -> Any:
        """The states before the first character."""
        shape = [self.lstm.num_layers, 1, self.lstm.hidden_size]
        return paddle.zeros(shape), paddle.zeros(shape)


MODELS = {"transformer": Transformer, "lstm": LSTM}


def optimizer_of(model: nn.Layer, steps: int) -> paddle.optimizer.Optimizer:
    """AdamW, its rate rising at first and then falling along a cosine."""
    falling = paddle.optimizer.lr.CosineAnnealingDecay(RATE, T_max=steps)
    schedule = paddle.optimizer.lr.LinearWarmup(falling, WARM_UP_STEPS, 0.0, RATE)
    clip = nn.ClipGradByGlobalNorm(1.0)
    return paddle.optimizer.AdamW(schedule, parameters=model.parameters(), grad_clip=clip)


def fit(model: nn.Layer, train: Dataset, test: Dataset, steps: int, folder: Path) -> None:
    """Train with `Model.fit`, which runs operator by operator, and log in `folder`."""
    trainer = paddle.Model(model)
    trainer.prepare(optimizer_of(model, steps), nn.CrossEntropyLoss())
    trainer.fit(
        train, test, BATCH_SIZE, log_freq=100, drop_last=True, num_iters=steps,
        callbacks=VisualDL(str(folder)),
    )  # fmt: skip


def train_by_hand(model: nn.Layer, train: Dataset, steps: int, folder: Path) -> None:
    """Train in a loop of its own, of which a step is compiled, and log in `folder`."""
    optimizer = optimizer_of(model, steps)

    @paddle.jit.to_static
    def step(tokens: Any, following: Any) -> Any:
        loss = F.cross_entropy(model(tokens), following)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    log = VisualDL(str(folder))
    batches = DistributedBatchSampler(train, BATCH_SIZE, shuffle=True, drop_last=True)  # as `fit`
    loader = DataLoader(train, batch_sampler=batches)
    model.train()
    done = 0
    while done < steps:
        for tokens, following in loader:
            log.on_train_batch_end(done, {"loss": [step(tokens, following).item()]})
            optimizer._learning_rate.step()
            done += 1
            if done == steps:
                break
    log.on_train_end()


def loss_on(model: nn.Layer, test: Dataset) -> float:
    """The mean loss, in nats for a character."""
    model.eval()
    with paddle.no_grad():
        batches = DataLoader(test, batch_size=BATCH_SIZE, drop_last=True)
        losses = [F.cross_entropy(model(tokens), labels).item() for tokens, labels in batches]
    return float(np.mean(losses))


def write(model: nn.Layer, prompt: np.ndarray, count: int, cached: bool = True) -> np.ndarray:
    """`prompt`, [T], and `count` characters after it, drawn by the seed.

    cached: each character is computed from itself and what was kept of those before; otherwise
    from all of them.
    """
    model.eval()
    paddle.seed(0)
    tokens = paddle.to_tensor(prompt).unsqueeze(0)
    kept, new = model.start(), tokens
    with paddle.no_grad():
        for _ in range(count):
            if cached:
                scores, kept = model(new, kept)
            else:
                scores = model(tokens)
            new = paddle.multinomial(F.softmax(scores[:, -1] / TEMPERATURE))
            tokens = paddle.concat([tokens, new], 1)
    return tokens[0].numpy()


def main() -> None:
    """Run the whole demonstration; exits with 1 if something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=MODELS, default="transformer")
    parser.add_argument(
        "--data", type=Path, default=config.data_home / "tinyshakespeare" / "input.txt"
    )
    parser.add_argument("--output", type=Path, default=Path("output"))
    parser.add_argument("--steps", type=int, help="those of an epoch or two")
    options = parser.parse_args()

    sizes = SIZES[options.model]
    text = Text.read(options.data)
    border = int(len(text.numbers) * (1 - HELD_OUT))
    train, test = Windows(text.numbers[:border]), Windows(text.numbers[border:])
    steps = options.steps or sizes.epochs * (len(train) // BATCH_SIZE)
    paddle.seed(1)
    fitted, compiled = (MODELS[options.model](len(text.alphabet), sizes) for _ in range(2))
    compiled.set_state_dict(fitted.state_dict())
    count = sum(p.size for p in fitted.parameters())
    print(f"{options.model}: {count:,} parameters, {steps} steps")

    losses = []
    for name, model in {"fit": fitted, "by_hand": compiled}.items():
        folder = options.output / f"{options.model}_{name}"
        shutil.rmtree(folder, ignore_errors=True)  # the curves of an earlier run
        begin = time.perf_counter()
        if name == "fit":
            fit(model, train, test, steps, folder)
        else:
            train_by_hand(model, train, steps, folder)
        seconds = time.perf_counter() - begin
        losses.append(loss_on(model, test))
        print(f"{name}: {seconds:.1f} s, loss on text not learned from {losses[-1]:.3f}")
        cli.main(["plot", str(folder)])

    prompt = text.encode(PROMPT)
    texts = {}
    for cached, count in ((True, WRITTEN), (False, CHECKED)):
        begin = time.perf_counter()
        texts[cached] = text.decode(write(compiled, prompt, count, cached))
        seconds = time.perf_counter() - begin
        print(f"{count} characters {'with' if cached else 'without'} cache: {seconds:.2f} s")
    print(texts[True])
    if not texts[True].startswith(texts[False]):
        raise SystemExit("the texts with and without cache differ")
    if abs(losses[0] - losses[1]) > 0.05:
        raise SystemExit("the two ways of training came to different losses")


if __name__ == "__main__":
    main()

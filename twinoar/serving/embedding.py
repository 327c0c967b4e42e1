"""Models that turn a text into one vector, of Hugging Face's folders: BERT, GPT-2 and LLaMA.

The words' vectors are pooled and made of length one, as the folder says where it is one of
sentence-transformers. Texts of about the same length share batches: each is filled up to one of a
few lengths, with words that nothing sees.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from twinoar import nn, pretrained
from twinoar.errors import FileError, UnsupportedError
from twinoar.export.save import save
from twinoar.inference import Config, create_predictor
from twinoar.ops.create.range import arange
from twinoar.ops.index.mask import where
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.select import maximum
from twinoar.pretrained.generation import Writer
from twinoar.serving.chat import read_settings
from twinoar.serving.configuration import Defaults, complete, parameter, queue_of
from twinoar.serving.request import Arrays, Request
from twinoar.serving.scheduler import BatchPolicy, Scheduler
from twinoar.serving.statistics import Statistics
from twinoar.serving.status import invalid
from twinoar.serving.tokenizer import Tokenizer, open_tokenizer
from twinoar.static.input import InputSpec

EMBEDDINGS = "embeddings"  # what the parameter `writes` says of a model that could write too
SHORTEST = 16  # to which short texts are filled up
MOST_CONTEXT = 1 << 13  # where neither the model nor the config says less
LEAST_NORM = 1e-12
POOLINGS = ("mean", "first", "last")
POOLING_FILE, MODULES_FILE = "1_Pooling/config.json", "modules.json"
# What sentence-transformers says in POOLING_FILE.
POOLING_MODES = {
    "pooling_mode_cls_token": "first",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}
Pooling = Literal["mean", "first", "last"]


@dataclass(eq=False, slots=True)
class TextRequest(Request):
    """A text for one of these models, in words that it knows and a length that it runs."""


class Embedding(nn.Layer):
    """A vector [batch,width] of the words [batch,steps] of each text, of which count[n] are there.

    >>> import twinoar
    >>> config = {"vocab_size": 9, "n_positions": 8, "n_embd": 8, "n_layer": 1, "n_head": 2}
    >>> rates = dict.fromkeys(("embd_pdrop", "resid_pdrop", "attn_pdrop"), 0.1)
    >>> rest = {"activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
    >>> model = twinoar.pretrained.GPT2Model({**config, **rates, **rest})
    >>> words, count = twinoar.to_tensor([[1, 2, 0]]), twinoar.to_tensor([2])
    >>> Embedding(model, "last", True)(words, count).shape
    [1, 8]
    """

    def __init__(self, model: Any, pooling: Pooling, normalizes: bool):
        super().__init__()
        self.model, self.pooling, self.normalizes = model, pooling, normalizes

    def forward(self, words: Any, count: Any) -> Any:
        places, ends = arange(words.shape[1]).unsqueeze(0), count.unsqueeze(1)
        there = where(places < ends, 1.0, 0.0)
        if isinstance(self.model, pretrained.BertModel):
            hidden = self.model(words, there)[0]
        else:  # no word sees those behind it, so none sees what a text is filled up with
            hidden = self.model(words)
        if self.pooling == "mean":
            share = there / ends.astype("float32")
        else:
            last = ends - 1 if self.pooling == "last" else ends * 0
            share = where(places == last, 1.0, 0.0)
        pooled = matmul(share.unsqueeze(1), hidden).squeeze(1)
        if not self.normalizes:
            return pooled
        norm = (pooled * pooled).sum(axis=-1, keepdim=True).sqrt()
        return pooled / maximum(norm, norm * 0 + LEAST_NORM)


class EmbeddingModel:
    """A model of vectors that is ready. width: of a vector. lengths: those that are run."""

    def __init__(
        self, name: str, version: int, config: Any, scheduler: Scheduler, tokenizer: Tokenizer,
        vocabulary: int, width: int, lengths: tuple[int, ...],
    ):  # fmt: skip
        self.name, self.version, self.config = name, version, config
        self.scheduler, self.statistics = scheduler, scheduler.statistics
        self.tokenizer, self.vocabulary = tokenizer, vocabulary
        self.width, self.lengths = width, lengths

    def words(self, text: str) -> list[int]:
        """A text in words, those among them that models want around each."""
        return list(self.tokenizer.encode(text))

    def request(self, words: list[int]) -> TextRequest:
        """What is asked of it for a text; its answer is `vector`. Raises ServingError."""
        if not words:
            raise invalid("a text without words has no vector", cure="leave it out")
        if len(words) > self.lengths[-1]:
            raise invalid(
                f"a text has at most {self.lengths[-1]} tokens, received {len(words)}",
                cure="cut it",
            )
        if not all(0 <= word < self.vocabulary for word in words):
            raise invalid(f"a token is from 0 to {self.vocabulary - 1}")
        length = min(n for n in self.lengths if n >= len(words))
        filled = np.zeros((1, length), "int64")
        filled[0, : len(words)] = words
        return TextRequest({"words": filled, "count": np.array([len(words)])})

    def submit(self, request: Request) -> None:
        """Let a text wait for its turn. Raises ServingError for what is none, or may not wait."""
        if not isinstance(request, TextRequest):
            raise invalid(f"{self.name} takes text", cure="ask /v1/embeddings")
        self.scheduler.submit(request)

    def pending(self) -> int:
        """How many texts wait."""
        return self.scheduler.pending()

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Take no more and finish what is there; whether that was done in time."""
        return self.scheduler.close(timeout_seconds)


def open_embeddings(
    model: Any, folder: Path, version: int, config: Any, defaults: Defaults, *, python: bool = False
) -> EmbeddingModel:
    """The model of vectors of a folder of Hugging Face. Raises FileError, UnsupportedError."""
    place = folder / str(version)
    base = getattr(model, model.base, model)
    kinds = (pretrained.BertModel, pretrained.GPT2Model, pretrained.LlamaModel)
    if not isinstance(base, kinds):
        raise UnsupportedError(
            f"{folder.name}: {type(model).__name__} neither writes text nor makes vectors of it",
            cure="save it by paddle.jit.save, and serve what is saved",
        )
    if base is not model and not isinstance(model, Writer):
        raise UnsupportedError(
            f"{folder.name}: {type(model).__name__} does not write text, nor makes vectors of it",
            cure="name BertModel in the config's architectures, if its head is to be left out",
        )
    tokenizer = open_tokenizer(
        place, parameter(config, "tokenizer") or pretrained.tokenizer.FILE, python=python
    )
    complete(config, (), (), defaults, False)
    config.max_batch_size = config.max_batch_size or defaults.max_batch_size
    config.dynamic_batching.SetInParent()
    lengths = _lengths(config, base)
    threads = int(parameter(config, "threads") or defaults.threads)
    run = _compiled(_pooled(base, config, place), threads)
    policy = BatchPolicy(config.max_batch_size, sizes=_sizes(config.max_batch_size))
    width = _warm_up(run, policy.sizes, lengths)
    scheduler = Scheduler(
        [run], policy, queue_of(config, defaults), Statistics(), name=f"{folder.name} {version}"
    )
    vocabulary = int(base.config["vocab_size"])
    return EmbeddingModel(
        folder.name, version, config, scheduler, tokenizer, vocabulary, width, lengths
    )


def _lengths(config: Any, base: Any) -> tuple[int, ...]:
    """Powers of two up to what the model has places for, or the config's `context_length`."""
    most = MOST_CONTEXT
    if base.config.has("max_position_embeddings"):
        most = min(most, base.config.count("max_position_embeddings"))
    if isinstance(base, pretrained.GPT2Model):
        most = min(most, base.places)
    if isinstance(base, pretrained.LlamaModel):
        most = min(most, base.turning.speeds.limit or most)  # longer texts turn otherwise
    told = parameter(config, "context_length")
    if told is not None and not (told.isdecimal() and 1 <= int(told) <= most):
        raise FileError(f"{config.name}: context_length is from 1 to {most}, not {told!r}")
    most = most if told is None else int(told)
    return (*(1 << n for n in range(most.bit_length()) if SHORTEST <= 1 << n < most), most)


def _sizes(most: int) -> tuple[int, ...]:
    """Powers of four, as each is compiled for each length."""
    return (*(4**n for n in range(most.bit_length()) if 4**n < most), most)


def _pooled(base: Any, config: Any, place: Path) -> Embedding:
    """The model with how its words become one vector: as the config says, or the folder."""
    causal = not isinstance(base, pretrained.BertModel)
    pooling = parameter(config, "pooling") or _told_pooling(place) or ("last" if causal else "mean")
    if pooling not in POOLINGS:
        raise FileError(f"{config.name}: pooling is one of {', '.join(POOLINGS)}, not {pooling!r}")
    told = parameter(config, "normalize") or ("true" if _normalizes(place) else "false")
    if told not in ("true", "false"):
        raise FileError(f"{config.name}: normalize is true or false, not {told!r}")
    layer = Embedding(base, pooling, told == "true")  # type: ignore[arg-type]
    layer.eval()
    return layer


def _told_pooling(place: Path) -> str | None:
    """The pooling of a folder of sentence-transformers, None for others."""
    told = read_settings(place / POOLING_FILE)
    modes = [name for name, value in told.items() if name.startswith("pooling_mode") and value]
    if not modes:
        return None
    if len(modes) > 1 or modes[0] not in POOLING_MODES:
        raise UnsupportedError(
            f"{place / POOLING_FILE} asks for {', '.join(modes)}",
            cure=f"served is one of {', '.join(POOLING_MODES)}",
        )
    return POOLING_MODES[modes[0]]


def _normalizes(place: Path) -> bool:
    """Whether vectors are made of length one: not if the folder lists its modules without that."""
    file = place / MODULES_FILE
    if not file.is_file():
        return True
    try:
        told = json.loads(file.read_bytes())
        return any(str(module["type"]).endswith("Normalize") for module in told)
    except (ValueError, TypeError, KeyError) as error:
        raise FileError(f"cannot read {file}: it lists modules with their types") from error


def _compiled(layer: Embedding, threads: int) -> Callable[[Arrays], Arrays]:
    spec = [InputSpec([None, None], "int64", "words"), InputSpec([None], "int64", "count")]
    with tempfile.TemporaryDirectory() as folder:
        save(layer, f"{folder}/model", spec)
        config = Config(f"{folder}/model.pdmodel", f"{folder}/model.pdiparams")
        if threads:
            config.set_cpu_math_library_num_threads(threads)
        predictor = create_predictor(config)

    def run(arrays: Arrays) -> Arrays:
        found = predictor.run([arrays["words"], arrays["count"]])
        assert found is not None
        return {"vector": found[0]}

    return run


def _warm_up(
    run: Callable[[Arrays], Arrays], sizes: tuple[int, ...], lengths: tuple[int, ...]
) -> int:
    """Run all sizes that will come, so that they are compiled; the width of a vector."""
    width = 0
    for rows in sizes:
        for length in lengths:
            words, count = np.zeros((rows, length), "int64"), np.ones(rows, "int64")
            width = run({"words": words, "count": count})["vector"].shape[1]
    return width

"""Texts gone on with: `generate` of the models that write, greedily, by drawing, or with beams.

Words are numbers here; `pretrained.Tokenizer` makes them of text. Each word reads itself alone, as
the keys and values of those before are kept (`past`). Names and defaults are those of
transformers, and so is what is returned: the texts with their prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from twinoar.autograd import no_grad
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.pretrained.beam import Beams
from twinoar.pretrained.choice import Choice, drawn, let_in, penalized
from twinoar.pretrained.past import Kept, Past, Room

if TYPE_CHECKING:
    from twinoar.pretrained.config import Config

USUAL_NEW = 20  # words, where nothing says how many; as in transformers


@dataclass(frozen=True, slots=True)
class Ends:
    """Where texts end. words: that end one. most: words of a text, its prompt among them.

    least: new words before it may end. padding: what stands behind a text that has ended.
    """

    words: tuple[int, ...]
    most: int
    least: int
    padding: int

    def forbidden(self, scores: np.ndarray, written: int) -> np.ndarray:
        """Scores [batch,words] in which nothing ends a text that is too short."""
        if written >= self.least or not self.words:
            return scores
        scores = scores.copy()
        scores[:, list(self.words)] = -np.inf
        return scores


class Writer:
    """What models that write have in common."""

    config: Config

    def kept(self) -> Kept:
        """What the model keeps of each word."""
        raise AssertionError("each model says it")

    def scores(self, x: Any) -> Any:
        """Vectors [batch,steps,width] to a score for each word [batch,steps,words]."""
        raise AssertionError("each model says it")

    def generate(
        self,
        input_ids: Any,
        attention_mask: Any = None,
        *,
        max_length: int | None = None,
        max_new_tokens: int | None = None,
        min_new_tokens: int = 0,
        do_sample: bool = False,
        temperature: float = 1.0,
        top_k: int = 0,
        top_p: float = 1.0,
        repetition_penalty: float = 1.0,
        num_beams: int = 1,
        length_penalty: float = 1.0,
        early_stopping: bool = False,
        num_return_sequences: int = 1,
        eos_token_id: int | Sequence[int] | None = None,
        pad_token_id: int | None = None,
        seed: int | None = None,
    ) -> Tensor:
        """Texts [batch * num_return_sequences,steps] that begin with `input_ids` [batch,steps].

        input_ids: int64 or int32. attention_mask: 1 for words and 0 for padding, [batch,steps];
        padding lies in front. max_length: words of a text with its prompt; max_new_tokens: without
        it; 20 new ones where neither is said. Without `do_sample` the likeliest word comes each
        time. num_beams: the texts that are followed beside each other, of which the likeliest are
        returned, by the sum of the logarithms of probabilities divided by the number of new words
        to the power of `length_penalty`; `early_stopping` ends with the first so many that end.
        eos_token_id: words that end a text, the config's if None, -1 for none. pad_token_id: what
        follows a text that has ended before others. seed: the same gives the same texts, which do
        not depend on the texts beside them. Raises ArgumentError, ShapeError, DTypeError.

        >>> from twinoar import pretrained
        >>> config = {"vocab_size": 9, "n_positions": 8, "n_embd": 8, "n_layer": 1, "n_head": 2}
        >>> rates = dict.fromkeys(("embd_pdrop", "resid_pdrop", "attn_pdrop"), 0.0)
        >>> rest = {"activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
        >>> model = pretrained.GPT2LMHeadModel({**config, **rates, **rest}).eval()
        >>> model.generate([[1, 2]], max_new_tokens=3, eos_token_id=-1).shape
        [1, 5]
        """
        choice = Choice(do_sample, temperature, top_k, top_p, repetition_penalty)
        prompts, padding = _prompts(input_ids, attention_mask)
        ends = self._ends(prompts.shape[1], max_length, max_new_tokens, eos_token_id, pad_token_id)
        ends = replace(ends, least=_whole("min_new_tokens", min_new_tokens, 0))
        copies = _whole("num_return_sequences", num_return_sequences)
        width = _whole("num_beams", num_beams)
        if width == 1:
            if copies > 1 and not do_sample:
                raise ArgumentError(
                    "without drawing and beams a prompt has one text",
                    cure="do_sample=True, or num_beams of at least num_return_sequences",
                )
            rows = np.repeat(np.arange(len(prompts)), copies)
            texts = _one_by_one(self, prompts[rows], padding[rows], choice, ends, seed)
            return to_tensor(texts)
        if do_sample or copies > width:
            raise ArgumentError(
                f"num_beams={width} with do_sample={do_sample}, num_return_sequences={copies}",
                cure="beams do not draw, and give back at most num_beams texts",
            )
        beams = Beams(len(prompts), width, length_penalty, early_stopping, ends.words)
        return to_tensor(_beside_each_other(self, prompts, padding, choice, ends, beams, copies))

    def hidden(self, words: Any, past: Past) -> Any:
        """The vectors [batch,steps,width] of words [batch,steps], with what is kept before them."""
        return getattr(self, self.base)(words, None, past)  # type: ignore[attr-defined]

    def next_scores(self, words: np.ndarray, past: Past) -> np.ndarray:
        """The scores [batch,words] of what follows words [batch,steps], as float64."""
        last = self.hidden(to_tensor(words), past)[:, -1:]
        return np.asarray(self.scores(last)[:, 0].numpy(), np.float64)

    def _ends(
        self, steps: int, most: int | None, new: int | None, words: Any, padding: int | None
    ) -> Ends:
        if most is not None and new is not None:
            raise ArgumentError(
                f"max_length={most} and max_new_tokens={new} both say where a text ends",
                cure="leave one out",
            )
        total = _whole("max_length", most) if most is not None else None
        if total is None:
            total = steps + (USUAL_NEW if new is None else _whole("max_new_tokens", new))
        places = self.kept().places
        if total <= steps or (places is not None and total > places):
            room = "as many as it likes" if places is None else f"at most {places}"
            raise ArgumentError(
                f"a text of {total} words does not fit: the prompt has {steps}, the model takes "
                f"{room}",
                cure="max_new_tokens says how many come after the prompt",
            )
        told = self.config.told.get("eos_token_id") if words is None else words
        ending = _ending(told)
        if padding is None:
            padding = self.config.told.get("pad_token_id")
        usual = ending[0] if ending else 0
        return Ends(ending, total, 0, usual if padding is None else int(padding))


def _ending(told: Any) -> tuple[int, ...]:
    listed = list(told) if isinstance(told, list | tuple) else [] if told is None else [told]
    if not all(isinstance(word, int | np.integer) for word in listed):
        raise ArgumentError(f"eos_token_id is a number, or several, received {told!r}")
    return tuple(int(word) for word in listed if word >= 0)


@no_grad()
def _one_by_one(
    model: Writer, texts: np.ndarray, padding: np.ndarray, choice: Choice, ends: Ends,
    seed: int | None,
) -> np.ndarray:  # fmt: skip
    """Go on with each text [batch,steps] by itself."""
    batch, steps = texts.shape
    generators = [np.random.default_rng(_seed(seed, row)) for row in range(batch)]
    room = Room(model.kept(), batch, ends.most, padding)
    goes_on, unread = np.ones(batch, bool), texts
    while texts.shape[1] < ends.most and goes_on.any():
        room.read(unread.shape[1])
        scores = _checked(model.next_scores(unread, room))
        scores = penalized(scores, texts, choice.repetition_penalty)
        scores = ends.forbidden(scores, texts.shape[1] - steps)
        chosen = drawn(let_in(scores, choice), generators) if choice.sample else scores.argmax(-1)
        unread = np.where(goes_on, chosen, ends.padding)[:, None].astype(texts.dtype)
        texts = np.concatenate([texts, unread], axis=1)
        goes_on &= ~np.isin(unread[:, 0], ends.words)
    return texts


@no_grad()
def _beside_each_other(
    model: Writer, prompts: np.ndarray, padding: np.ndarray, choice: Choice, ends: Ends,
    beams: Beams, copies: int,
) -> np.ndarray:  # fmt: skip
    """Go on with each prompt [batch,steps] in several beams; the best `copies` of each."""
    steps = prompts.shape[1]
    rows = np.repeat(np.arange(len(prompts)), beams.width)
    texts, unread = prompts[rows], prompts[rows]
    room = Room(model.kept(), len(rows), ends.most, padding[rows])
    while texts.shape[1] < ends.most and beams.go_on:
        room.read(unread.shape[1])
        scores = penalized(
            _checked(model.next_scores(unread, room)), texts, choice.repetition_penalty
        )
        written = texts.shape[1] - steps
        last = texts.shape[1] + 1 == ends.most
        parents, unread = beams.advance(ends.forbidden(scores, written), texts, steps, last=last)
        texts = np.concatenate([texts[parents], unread], axis=1)
        room.reorder(parents)
    return beams.best(copies, ends.padding)


def _checked(scores: np.ndarray) -> np.ndarray:
    if np.isnan(scores).any():
        raise ArgumentError(
            "the model gives scores that are no numbers", cure="look at its weights and its words"
        )
    return scores


def _seed(seed: int | None, row: int) -> Any:
    """Random numbers of each row apart, so that a text does not depend on those beside it."""
    return None if seed is None else [_whole("seed", seed, 0), row]


def _prompts(input_ids: Any, attention_mask: Any) -> tuple[np.ndarray, np.ndarray]:
    """The words [batch,steps], and how many of padding each begins with [batch]."""
    words = np.asarray(input_ids.numpy() if isinstance(input_ids, Tensor) else input_ids)
    if words.ndim != 2 or not words.size:
        raise ShapeError(f"input_ids must be [batch,steps] with words, not {list(words.shape)}")
    if words.dtype.kind not in "iu":
        raise DTypeError(f"input_ids are whole numbers, received {words.dtype}")
    if attention_mask is None:
        return words, np.zeros(len(words), np.int64)
    mask = attention_mask.numpy() if isinstance(attention_mask, Tensor) else attention_mask
    there = np.asarray(mask).astype(bool)
    if there.shape != words.shape:
        raise ShapeError(f"attention_mask is {list(there.shape)}, input_ids {list(words.shape)}")
    padding = (~there).sum(axis=1)
    if (there != (np.arange(words.shape[1]) >= padding[:, None])).any() or not there.any(1).all():
        raise ArgumentError(
            "a prompt has words behind its padding, and none between",
            cure="put padding in front: pad on the left",
        )
    return words, padding


def _whole(name: str, value: Any, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ArgumentError(f"{name} is a whole number from {least}, received {value!r}")
    return int(value)

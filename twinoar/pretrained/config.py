"""What `config.json` says, value by value: each is checked where it is read, and counted as read.

What a model computes hangs on its config, so no value may be passed over: one that nobody has read,
and that is not among those which change nothing, is an error. What transformers keeps there for
itself, for training and for continuing texts changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import FileError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.ops.create.fill import assign

MOST = 1 << 20  # of anything that is counted: the largest vocabularies have a quarter of that
MOST_LAYERS = 1 << 10  # the deepest have an eighth of that
QUICK = 1.702  # the slope of the sigmoid that looks most like that of a normal distribution


def quick_gelu(x: Any) -> Any:
    """x * sigmoid(1.702 x). Source: arXiv 1606.08415, section 2."""
    return x * F.sigmoid(x * QUICK)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "gelu": F.gelu,
    "gelu_fast": partial(F.gelu, approximate=True),
    "gelu_new": partial(F.gelu, approximate=True),
    "gelu_python": F.gelu,
    "gelu_pytorch_tanh": partial(F.gelu, approximate=True),
    "leaky_relu": F.leaky_relu,
    "linear": assign,
    "mish": F.mish,
    "quick_gelu": quick_gelu,
    "relu": F.relu,
    "relu6": F.relu6,
    "sigmoid": F.sigmoid,
    "silu": F.silu,
    "swish": F.silu,
    "tanh": F.tanh,
}
# What no forward pass asks for: names and versions, results that are left out or put in a class,
# how texts are continued, how training starts and saves memory, which class has which name.
HARMLESS = frozenset([
    "_attn_implementation_autoset", "_commit_hash", "_name_or_path", "architectures",
    "bad_words_ids", "begin_suppress_tokens", "bos_token_id", "chunk_size_feed_forward",
    "cross_attention_hidden_size", "decoder_start_token_id", "diversity_penalty", "do_sample",
    "dtype", "early_stopping", "encoder_no_repeat_ngram_size", "eos_token_id",
    "exponential_decay_length_penalty", "finetuning_task", "forced_bos_token_id",
    "forced_eos_token_id", "gradient_checkpointing", "id2label", "initializer_range",
    "keys_to_ignore_at_inference", "label2id", "length_penalty", "max_length", "min_length",
    "no_repeat_ngram_size", "num_beam_groups", "num_beams", "num_labels", "num_return_sequences",
    "output_attentions", "output_hidden_states", "output_past", "output_scores", "pad_token_id",
    "prefix", "problem_type", "remove_invalid_values", "repetition_penalty", "return_dict",
    "return_dict_in_generate", "sep_token_id", "suppress_tokens", "task_specific_params",
    "temperature", "tf_legacy_loss", "tie_encoder_decoder", "tokenizer_class", "top_k", "top_p",
    "torch_dtype", "torchscript", "transformers_version", "typical_p", "unk_token_id",
    "use_bfloat16", "use_cache",
])  # fmt: skip
OFF: dict[str, Any] = {"is_encoder_decoder": False, "quantization_config": None, "pruned_heads": {}}


class Config(Mapping[str, Any]):
    """The values of a config by name. It remembers which were read.

    >>> config = Config({"width": 4, "dropout": 0.1, "use_cache": True})
    >>> config.count("width"), sorted(config.unread())
    (4, ['dropout'])
    """

    def __init__(self, told: Mapping[str, Any]):
        self.told, self.read = dict(told), set[str]()

    def __getitem__(self, name: str) -> Any:
        """Raises FileError for what the config does not say."""
        self.read.add(name)
        if name not in self.told:
            raise FileError(f"the config says nothing of {name}", cure=near_names(name, self.told))
        return self.told[name]

    def get(self, name: str, usual: Any = None) -> Any:
        """The value, or `usual` where the config does not say it."""
        if name not in self:
            return usual
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.told)

    def __len__(self) -> int:
        return len(self.told)

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return name in self.told

    def count(self, name: str, most: int = MOST) -> int:
        """A number of things, at least one. Raises FileError for anything else."""
        value = self[name]
        if type(value) is not int or not 0 < value <= most:
            raise self._odd(name, f"a number from 1 to {most}")
        return value

    def counts(self, name: str, most: int = MOST) -> list[int]:
        """Several such numbers, at least one."""
        values = self[name]
        if not isinstance(values, list | tuple) or not 0 < len(values) <= MOST_LAYERS:
            raise self._odd(name, "a list of numbers")
        if not all(type(n) is int and 0 < n <= most for n in values):
            raise self._odd(name, f"numbers from 1 to {most}")
        return list(values)

    def number(self, name: str, usual: float | None = None) -> float:
        """A number that is finite and above zero; `usual` where the config does not say it."""
        value = self[name] if usual is None else self.get(name, usual)
        if type(value) not in {int, float} or not 0 < value < math.inf:
            raise self._odd(name, "a number above 0")
        return float(value)

    def share(self, name: str) -> float:
        """A number from 0 to 1."""
        value = self[name]
        if type(value) not in {int, float} or not 0 <= value <= 1:
            raise self._odd(name, "a number from 0 to 1")
        return float(value)

    def flag(self, name: str, usual: bool) -> bool:
        """Whether something is so; as usual where the config does not say it."""
        value = self.get(name, usual)
        if type(value) is not bool:
            raise self._odd(name, "true or false")
        return value

    def has(self, name: str) -> bool:
        """Whether the config says something of it, other than null."""
        return name in self and self[name] is not None

    def activation(self, name: str, usual: str | None = None) -> Callable[[Any], Any]:
        """The function that the config names there. Raises UnsupportedError for one unknown."""
        known = self[name] if usual is None or name in self else usual
        if not isinstance(known, str) or known not in ACTIVATIONS:
            raise UnsupportedError(
                f"{name}: no activation {str(known)[:80]}", cure=f"one of {', '.join(ACTIVATIONS)}"
            )
        return ACTIVATIONS[known]

    def classes(self) -> int:
        """How many classes there are: a number, or names, or two."""
        if self.has("num_labels"):
            return self.count("num_labels")
        named = self["id2label"] if self.has("id2label") else {0: "", 1: ""}
        if not isinstance(named, Mapping) or not named:
            raise self._odd("id2label", "names of classes")
        return len(named)

    def refuse(self, **usual: Any) -> None:
        """Raise UnsupportedError where the config says other than what alone is served."""
        for name, value in usual.items():
            if name in self and self[name] != value:
                raise UnsupportedError(
                    f"a config with {name}={str(self[name])[:80]} is not read, only {value!r}"
                )

    def split(self, width: str, heads: str) -> int:
        """How wide each head is. Raises FileError if the heads do not share the width evenly."""
        size, rest = divmod(self.count(width), self.count(heads))
        if rest:
            raise self._odd(heads, f"a divisor of {width}={self[width]}")
        return size

    def unread(self) -> set[str]:
        """Names that nobody has read, and that may matter."""
        return self.told.keys() - self.read - HARMLESS

    def check_read(self, ignored: Iterable[str] = ()) -> None:
        """Raise UnsupportedError for values that nobody has read, but for those `ignored`."""
        self.refuse(**{name: value for name, value in OFF.items() if name not in ignored})
        found = sorted(self.unread().difference(ignored))
        if found:
            shown = ", ".join(f"{name[:80]}={str(self.told[name])[:80]}" for name in found)
            raise UnsupportedError(
                f"the config says what is not known to this model: {shown}",
                cure=f"if that changes nothing of what is computed: ignored={found!r}",
            )

    def _odd(self, name: str, expected: str) -> FileError:
        return FileError(f"the config's {name} must be {expected}, not {str(self[name])[:80]!r}")

"""Models of others as layers that train: folders of Hugging Face here, files of Keras in `keras`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import pathlib
import twinoar
import twinoar.nn
import twinoar.pretrained
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class BertForMaskedLM(twinoar.nn.Layer):
    """Texts to a score for each word of the vocabulary at each step [batch,steps,words]."""
    base: builtins.str
    tied: builtins.tuple
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None) -> Any: ...
    kind: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    bert: Any
    cls: Any
    config: Any
class BertForQuestionAnswering(twinoar.nn.Layer):
    """Texts to scores for each step to be where the answer starts, and ends: two [batch,steps]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None) -> builtins.tuple[Any, Any]: ...
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    bert: Any
    qa_outputs: Any
    config: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class BertForSequenceClassification(twinoar.nn.Layer):
    """Texts to a score for each class [batch,classes]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None) -> Any: ...
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    bert: Any
    dropout: Any
    classifier: Any
    config: Any
class BertForTokenClassification(twinoar.nn.Layer):
    """Texts to a score for each class at each step [batch,steps,classes]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None) -> Any: ...
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    bert: Any
    dropout: Any
    classifier: Any
    config: Any
class BertModel(twinoar.nn.Layer):
    """Texts to a vector for each word [batch,steps,width], and one for each text [batch,width]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any], pooled: builtins.bool = True) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None) -> builtins.tuple[Any, Any]: ...
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    embeddings: Any
    encoder: Any
    pooler: Any
    config: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class GPT2LMHeadModel(twinoar.nn.Layer):
    """Texts to a score for each word of the vocabulary to come next [batch,steps,words]."""
    tied: builtins.tuple
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, past: typing.Protocol | None = None) -> twinoar.Tensor: ...
    def scores(self, x: Any) -> twinoar.Tensor:
        """Vectors [batch,steps,width] to a score for each word [batch,steps,words]."""
    def kept(self) -> twinoar.pretrained._Kept:
        """What is kept of each word."""
    def generate(self, input_ids: Any, attention_mask: Any = None, *, max_length: Any = None, max_new_tokens: Any = None, min_new_tokens: Any = 0, do_sample: builtins.bool = False, temperature: Any = ..., top_k: Any = 0, top_p: Any = ..., repetition_penalty: Any = ..., num_beams: Any = 1, length_penalty: Any = ..., early_stopping: builtins.bool = False, num_return_sequences: Any = 1, eos_token_id: Any = None, pad_token_id: Any = None, seed: Any = None) -> twinoar.Tensor:
        """Texts [batch * num_return_sequences,steps] that begin with `input_ids` [batch,steps]."""
    def hidden(self, words: Any, past: typing.Protocol) -> Any:
        """The vectors [batch,steps,width] of words [batch,steps], with what is kept before them."""
    def next_scores(self, words: _numpy.ndarray[Any, Any], past: typing.Protocol) -> _numpy.ndarray[Any, Any]:
        """The scores [batch,words] of what follows words [batch,steps], as float64."""
    kind: builtins.str
    base: builtins.str
    turned: builtins.bool
    idle: builtins.tuple
    harmless: builtins.tuple
    transformer: Any
    config: collections.abc.Mapping
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class GPT2Model(twinoar.nn.Layer):
    """Texts to a vector for each word, of it and those before it [batch,steps,width]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, past: typing.Protocol | None = None) -> Any: ...
    kind: builtins.str
    base: builtins.str
    turned: builtins.bool
    idle: builtins.tuple
    harmless: builtins.tuple
    tied: builtins.tuple
    places: Any
    wte: Any
    wpe: Any
    drop: Any
    h: Any
    ln_f: Any
    config: Any
class LlamaForCausalLM(twinoar.nn.Layer):
    """Texts to a score for each word of the vocabulary to come next [batch,steps,words]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, past: typing.Protocol | None = None) -> Any: ...
    def scores(self, x: Any) -> Any:
        """Vectors [batch,steps,width] to a score for each word [batch,steps,words]."""
    def kept(self) -> twinoar.pretrained._Kept:
        """What is kept of each word; heads of keys may be fewer than others."""
    def generate(self, input_ids: Any, attention_mask: Any = None, *, max_length: Any = None, max_new_tokens: Any = None, min_new_tokens: Any = 0, do_sample: builtins.bool = False, temperature: Any = ..., top_k: Any = 0, top_p: Any = ..., repetition_penalty: Any = ..., num_beams: Any = 1, length_penalty: Any = ..., early_stopping: builtins.bool = False, num_return_sequences: Any = 1, eos_token_id: Any = None, pad_token_id: Any = None, seed: Any = None) -> twinoar.Tensor:
        """Texts [batch * num_return_sequences,steps] that begin with `input_ids` [batch,steps]."""
    def hidden(self, words: Any, past: typing.Protocol) -> Any:
        """The vectors [batch,steps,width] of words [batch,steps], with what is kept before them."""
    def next_scores(self, words: _numpy.ndarray[Any, Any], past: typing.Protocol) -> _numpy.ndarray[Any, Any]:
        """The scores [batch,words] of what follows words [batch,steps], as float64."""
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    model: Any
    lm_head: Any
    config: collections.abc.Mapping
class LlamaModel(twinoar.nn.Layer):
    """Texts to a vector for each word, of it and those before it [batch,steps,width]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, input_ids: Any, attention_mask: Any = None, past: typing.Protocol | None = None) -> Any: ...
    kind: builtins.str
    base: builtins.str
    idle: builtins.tuple
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    embed_tokens: Any
    layers: Any
    norm: Any
    turning: Any
    config: Any
class ResNetForImageClassification(twinoar.nn.Layer):
    """Images to a score for each class [batch,classes]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, pixel_values: Any) -> Any: ...
    kind: builtins.str
    base: builtins.str
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    idle: builtins.tuple
    resnet: Any
    classifier: Any
    config: Any
class ResNetModel(twinoar.nn.Layer):
    """Images to the last channels [batch,width,*], and their means [batch,width,1,1]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, pixel_values: Any) -> builtins.tuple[Any, Any]: ...
    kind: builtins.str
    base: builtins.str
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    idle: builtins.tuple
    embedder: Any
    encoder: Any
    pooler: Any
    config: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
class Tokenizer:
    """Text as numbers of words and back"""
    def __init__(self, told: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    @classmethod
    def load(cls, folder: builtins.str | pathlib.Path) -> twinoar.pretrained.Tokenizer:
        """The tokenizer of a folder with `tokenizer.json`, or of that file."""
    def __len__(self) -> builtins.int: ...
    def encode(self, text: builtins.str, special: builtins.bool = True) -> builtins.list[builtins.int]:
        """The words of a text"""
    def decode(self, words: collections.abc.Sequence[Any], special: builtins.bool = False) -> builtins.str:
        """The text of words"""
    words: builtins.dict[builtins.str, builtins.int]
    special: Any
class ViTForImageClassification(twinoar.nn.Layer):
    """Images to a score for each class [batch,classes]."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None: ...
    def forward(self, pixel_values: Any) -> Any: ...
    kind: builtins.str
    base: builtins.str
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    idle: builtins.tuple
    vit: Any
    classifier: Any
    config: Any
class ViTModel(twinoar.nn.Layer):
    """Images to a vector for each patch [batch,1+patches,width], and one for each image."""
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any], pooled: builtins.bool = True) -> None: ...
    def forward(self, pixel_values: Any) -> builtins.tuple[Any, Any]: ...
    kind: builtins.str
    base: builtins.str
    harmless: builtins.tuple
    turned: builtins.bool
    tied: builtins.tuple
    idle: builtins.tuple
    embeddings: Any
    encoder: Any
    layernorm: Any
    pooler: Any
    activation: Any
    config: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
from . import keras as keras
def load(folder: builtins.str | pathlib.Path, architecture: builtins.str | None = None, *, changed: collections.abc.Mapping[builtins.str, Any] | None = None, fresh: collections.abc.Sequence[builtins.str] = ..., ignored: collections.abc.Collection[builtins.str] = ...) -> twinoar.pretrained._Pretrained:
    """The model in a folder, as a layer in evaluation mode, in float32."""
def save(model: twinoar.pretrained._Pretrained, folder: builtins.str | pathlib.Path) -> None:
    """Write `config.json` and `model.safetensors`, which `load` and transformers read."""
class _Kept:
    """What a model keeps of a word: in so many layers, so many heads of so many elements, twice."""
    def __init__(self, layers: Any, heads: Any, size: Any, places: Any = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    heads: builtins.int
    layers: builtins.int
    places: builtins.int | None
    size: builtins.int
class _Pretrained(twinoar.nn.Layer):
    """A layer with the config that it was made from, in evaluation mode once it is loaded."""
    kind: Any
    base: Any
    turned: Any
    tied: builtins.tuple[builtins.str, ...]
    harmless: Any
    idle: Any
    def __init__(self, config: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Raises FileError for what the config lacks, UnsupportedError for what is not served."""
    config: Any

"""BERT: text read in both directions. Source: arXiv 1810.04805."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar import nn
from twinoar.nn import functional as F
from twinoar.ops.create.fill import zeros_like
from twinoar.ops.create.range import arange
from twinoar.ops.linalg.matmul import matmul
from twinoar.pretrained.config import MOST_LAYERS, Config
from twinoar.pretrained.model import (
    Pretrained,
    attention,
    check_steps,
    heads_of,
    hidden_from_padding,
)


class Embeddings(nn.Layer):
    """Words, their places, and of which text they are."""

    def __init__(self, config: Config):
        super().__init__()
        config.refuse(position_embedding_type="absolute")
        width, self.places = config.count("hidden_size"), config.count("max_position_embeddings")
        self.word_embeddings = nn.Embedding(config.count("vocab_size"), width)
        self.position_embeddings = nn.Embedding(self.places, width)
        self.token_type_embeddings = nn.Embedding(config.count("type_vocab_size"), width)
        self.LayerNorm = nn.LayerNorm(width, config.number("layer_norm_eps"))
        self.dropout = nn.Dropout(config.share("hidden_dropout_prob"))

    def forward(self, input_ids: Any, token_type_ids: Any) -> Any:
        check_steps(input_ids, self.places)
        kinds = zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = self.position_embeddings(arange(input_ids.shape[1]))
        words = self.word_embeddings(input_ids) + self.token_type_embeddings(kinds)
        return self.dropout(self.LayerNorm(words + places))


class Seen(nn.Layer):
    """Attention of every step to every other."""

    def __init__(self, config: Config, bias: bool = True):
        super().__init__()
        width = config.count("hidden_size")
        self.size = config.split("hidden_size", "num_attention_heads")
        self.rate = config.share("attention_probs_dropout_prob")
        self.query, self.key, self.value = (
            nn.Linear(width, width, bias_attr=None if bias else False) for _ in range(3)
        )

    def forward(self, x: Any, mask: Any = None) -> Any:
        q, k, v = (heads_of(f(x), self.size) for f in (self.query, self.key, self.value))
        return attention(q, k, v, mask, dropped=self.rate if self.training else 0.0)


class Output(nn.Layer):
    """A linear layer, added to what went in, and normalized."""

    def __init__(self, config: Config, width: int):
        super().__init__()
        to = config.count("hidden_size")
        self.dense = nn.Linear(width, to)
        self.LayerNorm = nn.LayerNorm(to, config.number("layer_norm_eps"))
        self.dropout = nn.Dropout(config.share("hidden_dropout_prob"))

    def forward(self, x: Any, before: Any) -> Any:
        return self.LayerNorm(self.dropout(self.dense(x)) + before)


class Attention(nn.Layer):
    """Attention and what follows it."""

    def __init__(self, config: Config):
        super().__init__()
        self.add_sublayer("self", Seen(config))
        self.output = Output(config, config.count("hidden_size"))

    def forward(self, x: Any, mask: Any) -> Any:
        return self.output(self._sub_layers["self"](x, mask), x)


class Dense(nn.Layer):
    """A linear layer alone."""

    def __init__(self, width: int, to: int):
        super().__init__()
        self.dense = nn.Linear(width, to)

    def forward(self, x: Any) -> Any:
        return self.dense(x)


class Block(nn.Layer):
    """Attention, and two linear layers."""

    def __init__(self, config: Config):
        super().__init__()
        self.attention = Attention(config)
        inner = config.count("intermediate_size")
        self.intermediate = Dense(config.count("hidden_size"), inner)
        self.output = Output(config, inner)
        self.activation = config.activation("hidden_act")

    def forward(self, x: Any, mask: Any) -> Any:
        x = self.attention(x, mask)
        return self.output(self.activation(self.intermediate(x)), x)


class Encoder(nn.Layer):
    """The blocks."""

    def __init__(self, config: Config):
        super().__init__()
        depth = config.count("num_hidden_layers", MOST_LAYERS)
        self.layer = nn.LayerList([Block(config) for _ in range(depth)])

    def forward(self, x: Any, mask: Any) -> Any:
        for block in self.layer:
            x = block(x, mask)
        return x


class Bert(Pretrained):
    """Any of the models below."""

    kind, base = "bert", "bert"
    idle = ("num_batches_tracked", "embeddings.position_ids")
    harmless = (
        "classifier_dropout", "tie_word_embeddings", "directionality", "pooler_fc_size",
        "pooler_num_attention_heads", "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type",
    )  # fmt: skip


class BertModel(Bert):
    """Texts to a vector for each word [batch,steps,width], and one for each text [batch,width].

    pooled: without, the second is None.
    """

    def __init__(self, config: Mapping[str, Any], pooled: bool = True):
        super().__init__(config)
        self.config.refuse(is_decoder=False, add_cross_attention=False)
        width = self.config.count("hidden_size")
        self.embeddings = Embeddings(self.config)
        self.encoder = Encoder(self.config)
        self.pooler = Dense(width, width) if pooled else None

    def forward(
        self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None
    ) -> tuple[Any, Any]:
        x = self.embeddings(input_ids, token_type_ids)
        x = self.encoder(x, hidden_from_padding(attention_mask))
        return x, None if self.pooler is None else F.tanh(self.pooler(x[:, 0]))


class Predictions(nn.Layer):
    """A score for each word of the vocabulary, by what it looks like where it is read."""

    def __init__(self, config: Config):
        super().__init__()
        self.transform = Transform(config)
        self.bias = self.create_parameter([config.count("vocab_size")], is_bias=True)

    def forward(self, x: Any, words: Any) -> Any:
        return matmul(self.transform(x), words, transpose_y=True) + self.bias


class Transform(nn.Layer):
    """A linear layer, its activation, and a norm."""

    def __init__(self, config: Config):
        super().__init__()
        width = config.count("hidden_size")
        self.dense = nn.Linear(width, width)
        self.LayerNorm = nn.LayerNorm(width, config.number("layer_norm_eps"))
        self.activation = config.activation("hidden_act")

    def forward(self, x: Any) -> Any:
        return self.LayerNorm(self.activation(self.dense(x)))


class Head(nn.Layer):
    """What stands under `cls` in files."""

    def __init__(self, config: Config):
        super().__init__()
        self.predictions = Predictions(config)


class BertForMaskedLM(Bert):
    """Texts to a score for each word of the vocabulary at each step [batch,steps,words]."""

    base = "bert"
    tied = ("cls.predictions.decoder.weight", "cls.predictions.decoder.bias")

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.config.refuse(tie_word_embeddings=True)
        self.bert = BertModel(self.config, pooled=False)
        self.cls = Head(self.config)

    def forward(
        self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None
    ) -> Any:
        x, _ = self.bert(input_ids, attention_mask, token_type_ids)
        return self.cls.predictions(x, self.bert.embeddings.word_embeddings.weight)


def head_dropout(config: Config) -> float:
    """The share of a head's input that training leaves out."""
    chosen = "classifier_dropout" if config.has("classifier_dropout") else "hidden_dropout_prob"
    return config.share(chosen)


class BertForSequenceClassification(Bert):
    """Texts to a score for each class [batch,classes]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.bert = BertModel(self.config)
        self.dropout = nn.Dropout(head_dropout(self.config))
        self.classifier = nn.Linear(self.config.count("hidden_size"), self.config.classes())

    def forward(
        self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None
    ) -> Any:
        _, pooled = self.bert(input_ids, attention_mask, token_type_ids)
        return self.classifier(self.dropout(pooled))


class BertForTokenClassification(Bert):
    """Texts to a score for each class at each step [batch,steps,classes]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.bert = BertModel(self.config, pooled=False)
        self.dropout = nn.Dropout(head_dropout(self.config))
        self.classifier = nn.Linear(self.config.count("hidden_size"), self.config.classes())

    def forward(
        self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None
    ) -> Any:
        x, _ = self.bert(input_ids, attention_mask, token_type_ids)
        return self.classifier(self.dropout(x))


class BertForQuestionAnswering(Bert):
    """Texts to scores for each step to be where the answer starts, and ends: two [batch,steps]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.bert = BertModel(self.config, pooled=False)
        self.qa_outputs = nn.Linear(self.config.count("hidden_size"), 2)

    def forward(
        self, input_ids: Any, attention_mask: Any = None, token_type_ids: Any = None
    ) -> tuple[Any, Any]:
        x, _ = self.bert(input_ids, attention_mask, token_type_ids)
        scores = self.qa_outputs(x)
        return scores[..., 0], scores[..., 1]

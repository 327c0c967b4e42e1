"""GPT-2: text continued from left to right. Source: Radford et al., 2019."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar import nn
from twinoar.ops.create.range import arange
from twinoar.ops.linalg.matmul import matmul
from twinoar.pretrained.config import MOST_LAYERS, Config
from twinoar.pretrained.generation import Writer
from twinoar.pretrained.model import (
    Pretrained,
    attention,
    check_steps,
    heads_of,
    hidden_from_earlier,
)
from twinoar.pretrained.past import Kept, Past


class Attention(nn.Layer):
    """Attention of each step to those before it."""

    def __init__(self, config: Config, number: int):
        super().__init__()
        width, self.size = config.count("n_embd"), config.split("n_embd", "n_head")
        self.number = number
        self.scale = self.size**-0.5 if config.flag("scale_attn_weights", True) else 1.0
        if config.flag("scale_attn_by_inverse_layer_idx", False):
            self.scale /= number + 1
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.dropout = nn.Dropout(config.share("resid_pdrop"))
        self.rate = config.share("attn_pdrop")

    def forward(self, x: Any, mask: Any, past: Past | None) -> Any:
        q, k, v = (heads_of(part, self.size) for part in self.c_attn(x).chunk(3, axis=-1))
        if past is not None:
            k, v = past.seen(self.number, k, v)
        dropped, causal = self.rate if self.training else 0.0, past is None and mask is None
        found = attention(q, k, v, mask, dropped=dropped, causal=causal, scale=self.scale)
        return self.dropout(self.c_proj(found))


class Perceptron(nn.Layer):
    """Two linear layers."""

    def __init__(self, config: Config):
        super().__init__()
        width = config.count("n_embd")
        inner = config.count("n_inner") if config.has("n_inner") else 4 * width
        self.c_fc, self.c_proj = nn.Linear(width, inner), nn.Linear(inner, width)
        self.activation = config.activation("activation_function")
        self.dropout = nn.Dropout(config.share("resid_pdrop"))

    def forward(self, x: Any) -> Any:
        return self.dropout(self.c_proj(self.activation(self.c_fc(x))))


class Block(nn.Layer):
    """Attention and two linear layers, each of what is normalized, and added."""

    def __init__(self, config: Config, number: int):
        super().__init__()
        width, epsilon = config.count("n_embd"), config.number("layer_norm_epsilon")
        self.ln_1, self.attn = nn.LayerNorm(width, epsilon), Attention(config, number)
        self.ln_2, self.mlp = nn.LayerNorm(width, epsilon), Perceptron(config)

    def forward(self, x: Any, mask: Any, past: Past | None) -> Any:
        x = x + self.attn(self.ln_1(x), mask, past)
        return x + self.mlp(self.ln_2(x))


class GPT2(Pretrained):
    """Either of the models below."""

    kind, base = "gpt2", "transformer"
    turned = False  # its linear layers are [in,out] in files
    idle = ("attn.bias", "attn.masked_bias")  # which step sees which
    harmless = (
        "n_ctx", "reorder_and_upcast_attn", "summary_activation", "summary_first_dropout",
        "summary_proj_to_labels", "summary_type", "summary_use_proj", "tie_word_embeddings",
    )  # fmt: skip


class GPT2Model(GPT2):
    """Texts to a vector for each word, of it and those before it [batch,steps,width]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.config.refuse(add_cross_attention=False)
        width, self.places = self.config.count("n_embd"), self.config.count("n_positions")
        self.wte = nn.Embedding(self.config.count("vocab_size"), width)
        self.wpe = nn.Embedding(self.places, width)
        self.drop = nn.Dropout(self.config.share("embd_pdrop"))
        depth = self.config.count("n_layer", MOST_LAYERS)
        self.h = nn.LayerList([Block(self.config, number) for number in range(depth)])
        self.ln_f = nn.LayerNorm(width, self.config.number("layer_norm_epsilon"))

    def forward(self, input_ids: Any, attention_mask: Any = None, past: Past | None = None) -> Any:
        check_steps(input_ids, self.places)
        places = arange(input_ids.shape[1]) if past is None else past.positions
        mask = hidden_from_earlier(attention_mask) if past is None else past.mask
        x = self.drop(self.wte(input_ids) + self.wpe(places))
        for block in self.h:
            x = block(x, mask, past)
        return self.ln_f(x)


class GPT2LMHeadModel(Writer, GPT2):
    """Texts to a score for each word of the vocabulary to come next [batch,steps,words]."""

    tied = ("lm_head.weight",)

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.config.refuse(tie_word_embeddings=True)
        self.transformer = GPT2Model(self.config)

    def forward(self, input_ids: Any, attention_mask: Any = None, past: Past | None = None) -> Any:
        return self.scores(self.transformer(input_ids, attention_mask, past))

    def scores(self, x: Any) -> Any:
        """Vectors [batch,steps,width] to a score for each word [batch,steps,words]."""
        return matmul(x, self.transformer.wte.weight, transpose_y=True)

    def kept(self) -> Kept:
        """What is kept of each word."""
        config = self.config
        heads = config.count("n_head")
        return Kept(
            len(self.transformer.h), heads, config.split("n_embd", "n_head"),
            self.transformer.places,
        )  # fmt: skip

"""LLaMA: text continued from left to right, by turned places. Source: arXiv 2302.13971."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar import nn
from twinoar.errors import FileError
from twinoar.nn import functional as F
from twinoar.ops.create.range import arange
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.trigonometry import cos, sin
from twinoar.ops.shape.concat import concat
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
from twinoar.pretrained.rotary import Speeds


def width_of_heads(config: Config) -> int:
    """How wide a head is: said, or a share of the width. Raises FileError if it is odd."""
    told = config.has("head_dim")
    size = config.count("head_dim") if told else config.split("hidden_size", "num_attention_heads")
    if size % 2:
        raise FileError(f"heads of {size} elements cannot be turned in pairs")
    return size


class Turning(nn.Layer):
    """Cosines and sines of the angles by which the pairs of a head's elements turn."""

    def __init__(self, config: Config):
        super().__init__()
        self.speeds = Speeds(config, width_of_heads(config))

    def forward(self, places: Any, steps: Any) -> tuple[Any, Any]:
        """Two [...,steps,1,size], for places [...,steps] of texts of so many steps."""
        angles = places.astype("float32").unsqueeze([-1, -1]) * self.speeds(steps)
        angles, scale = concat([angles, angles], axis=-1), self.speeds.scale
        if scale == 1.0:
            return cos(angles), sin(angles)
        return cos(angles) * scale, sin(angles) * scale


def turned(x: Any, turning: tuple[Any, Any]) -> Any:
    """Heads [batch,steps,heads,size] whose halves are the pairs."""
    half = x.shape[-1] // 2
    other = concat([-x[..., half:], x[..., :half]], axis=-1)
    return x * turning[0] + other * turning[1]


class Attention(nn.Layer):
    """Attention of each step to those before it; a head of keys serves several."""

    def __init__(self, config: Config, number: int):
        super().__init__()
        self.number = number
        width, heads = config.count("hidden_size"), config.count("num_attention_heads")
        few = config.count("num_key_value_heads") if config.has("num_key_value_heads") else heads
        if heads % few:
            raise FileError(f"{few} heads of keys cannot serve {heads} heads evenly")
        self.size = width_of_heads(config)
        bias = None if config.flag("attention_bias", False) else False
        self.rate = config.share("attention_dropout") if "attention_dropout" in config else 0.0
        self.q_proj = nn.Linear(width, heads * self.size, bias_attr=bias)
        self.k_proj = nn.Linear(width, few * self.size, bias_attr=bias)
        self.v_proj = nn.Linear(width, few * self.size, bias_attr=bias)
        self.o_proj = nn.Linear(heads * self.size, width, bias_attr=bias)

    def forward(self, x: Any, turning: tuple[Any, Any], mask: Any, past: Past | None) -> Any:
        q, k, v = (heads_of(f(x), self.size) for f in (self.q_proj, self.k_proj, self.v_proj))
        q, k = turned(q, turning), turned(k, turning)
        if past is not None:
            k, v = past.seen(self.number, k, v)
        dropped, causal = self.rate if self.training else 0.0, past is None and mask is None
        return self.o_proj(attention(q, k, v, mask, dropped=dropped, causal=causal))


class Gated(nn.Layer):
    """Linear layers of which one opens and shuts the other."""

    def __init__(self, config: Config):
        super().__init__()
        width, inner = config.count("hidden_size"), config.count("intermediate_size")
        bias = None if config.flag("mlp_bias", False) else False
        self.gate_proj = nn.Linear(width, inner, bias_attr=bias)
        self.up_proj = nn.Linear(width, inner, bias_attr=bias)
        self.down_proj = nn.Linear(inner, width, bias_attr=bias)
        self.activation = config.activation("hidden_act")

    def forward(self, x: Any) -> Any:
        return self.down_proj(self.activation(self.gate_proj(x)) * self.up_proj(x))


class Norm(nn.Layer):
    """Division by the root of the mean square."""

    def __init__(self, config: Config):
        super().__init__()
        one = nn.initializer.Constant(1.0)
        self.weight = self.create_parameter([config.count("hidden_size")], default_initializer=one)
        self.epsilon = config.number("rms_norm_eps")

    def forward(self, x: Any) -> Any:
        return F.rms_norm(x, self.weight.shape, self.weight, self.epsilon)[0]


class Block(nn.Layer):
    """Attention and gated layers, each of what is normalized, and added."""

    def __init__(self, config: Config, number: int):
        super().__init__()
        self.input_layernorm, self.self_attn = Norm(config), Attention(config, number)
        self.post_attention_layernorm, self.mlp = Norm(config), Gated(config)

    def forward(self, x: Any, turning: tuple[Any, Any], mask: Any, past: Past | None) -> Any:
        x = x + self.self_attn(self.input_layernorm(x), turning, mask, past)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(Pretrained):
    """Either of the models below."""

    kind, base = "llama", "model"
    idle = ("rotary_emb.inv_freq",)
    harmless = ("pretraining_tp", "rope_theta", "tie_word_embeddings", "max_position_embeddings")


class LlamaModel(Llama):
    """Texts to a vector for each word, of it and those before it [batch,steps,width]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        words, width = self.config.count("vocab_size"), self.config.count("hidden_size")
        self.embed_tokens = nn.Embedding(words, width)
        depth = self.config.count("num_hidden_layers", MOST_LAYERS)
        self.layers = nn.LayerList([Block(self.config, number) for number in range(depth)])
        self.norm, self.turning = Norm(self.config), Turning(self.config)

    def forward(self, input_ids: Any, attention_mask: Any = None, past: Past | None = None) -> Any:
        check_steps(input_ids)
        places = arange(input_ids.shape[1]) if past is None else past.positions
        mask = hidden_from_earlier(attention_mask) if past is None else past.mask
        # With a past, texts are not so long that they would turn otherwise: see `kept`.
        steps = input_ids.shape[1] if past is None else 1
        x, turning = self.embed_tokens(input_ids), self.turning(places, steps)
        for block in self.layers:
            x = block(x, turning, mask, past)
        return self.norm(x)


class LlamaForCausalLM(Writer, Llama):
    """Texts to a score for each word of the vocabulary to come next [batch,steps,words]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.model = LlamaModel(self.config)
        self.lm_head = None
        if self.config.flag("tie_word_embeddings", False):
            self.tied = ("lm_head.weight",)
        else:
            width, words = self.config.count("hidden_size"), self.config.count("vocab_size")
            self.lm_head = nn.Linear(width, words, bias_attr=False)

    def forward(self, input_ids: Any, attention_mask: Any = None, past: Past | None = None) -> Any:
        return self.scores(self.model(input_ids, attention_mask, past))

    def scores(self, x: Any) -> Any:
        """Vectors [batch,steps,width] to a score for each word [batch,steps,words]."""
        if self.lm_head is not None:
            return self.lm_head(x)
        return matmul(x, self.model.embed_tokens.weight, transpose_y=True)

    def kept(self) -> Kept:
        """What is kept of each word; heads of keys may be fewer than others.

        Where long texts turn otherwise, keys of a shorter one cannot be kept for a longer.
        """
        config = self.config
        few = "num_key_value_heads" if config.has("num_key_value_heads") else "num_attention_heads"
        most = "max_position_embeddings"
        places = config.count(most) if config.has(most) else None
        limit = self.model.turning.speeds.limit
        if limit:
            places = limit if places is None else min(places, limit)
        return Kept(len(self.model.layers), config.count(few), width_of_heads(config), places)

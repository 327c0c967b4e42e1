"""Vision transformers: images as rows of patches. Source: arXiv 2010.11929."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar import nn
from twinoar.errors import ShapeError
from twinoar.ops.shape.concat import concat
from twinoar.pretrained.bert import Dense, Seen
from twinoar.pretrained.config import MOST_LAYERS, Config
from twinoar.pretrained.model import Pretrained


class Patches(nn.Layer):
    """A vector for each patch [batch,patches,width]."""

    def __init__(self, config: Config):
        super().__init__()
        size, width = config.count("patch_size"), config.count("hidden_size")
        self.projection = nn.Conv2D(config.count("num_channels"), width, size, stride=size)

    def forward(self, x: Any) -> Any:
        return self.projection(x).flatten(2).transpose([0, 2, 1])


class Embeddings(nn.Layer):
    """Patches and their places, after one vector that stands for the image."""

    def __init__(self, config: Config):
        super().__init__()
        self.side, width = config.count("image_size"), config.count("hidden_size")
        patches = (self.side // config.count("patch_size")) ** 2
        self.cls_token = self.create_parameter([1, 1, width])
        self.position_embeddings = self.create_parameter([1, patches + 1, width])
        self.patch_embeddings = Patches(config)
        self.dropout = nn.Dropout(config.share("hidden_dropout_prob"))

    def forward(self, x: Any) -> Any:
        if list(x.shape[2:]) != [self.side, self.side]:
            raise ShapeError(
                f"the model reads images of {self.side} x {self.side}, received {list(x.shape)}",
                cure="resize them: vision.transforms.Resize",
            )
        patches = self.patch_embeddings(x)
        first = self.cls_token.expand([patches.shape[0], -1, -1])
        return self.dropout(concat([first, patches], axis=1) + self.position_embeddings)


class Attention(nn.Layer):
    """Attention of every patch to every other."""

    def __init__(self, config: Config):
        super().__init__()
        width = config.count("hidden_size")
        self.attention = Seen(config, config.flag("qkv_bias", True))
        self.output = Dense(width, width)

    def forward(self, x: Any) -> Any:
        return self.output(self.attention(x))


class Block(nn.Layer):
    """Attention and two linear layers, each of what is normalized, and added."""

    def __init__(self, config: Config):
        super().__init__()
        width, inner = config.count("hidden_size"), config.count("intermediate_size")
        epsilon = config.number("layer_norm_eps")
        self.layernorm_before = nn.LayerNorm(width, epsilon)
        self.attention = Attention(config)
        self.layernorm_after = nn.LayerNorm(width, epsilon)
        self.intermediate, self.output = Dense(width, inner), Dense(inner, width)
        self.activation = config.activation("hidden_act")
        self.dropout = nn.Dropout(config.share("hidden_dropout_prob"))

    def forward(self, x: Any) -> Any:
        x = x + self.dropout(self.attention(self.layernorm_before(x)))
        inner = self.activation(self.intermediate(self.layernorm_after(x)))
        return x + self.dropout(self.output(inner))


class Encoder(nn.Layer):
    """The blocks."""

    def __init__(self, config: Config):
        super().__init__()
        depth = config.count("num_hidden_layers", MOST_LAYERS)
        self.layer = nn.LayerList([Block(config) for _ in range(depth)])

    def forward(self, x: Any) -> Any:
        for block in self.layer:
            x = block(x)
        return x


class ViT(Pretrained):
    """Either of the models below."""

    kind, base = "vit", "vit"
    harmless = ("encoder_stride", "pooler_act", "pooler_output_size", "tie_word_embeddings")


class ViTModel(ViT):
    """Images to a vector for each patch [batch,1+patches,width], and one for each image.

    pooled: without, the second is None.
    """

    def __init__(self, config: Mapping[str, Any], pooled: bool = True):
        super().__init__(config)
        width = self.config.count("hidden_size")
        self.embeddings, self.encoder = Embeddings(self.config), Encoder(self.config)
        self.layernorm = nn.LayerNorm(width, self.config.number("layer_norm_eps"))
        wide = "pooler_output_size" if self.config.has("pooler_output_size") else "hidden_size"
        self.pooler = Dense(width, self.config.count(wide)) if pooled else None
        self.activation = self.config.activation("pooler_act", "tanh")

    def forward(self, pixel_values: Any) -> tuple[Any, Any]:
        x = self.layernorm(self.encoder(self.embeddings(pixel_values)))
        return x, None if self.pooler is None else self.activation(self.pooler(x[:, 0]))


class ViTForImageClassification(ViT):
    """Images to a score for each class [batch,classes]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.vit = ViTModel(self.config, pooled=False)
        self.classifier = nn.Linear(self.config.count("hidden_size"), self.config.classes())

    def forward(self, pixel_values: Any) -> Any:
        x, _ = self.vit(pixel_values)
        return self.classifier(x[:, 0])

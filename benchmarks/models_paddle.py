"""Models of the works that Paddle's own packages do not have, for a framework with its API."""

from __future__ import annotations

import itertools
from typing import Any

from works import BERT_PLACES, BERT_TYPES, LEVELS, PATCH, PIXEL_CLASSES, Sizes, sizes


def encoder(nn: Any, size: Sizes, normalize_before: bool = True) -> Any:
    """A stack of encoder layers without dropout."""
    layer = nn.TransformerEncoderLayer(
        size.width, size.heads, 4 * size.width, 0.0, "gelu", normalize_before=normalize_before
    )
    return nn.TransformerEncoder(layer, size.layers)


def wider_models(paddle: Any) -> dict[str, Any]:
    """What makes each model, by name."""
    nn = paddle.nn

    class VisionTransformer(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            size = sizes("vit")
            places = (224 // PATCH) ** 2 + 1
            self.first = self.create_parameter([1, 1, size.width])
            self.places = self.create_parameter([1, places, size.width])
            self.patches = nn.Conv2D(3, size.width, PATCH, PATCH)
            self.encoder = encoder(nn, size)
            self.norm = nn.LayerNorm(size.width)
            self.head = nn.Linear(size.width, 1000)

        def forward(self, x: Any) -> Any:
            x = self.patches(x).flatten(2).transpose([0, 2, 1])
            first = self.first.expand([x.shape[0], -1, -1])
            x = paddle.concat([first, x], 1) + self.places
            return self.head(self.norm(self.encoder(x))[:, 0])

    class Bert(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            size = sizes("bert")
            rows = {"words": size.vocabulary, "places": BERT_PLACES, "types": BERT_TYPES}
            self.embedding = nn.LayerDict(
                {kind: nn.Embedding(count, size.width) for kind, count in rows.items()}
            )
            self.norm = nn.LayerNorm(size.width)
            self.encoder = encoder(nn, size, normalize_before=False)

        def forward(self, tokens: Any) -> Any:
            places = paddle.arange(tokens.shape[1])
            x = self.embedding["words"](tokens) + self.embedding["places"](places)
            x = x + self.embedding["types"](paddle.zeros_like(tokens))
            return self.encoder(self.norm(x))

    def two_convs(inputs: int, outputs: int) -> Any:
        parts: list[Any] = []
        for before in (inputs, outputs):
            conv = nn.Conv2D(before, outputs, 3, padding=1, bias_attr=False)
            parts += [conv, nn.BatchNorm2D(outputs), nn.ReLU()]
        return nn.Sequential(*parts)

    class UNet(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            steps = list(itertools.pairwise(LEVELS))
            self.down = nn.LayerList(
                [two_convs(before, after) for before, after in ((3, LEVELS[0]), *steps)]
            )
            self.up = nn.LayerList(
                [nn.Conv2DTranspose(inner, outer, 2, 2) for outer, inner in steps]
            )
            self.join = nn.LayerList([two_convs(2 * outer, outer) for outer, _ in steps])
            self.scores = nn.Conv2D(LEVELS[0], PIXEL_CLASSES, 1)

        def forward(self, x: Any) -> Any:
            kept = []
            for level, down in enumerate(self.down):
                x = down(nn.functional.max_pool2d(x, 2, 2) if level else x)
                kept.append(x)
            for level in reversed(range(len(self.up))):
                x = self.join[level](paddle.concat([kept[level], self.up[level](x)], 1))
            return self.scores(x).transpose([0, 2, 3, 1])

    return {
        "vit": VisionTransformer,
        "bert": Bert,
        "unet": UNet,
        "mobilenet_v3": paddle.vision.models.mobilenet_v3_small,
    }

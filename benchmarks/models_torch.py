"""Models of the works that are not in torch itself."""

from __future__ import annotations

import itertools

import torch
from torch import nn
from torch.nn import functional
from works import (
    BERT_PLACES,
    BERT_TYPES,
    GATED_STAGES,
    LEVELS,
    PATCH,
    PIXEL_CLASSES,
    Sizes,
    rounded,
    sizes,
)

NARROW_EPSILON = 1e-3  # of MobileNetV3's batch norm
ACTIVATIONS = {"relu": nn.ReLU, "hardswish": nn.Hardswish, None: nn.Identity}


def encoder(size: Sizes, norm_first: bool = True) -> nn.Module:
    """A stack of encoder layers without dropout."""
    layer = nn.TransformerEncoderLayer(
        size.width,
        size.heads,
        4 * size.width,
        0.0,
        "gelu",
        batch_first=True,
        norm_first=norm_first,
    )
    return nn.TransformerEncoder(layer, size.layers, enable_nested_tensor=False)


class VisionTransformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        size = sizes("vit")
        places = (224 // PATCH) ** 2 + 1
        self.first = nn.Parameter(torch.zeros(1, 1, size.width))
        self.places = nn.Parameter(torch.zeros(1, places, size.width))
        self.patches = nn.Conv2d(3, size.width, PATCH, PATCH)
        self.encoder = encoder(size)
        self.norm = nn.LayerNorm(size.width)
        self.head = nn.Linear(size.width, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        first = self.first.expand(x.shape[0], -1, -1)
        x = torch.cat([first, x], 1) + self.places
        return self.head(self.norm(self.encoder(x))[:, 0])


class Bert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        size = sizes("bert")
        rows = {"words": size.vocabulary, "places": BERT_PLACES, "types": BERT_TYPES}
        self.embedding = nn.ModuleDict(
            {kind: nn.Embedding(count, size.width) for kind, count in rows.items()}
        )
        self.norm = nn.LayerNorm(size.width)
        self.encoder = encoder(size, norm_first=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1])
        x = self.embedding["words"](tokens) + self.embedding["places"](places)
        x = x + self.embedding["types"](torch.zeros_like(tokens))
        return self.encoder(self.norm(x))


def two_convs(inputs: int, outputs: int) -> nn.Module:
    parts: list[nn.Module] = []
    for before in (inputs, outputs):
        conv = nn.Conv2d(before, outputs, 3, padding=1, bias=False)
        parts += [conv, nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*parts)


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        steps = list(itertools.pairwise(LEVELS))
        self.down = nn.ModuleList(
            [two_convs(before, after) for before, after in ((3, LEVELS[0]), *steps)]
        )
        self.up = nn.ModuleList([nn.ConvTranspose2d(inner, outer, 2, 2) for outer, inner in steps])
        self.join = nn.ModuleList([two_convs(2 * outer, outer) for outer, _ in steps])
        self.scores = nn.Conv2d(LEVELS[0], PIXEL_CLASSES, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept = []
        for level, down in enumerate(self.down):
            x = down(functional.max_pool2d(x, 2, 2) if level else x)
            kept.append(x)
        for level in reversed(range(len(self.up))):
            x = self.join[level](torch.cat([kept[level], self.up[level](x)], 1))
        return self.scores(x).permute(0, 2, 3, 1)


def conv_norm(
    before: int, after: int, size: int, stride: int = 1, groups: int = 1, kind: str | None = None
) -> nn.Sequential:
    conv = nn.Conv2d(before, after, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after, NARROW_EPSILON), ACTIVATIONS[kind]())


class Gates(nn.Module):
    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.fc1 = nn.Conv2d(channels, squeezed, 1)
        self.fc2 = nn.Conv2d(squeezed, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gates = self.fc2(functional.relu(self.fc1(x.mean((2, 3), keepdim=True))))
        return x * functional.hardsigmoid(gates)


class GatedBlock(nn.Module):
    def __init__(
        self, before: int, size: int, inside: int, after: int, gated: bool, kind: str, stride: int
    ) -> None:
        super().__init__()
        self.adds = stride == 1 and before == after
        widens = inside != before
        self.expand_conv = conv_norm(before, inside, 1, kind=kind) if widens else nn.Identity()
        self.bottleneck_conv = conv_norm(inside, inside, size, stride, inside, kind)
        self.mid_se = Gates(inside, rounded(inside // 4)) if gated else nn.Identity()
        self.linear_conv = conv_norm(inside, after, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.mid_se(self.bottleneck_conv(self.expand_conv(x)))
        out = self.linear_conv(out)
        return x + out if self.adds else out


class MobileNetV3(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        before, blocks = 16, []
        for size, inside, after, gated, kind, stride in GATED_STAGES:
            blocks.append(GatedBlock(before, size, inside, after, gated, kind, stride))
            before = after
        self.conv = conv_norm(3, 16, 3, 2, kind="hardswish")
        self.blocks = nn.Sequential(*blocks)
        self.lastconv = conv_norm(before, 6 * before, 1, kind="hardswish")
        self.classifier = nn.Sequential(
            nn.Linear(6 * before, 1024), nn.Hardswish(), nn.Identity(), nn.Linear(1024, 1000)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.lastconv(self.blocks(self.conv(x)))
        return self.classifier(x.mean((2, 3)))

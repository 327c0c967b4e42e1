"""Residual networks. Source: arXiv 1512.03385."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from twinoar import nn
from twinoar.errors import FileError
from twinoar.nn import functional as F
from twinoar.pretrained.config import MOST_LAYERS, Config
from twinoar.pretrained.model import Pretrained

WIDER = 4  # times as many channels as inside, where a layer has a neck


class Convolution(nn.Layer):
    """A convolution, its norm, and an activation or none."""

    def __init__(
        self, channels: int, to: int, size: int = 3, stride: int = 1,
        activation: Callable[[Any], Any] | None = None,
    ):  # fmt: skip
        super().__init__()
        self.convolution = nn.Conv2D(channels, to, size, stride, size // 2, bias_attr=False)
        self.normalization = nn.BatchNorm2D(to)
        self.activation = activation

    def forward(self, x: Any) -> Any:
        x = self.normalization(self.convolution(x))
        return x if self.activation is None else self.activation(x)


class Residual(nn.Layer):
    """Convolutions, added to what went in.

    What the config calls `hidden_act` follows the sum; between the convolutions there is always
    relu, in transformers as well.
    """

    def __init__(self, config: Config, channels: int, to: int, stride: int):
        super().__init__()
        act = config.activation("hidden_act")
        if "layer_type" in config and config["layer_type"] == "basic":
            layers = [Convolution(channels, to, 3, stride, F.relu), Convolution(to, to)]
        else:
            config.refuse(layer_type="bottleneck")
            inner = to // WIDER
            early = config.flag("downsample_in_bottleneck", False)
            layers = [
                Convolution(channels, inner, 1, stride if early else 1, F.relu),
                Convolution(inner, inner, 3, 1 if early else stride, F.relu),
                Convolution(inner, to, 1),
            ]
        is_other = channels != to or stride != 1
        self.shortcut = Convolution(channels, to, 1, stride) if is_other else None
        self.layer, self.activation = nn.Sequential(*layers), act

    def forward(self, x: Any) -> Any:
        before = x if self.shortcut is None else self.shortcut(x)
        return self.activation(self.layer(x) + before)


class Stage(nn.Layer):
    """Residual layers of which the first may halve the image."""

    def __init__(self, config: Config, channels: int, to: int, stride: int, depth: int):
        super().__init__()
        first = Residual(config, channels, to, stride)
        more = [Residual(config, to, to, 1) for _ in range(depth - 1)]
        self.layers = nn.Sequential(first, *more)

    def forward(self, x: Any) -> Any:
        return self.layers(x)


class Encoder(nn.Layer):
    """The stages."""

    def __init__(self, config: Config):
        super().__init__()
        widths = [config.count("embedding_size"), *config.counts("hidden_sizes")]
        depths = config.counts("depths", MOST_LAYERS)
        if len(depths) + 1 != len(widths):
            raise FileError(f"depths={depths} and hidden_sizes={widths[1:]} differ in number")
        first = 2 if config.flag("downsample_in_first_stage", False) else 1
        self.stages = nn.LayerList(
            [
                Stage(config, widths[n], widths[n + 1], first if n == 0 else 2, depth)
                for n, depth in enumerate(depths)
            ]
        )

    def forward(self, x: Any) -> Any:
        for stage in self.stages:
            x = stage(x)
        return x


class Embedder(nn.Layer):
    """The first convolution, and a pooling."""

    def __init__(self, config: Config):
        super().__init__()
        act, to = config.activation("hidden_act"), config.count("embedding_size")
        self.embedder = Convolution(config.count("num_channels"), to, 7, 2, act)
        self.pooler = nn.MaxPool2D(3, 2, 1)

    def forward(self, x: Any) -> Any:
        return self.pooler(self.embedder(x))


class ResNet(Pretrained):
    """Either of the models below."""

    kind, base = "resnet", "resnet"
    harmless = ("out_features", "out_indices", "stage_names", "downsample_in_bottleneck",
                "tie_word_embeddings")  # fmt: skip


class ResNetModel(ResNet):
    """Images to the last channels [batch,width,*], and their means [batch,width,1,1]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.embedder, self.encoder = Embedder(self.config), Encoder(self.config)
        self.pooler = nn.AdaptiveAvgPool2D(1)

    def forward(self, pixel_values: Any) -> tuple[Any, Any]:
        x = self.encoder(self.embedder(pixel_values))
        return x, self.pooler(x)


class ResNetForImageClassification(ResNet):
    """Images to a score for each class [batch,classes]."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__(config)
        self.resnet = ResNetModel(self.config)
        width, classes = self.config.counts("hidden_sizes")[-1], self.config.classes()
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(width, classes))

    def forward(self, pixel_values: Any) -> Any:
        return self.classifier(self.resnet(pixel_values)[1])

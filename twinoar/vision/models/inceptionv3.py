"""InceptionV3: convolutions of several shapes beside each other, for images of 299 by 299."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from twinoar.nn import AdaptiveAvgPool2D, AvgPool2D, Dropout, Layer, LayerList, Linear, MaxPool2D
from twinoar.nn.initializer import Uniform
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not
from twinoar.vision.ops.layer import ConvNormActivation


class Conv(NamedTuple):
    """A convolution; one with a stride of 2 has no padding, others keep the size."""

    name: str
    channels: int
    kernel_size: int | tuple[int, int]
    stride: int = 1


class Pool(NamedTuple):
    """Averages that keep the size, or with a stride of 2 maxima without padding."""

    stride: int = 1


# A branch is a chain of steps; a tuple of convolutions is steps beside each other.
Step = Conv | Pool | tuple[Conv, ...]
Branches = Sequence[Sequence[Step]]


def a(pool_channels: int) -> Branches:
    """Figure 5 of the paper."""
    return [
        [Conv("branch1x1", 64, 1)],
        [Conv("branch5x5_1", 48, 1), Conv("branch5x5_2", 64, 5)],
        [
            Conv("branch3x3dbl_1", 64, 1),
            Conv("branch3x3dbl_2", 96, 3),
            Conv("branch3x3dbl_3", 96, 3),
        ],
        [Pool(), Conv("branch_pool_conv", pool_channels, 1)],
    ]


def b() -> Branches:
    """Figure 10, from 35 by 35 to 17 by 17."""
    return [
        [Conv("branch3x3", 384, 3, 2)],
        [
            Conv("branch3x3dbl_1", 64, 1),
            Conv("branch3x3dbl_2", 96, 3),
            Conv("branch3x3dbl_3", 96, 3, 2),
        ],
        [Pool(2)],
    ]


def c(inside: int) -> Branches:
    """Figure 6."""
    return [
        [Conv("branch1x1", 192, 1)],
        [
            Conv("branch7x7_1", inside, 1),
            Conv("branch7x7_2", inside, (1, 7)),
            Conv("branch7x7_3", 192, (7, 1)),
        ],
        [
            Conv("branch7x7dbl_1", inside, 1),
            Conv("branch7x7dbl_2", inside, (7, 1)),
            Conv("branch7x7dbl_3", inside, (1, 7)),
            Conv("branch7x7dbl_4", inside, (7, 1)),
            Conv("branch7x7dbl_5", 192, (1, 7)),
        ],
        [Pool(), Conv("branch_pool_conv", 192, 1)],
    ]


def d() -> Branches:
    """From 17 by 17 to 8 by 8."""
    return [
        [Conv("branch3x3_1", 192, 1), Conv("branch3x3_2", 320, 3, 2)],
        [
            Conv("branch7x7x3_1", 192, 1),
            Conv("branch7x7x3_2", 192, (1, 7)),
            Conv("branch7x7x3_3", 192, (7, 1)),
            Conv("branch7x7x3_4", 192, 3, 2),
        ],
        [Pool(2)],
    ]


def e() -> Branches:
    """Figure 7."""
    return [
        [Conv("branch1x1", 320, 1)],
        [
            Conv("branch3x3_1", 384, 1),
            (Conv("branch3x3_2a", 384, (1, 3)), Conv("branch3x3_2b", 384, (3, 1))),
        ],
        [
            Conv("branch3x3dbl_1", 448, 1),
            Conv("branch3x3dbl_2", 384, 3),
            (Conv("branch3x3dbl_3a", 384, (1, 3)), Conv("branch3x3dbl_3b", 384, (3, 1))),
        ],
        [Pool(), Conv("branch_pool_conv", 192, 1)],
    ]


BLOCKS = (a(32), a(64), a(64), b(), c(128), c(160), c(160), c(192), d(), e(), e())


class InceptionV3(Layer):
    """Inception, the third, without the output on the way.

    num_classes: outputs; 0 leaves out the linear layer. with_pool: average over the image before
    it. x: [N,3,H,W], float, from 75 by 75 on. Returns scores [N,num_classes], or features
    [N,2048,1,1], without the pool [N,2048,H',W']. Source: C. Szegedy et al., arXiv 1512.00567.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self.inception_stem = _Stem()
        self.inception_block_list = LayerList()
        channels = 192
        for branches in BLOCKS:
            block = _Block(channels, branches)
            self.inception_block_list.append(block)
            channels = block.channels
        if with_pool:
            self.avg_pool = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            bound = 1 / math.sqrt(channels)
            self.dropout = Dropout(0.2, mode="downscale_in_infer")
            self.fc = Linear(channels, num_classes, weight_attr=Uniform(-bound, bound))

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.inception_stem(x)
        for block in self.inception_block_list:
            x = block(x)
        if self.with_pool:
            x = self.avg_pool(x)
        return self.fc(self.dropout(flatten(x, 1))) if self.num_classes > 0 else x


def inception_v3(pretrained: bool = False, **kwargs: Any) -> InceptionV3:
    """Inception, the third, arXiv 1512.00567.

    kwargs: options of InceptionV3. Raises UnsupportedError for pretrained=True: no weights are
    served.
    """
    check_not(pretrained)
    return InceptionV3(**kwargs)


class _Stem(Layer):
    """From [N,3,299,299] to [N,192,35,35]."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_1a_3x3 = ConvNormActivation(3, 32, 3, stride=2, padding=0)
        self.conv_2a_3x3 = ConvNormActivation(32, 32, 3, padding=0)
        self.conv_2b_3x3 = ConvNormActivation(32, 64, 3)
        self.max_pool = MaxPool2D(3, stride=2)
        self.conv_3b_1x1 = ConvNormActivation(64, 80, 1)
        self.conv_4a_3x3 = ConvNormActivation(80, 192, 3, padding=0)

    def forward(self, x: Any) -> Any:
        x = self.max_pool(self.conv_2b_3x3(self.conv_2a_3x3(self.conv_1a_3x3(x))))
        return self.max_pool(self.conv_4a_3x3(self.conv_3b_1x1(x)))


class _Block(Layer):
    """Branches beside each other; channels: those that go out."""

    def __init__(self, before: int, branches: Branches) -> None:
        super().__init__()
        self.channels = 0
        self._branches: list[list[list[str]]] = []
        for branch in branches:
            channels = before
            self._branches.append([])
            for step in branch:
                parts: Any = [step] if isinstance(step, Conv | Pool) else step
                self._branches[-1].append([self._add(channels, part) for part in parts])
                if not isinstance(step, Pool):
                    channels = sum(part.channels for part in parts)
            self.channels += channels

    def _add(self, before: int, step: Conv | Pool) -> str:
        """Add the layer of a step; returns its name."""
        if isinstance(step, Pool):
            shrink = step.stride == 2
            self.branch_pool = MaxPool2D(3, 2) if shrink else AvgPool2D(3, 1, 1, exclusive=False)
            return "branch_pool"
        padding = 0 if step.stride == 2 else None
        layer = ConvNormActivation(before, *step[1:], padding=padding)
        self.add_sublayer(step.name, layer)
        return step.name

    def forward(self, x: Any) -> Any:
        outs = []
        for branch in self._branches:
            y = x
            for names in branch:
                parts = [getattr(self, name)(y) for name in names]
                y = parts[0] if len(parts) == 1 else concat(parts, 1)
            outs.append(y)
        return concat(outs, 1)

"""ResNet and its kin: deep stacks of residual blocks, for images of any size from 32 by 32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn import (
    AdaptiveAvgPool2D,
    BatchNorm2D,
    Conv2D,
    Layer,
    Linear,
    MaxPool2D,
    ReLU,
    Sequential,
)
from twinoar.ops.shape.reshape import flatten
from twinoar.vision.models.pretrained import check_not

# Blocks in each of the four stages, by depth.
BLOCKS = {
    18: (2, 2, 2, 2),
    34: (3, 4, 6, 3),
    50: (3, 4, 6, 3),
    101: (3, 4, 23, 3),
    152: (3, 8, 36, 3),
}
CHANNELS = (64, 128, 256, 512)


class BasicBlock(Layer):
    """Two 3x3 convolutions around which the input is added.

    inplanes, planes: channels that come in and go out. stride: of the first convolution.
    downsample: what brings the input to the shape of the output, if it is not. norm_layer: makes
    the normalization of so many channels. groups, base_width: those of BottleneckBlock, without
    effect here. x: [N,inplanes,H,W]. Returns [N,planes,H/stride,W/stride]. Raises UnsupportedError
    for a dilation above 1.
    """

    expansion = 1

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Callable[..., Layer] | None = None,
    ) -> None:
        super().__init__()
        if dilation > 1:
            raise UnsupportedError(
                f"BasicBlock has no dilation, received {dilation}", cure="use BottleneckBlock"
            )
        norm = norm_layer or BatchNorm2D
        self.conv1 = Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = norm(planes)
        self.relu = ReLU()
        self.conv2 = Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The sum of what the block makes of x and x itself, with what is negative cut off."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class BottleneckBlock(Layer):
    """A 3x3 convolution between two of 1x1 that narrow and widen, with the input added.

    inplanes: channels that come in; 4 * planes go out. stride, dilation: of the 3x3 convolution,
    which has planes * base_width / 64 channels in each of `groups`. downsample, norm_layer: as in
    BasicBlock. x: [N,inplanes,H,W]. Returns [N,4*planes,H/stride,W/stride].
    """

    expansion = 4

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Callable[..., Layer] | None = None,
    ) -> None:
        super().__init__()
        norm = norm_layer or BatchNorm2D
        width = int(planes * (base_width / 64.0)) * groups
        out_planes = planes * self.expansion
        self.conv1 = Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = norm(width)
        self.conv2 = Conv2D(
            width,
            width,
            3,
            padding=dilation,
            stride=stride,
            groups=groups,
            dilation=dilation,
            bias_attr=False,
        )
        self.bn2 = norm(width)
        self.conv3 = Conv2D(width, out_planes, 1, bias_attr=False)
        self.bn3 = norm(out_planes)
        self.relu = ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The sum of what the block makes of x and x itself, with what is negative cut off."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(Layer):
    """A residual network of `block`s, BasicBlock or BottleneckBlock.

    depth: 18, 34, 50, 101 or 152 layers. width: channels of a group for each 64 of a stage.
    num_classes: outputs; 0 leaves out the linear layer. with_pool: average over the image before
    it. groups: of the 3x3 convolutions. x: [N,3,H,W], float. Returns scores [N,num_classes], or
    features [N,C,1,1], without the pool [N,C,H/32,W/32]. Raises ArgumentError for another depth.
    Source: K. He et al., arXiv 1512.03385.

    >>> from twinoar.vision.models.resnet import BasicBlock
    >>> ResNet(BasicBlock, 18, num_classes=10)(twinoar.zeros([1, 3, 32, 32])).shape
    [1, 10]
    """

    def __init__(
        self,
        block: type[BasicBlock | BottleneckBlock],
        depth: int = 50,
        width: int = 64,
        num_classes: int = 1000,
        with_pool: bool = True,
        groups: int = 1,
    ) -> None:
        super().__init__()
        if depth not in BLOCKS:
            raise ArgumentError(
                f"a ResNet has a depth of {', '.join(map(str, BLOCKS))}, received {depth}",
                cure="choose one of these",
            )
        self.groups, self.base_width = groups, width
        self.num_classes, self.with_pool = num_classes, with_pool
        self.inplanes = 64
        self.conv1 = Conv2D(3, 64, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = BatchNorm2D(64)
        self.relu = ReLU()
        self.maxpool = MaxPool2D(kernel_size=3, stride=2, padding=1)
        stages = [
            self._stage(block, planes, blocks, stride)
            for planes, blocks, stride in zip(CHANNELS, BLOCKS[depth], (1, 2, 2, 2), strict=True)
        ]
        self.layer1, self.layer2, self.layer3, self.layer4 = stages
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = Linear(CHANNELS[-1] * block.expansion, num_classes)

    def _stage(
        self, block: type[BasicBlock | BottleneckBlock], planes: int, blocks: int, stride: int
    ) -> Sequential:
        inplanes, self.inplanes = self.inplanes, planes * block.expansion
        downsample = None
        if stride != 1 or inplanes != self.inplanes:
            downsample = Sequential(
                Conv2D(inplanes, self.inplanes, 1, stride=stride, bias_attr=False),
                BatchNorm2D(self.inplanes),
            )
        settings: dict[str, Any] = {"groups": self.groups, "base_width": self.base_width}
        first = block(inplanes, planes, stride, downsample, **settings)
        rest = [block(self.inplanes, planes, **settings) for _ in range(1, blocks)]
        return Sequential(first, *rest)

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        if self.with_pool:
            x = self.avgpool(x)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


def _resnet(
    block: type[BasicBlock | BottleneckBlock], depth: int, pretrained: bool, **options: Any
) -> ResNet:
    check_not(pretrained)
    return ResNet(block, depth, **options)


def resnet18(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 18 layers, arXiv 1512.03385.

    kwargs: options of ResNet. Raises UnsupportedError for pretrained=True: no weights are served.

    >>> sum(p.size for p in resnet18().parameters() if not p.stop_gradient)
    11689512
    """
    return _resnet(BasicBlock, 18, pretrained, **kwargs)


def resnet34(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 34 layers; arguments and errors as of `resnet18`."""
    return _resnet(BasicBlock, 34, pretrained, **kwargs)


def resnet50(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 50 layers; arguments and errors as of `resnet18`."""
    return _resnet(BottleneckBlock, 50, pretrained, **kwargs)


def resnet101(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 101 layers; arguments and errors as of `resnet18`."""
    return _resnet(BottleneckBlock, 101, pretrained, **kwargs)


def resnet152(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 152 layers; arguments and errors as of `resnet18`."""
    return _resnet(BottleneckBlock, 152, pretrained, **kwargs)


def resnext50_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 50 layers, 32 groups of 4 channels, arXiv 1611.05431.

    kwargs: options of ResNet other than groups and width. Raises UnsupportedError for
    pretrained=True: no weights are served.
    """
    return _resnet(BottleneckBlock, 50, pretrained, **kwargs | {"groups": 32, "width": 4})


def resnext50_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 50 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
    return _resnet(BottleneckBlock, 50, pretrained, **kwargs | {"groups": 64, "width": 4})


def resnext101_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 101 layers, 32 groups of 4 channels; the rest as `resnext50_32x4d`."""
    return _resnet(BottleneckBlock, 101, pretrained, **kwargs | {"groups": 32, "width": 4})


def resnext101_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 101 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
    return _resnet(BottleneckBlock, 101, pretrained, **kwargs | {"groups": 64, "width": 4})


def resnext152_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 152 layers, 32 groups of 4 channels; the rest as `resnext50_32x4d`."""
    return _resnet(BottleneckBlock, 152, pretrained, **kwargs | {"groups": 32, "width": 4})


def resnext152_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 152 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
    return _resnet(BottleneckBlock, 152, pretrained, **kwargs | {"groups": 64, "width": 4})


def wide_resnet50_2(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 50 layers, twice as wide, arXiv 1605.07146.

    kwargs: options of ResNet other than width. Raises UnsupportedError for pretrained=True: no
    weights are served.
    """
    return _resnet(BottleneckBlock, 50, pretrained, **kwargs | {"width": 128})


def wide_resnet101_2(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 101 layers, twice as wide; the rest as `wide_resnet50_2`."""
    return _resnet(BottleneckBlock, 101, pretrained, **kwargs | {"width": 128})

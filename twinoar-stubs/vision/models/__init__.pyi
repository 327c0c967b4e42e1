"""Models for images."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
import twinoar.vision.models
from typing import Any, Literal, overload

import numpy as _numpy

class AlexNet(twinoar.nn.Layer):
    """AlexNet on one device."""
    def __init__(self, num_classes: Any = 1000) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    num_classes: builtins.int
class DenseNet(twinoar.nn.Layer):
    """A DenseNet."""
    def __init__(self, layers: Any = 121, bn_size: Any = 4, dropout: Any = ..., num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    num_classes: builtins.int
    with_pool: builtins.bool
    conv1_func: Any
    pool2d_max: Any
    batch_norm: Any
    pool2d_avg: Any
    out: Any
class GoogLeNet(twinoar.nn.Layer):
    """GoogLeNet."""
    def __init__(self, num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes at the end and on the way, or features without classes."""
    num_classes: builtins.int
    with_pool: builtins.bool
class InceptionV3(twinoar.nn.Layer):
    """Inception, the third, without the output on the way."""
    def __init__(self, num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    num_classes: builtins.int
    with_pool: builtins.bool
    inception_stem: Any
    inception_block_list: Any
    avg_pool: Any
    dropout: Any
    fc: Any
class LeNet(twinoar.nn.Layer):
    """LeNet-5 as Paddle has it."""
    def __init__(self, num_classes: Any = 10) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    num_classes: builtins.int
    features: Any
    fc: Any
class MobileNetV1(twinoar.nn.Layer):
    """MobileNet, the first."""
    def __init__(self, scale: Any = ..., num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    scale: builtins.float
    num_classes: builtins.int
    with_pool: builtins.bool
    conv1: Any
    pool2d_avg: Any
    fc: Any
class MobileNetV2(twinoar.nn.Layer):
    """MobileNet, the second."""
    def __init__(self, scale: Any = ..., num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    num_classes: builtins.int
    with_pool: builtins.bool
    last_channel: Any
    features: Any
    pool2d_avg: Any
    classifier: Any
class MobileNetV3Large(twinoar.nn.Layer):
    """MobileNetV3 of fifteen blocks; scale, num_classes, with_pool as of MobileNetV3."""
    def __init__(self, scale: Any = ..., num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    config: collections.abc.Sequence[Any]
    scale: builtins.float
    last_channel: builtins.int
    num_classes: builtins.int
    with_pool: builtins.bool
    conv: Any
    blocks: Any
    lastconv: Any
    avgpool: Any
    classifier: Any
class MobileNetV3Small(twinoar.nn.Layer):
    """MobileNetV3 of eleven blocks; scale, num_classes, with_pool as of MobileNetV3."""
    def __init__(self, scale: Any = ..., num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    config: collections.abc.Sequence[Any]
    scale: builtins.float
    last_channel: builtins.int
    num_classes: builtins.int
    with_pool: builtins.bool
    conv: Any
    blocks: Any
    lastconv: Any
    avgpool: Any
    classifier: Any
class ResNet(twinoar.nn.Layer):
    """A residual network of `block`s, BasicBlock or BottleneckBlock."""
    def __init__(self, block: builtins.type[twinoar.nn.Layer], depth: Any = 50, width: Any = 64, num_classes: Any = 1000, with_pool: builtins.bool = True, groups: Any = 1) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    groups: builtins.int
    base_width: builtins.int
    num_classes: builtins.int
    with_pool: builtins.bool
    inplanes: Any
    conv1: Any
    bn1: Any
    relu: Any
    maxpool: Any
    layer1: Any
    layer2: Any
    layer3: Any
    layer4: Any
    avgpool: Any
    fc: Any
class ShuffleNetV2(twinoar.nn.Layer):
    """ShuffleNet, the second."""
    def __init__(self, scale: Any = ..., act: builtins.str | None = 'relu', num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    scale: builtins.float
    num_classes: builtins.int
    with_pool: builtins.bool
class SqueezeNet(twinoar.nn.Layer):
    """SqueezeNet."""
    def __init__(self, version: builtins.str, num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    version: builtins.str
    num_classes: builtins.int
    with_pool: builtins.bool
class VGG(twinoar.nn.Layer):
    """A network of `features`, a layer that makes [N,512,H,W], and three linear layers."""
    def __init__(self, features: twinoar.nn.Layer, num_classes: Any = 1000, with_pool: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
    features: twinoar.nn.Layer
    num_classes: builtins.int
    with_pool: builtins.bool
    avgpool: Any
    classifier: Any
def alexnet(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.AlexNet:
    """AlexNet, arXiv 1404.5997."""
def densenet121(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.DenseNet:
    """DenseNet of 121 layers, arXiv 1608.06993."""
def densenet161(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.DenseNet:
    """DenseNet of 161 layers; arguments and errors as of `densenet121`."""
def densenet169(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.DenseNet:
    """DenseNet of 169 layers; arguments and errors as of `densenet121`."""
def densenet201(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.DenseNet:
    """DenseNet of 201 layers; arguments and errors as of `densenet121`."""
def densenet264(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.DenseNet:
    """DenseNet of 264 layers; arguments and errors as of `densenet121`."""
def googlenet(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.GoogLeNet:
    """GoogLeNet, arXiv 1409.4842."""
def inception_v3(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.InceptionV3:
    """Inception, the third, arXiv 1512.00567."""
def mobilenet_v1(pretrained: builtins.bool = False, scale: Any = ..., **kwargs: Any) -> twinoar.vision.models.MobileNetV1:
    """MobileNet, the first, arXiv 1704.04861."""
def mobilenet_v2(pretrained: builtins.bool = False, scale: Any = ..., **kwargs: Any) -> twinoar.vision.models.MobileNetV2:
    """MobileNet, the second, arXiv 1801.04381."""
def mobilenet_v3_large(pretrained: builtins.bool = False, scale: Any = ..., **kwargs: Any) -> twinoar.vision.models.MobileNetV3Large:
    """MobileNetV3 of fifteen blocks; arguments and errors as of `mobilenet_v3_small`."""
def mobilenet_v3_small(pretrained: builtins.bool = False, scale: Any = ..., **kwargs: Any) -> twinoar.vision.models.MobileNetV3Small:
    """MobileNetV3 of eleven blocks, arXiv 1905.02244."""
def resnet101(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 101 layers; arguments and errors as of `resnet18`."""
def resnet152(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 152 layers; arguments and errors as of `resnet18`."""
def resnet18(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 18 layers, arXiv 1512.03385."""
def resnet34(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 34 layers; arguments and errors as of `resnet18`."""
def resnet50(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 50 layers; arguments and errors as of `resnet18`."""
def resnext101_32x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 101 layers, 32 groups of 4 channels; the rest as `resnext50_32x4d`."""
def resnext101_64x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 101 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
def resnext152_32x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 152 layers, 32 groups of 4 channels; the rest as `resnext50_32x4d`."""
def resnext152_64x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 152 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
def resnext50_32x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 50 layers, 32 groups of 4 channels, arXiv 1611.05431."""
def resnext50_64x4d(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNeXt of 50 layers, 64 groups of 4 channels; the rest as `resnext50_32x4d`."""
def shufflenet_v2_swish(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 of the paper's width with Swish; the rest as `shufflenet_v2_x0_25`."""
def shufflenet_v2_x0_25(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 of a quarter of the width, arXiv 1807.11164."""
def shufflenet_v2_x0_33(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 of a third of the width; the rest as `shufflenet_v2_x0_25`."""
def shufflenet_v2_x0_5(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 of half the width; the rest as `shufflenet_v2_x0_25`."""
def shufflenet_v2_x1_0(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 of the paper's width; the rest as `shufflenet_v2_x0_25`."""
def shufflenet_v2_x1_5(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 half as wide again; the rest as `shufflenet_v2_x0_25`."""
def shufflenet_v2_x2_0(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ShuffleNetV2:
    """ShuffleNetV2 twice as wide; the rest as `shufflenet_v2_x0_25`."""
def squeezenet1_0(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.SqueezeNet:
    """SqueezeNet 1.0, arXiv 1602.07360."""
def squeezenet1_1(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.SqueezeNet:
    """SqueezeNet 1.1, of less computation; arguments and errors as of `squeezenet1_0`."""
def vgg11(pretrained: builtins.bool = False, batch_norm: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.VGG:
    """VGG of 11 layers, arXiv 1409.1556."""
def vgg13(pretrained: builtins.bool = False, batch_norm: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.VGG:
    """VGG of 13 layers; arguments and errors as of `vgg11`."""
def vgg16(pretrained: builtins.bool = False, batch_norm: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.VGG:
    """VGG of 16 layers; arguments and errors as of `vgg11`."""
def vgg19(pretrained: builtins.bool = False, batch_norm: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.VGG:
    """VGG of 19 layers; arguments and errors as of `vgg11`."""
def wide_resnet101_2(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 101 layers, twice as wide; the rest as `wide_resnet50_2`."""
def wide_resnet50_2(pretrained: builtins.bool = False, **kwargs: Any) -> twinoar.vision.models.ResNet:
    """ResNet of 50 layers, twice as wide, arXiv 1605.07146."""

"""Vision: data sets, transforms, models and operators for images."""

from twinoar.vision import datasets, models, ops, transforms

# Paddle has the names of the subpackages here too; they are not part of `__all__`.
from twinoar.vision.datasets import MNIST as MNIST
from twinoar.vision.datasets import VOC2012 as VOC2012
from twinoar.vision.datasets import Cifar10 as Cifar10
from twinoar.vision.datasets import Cifar100 as Cifar100
from twinoar.vision.datasets import DatasetFolder as DatasetFolder
from twinoar.vision.datasets import FashionMNIST as FashionMNIST
from twinoar.vision.datasets import Flowers as Flowers
from twinoar.vision.datasets import ImageFolder as ImageFolder
from twinoar.vision.image import get_image_backend, image_load, set_image_backend
from twinoar.vision.models import VGG as VGG
from twinoar.vision.models import AlexNet as AlexNet
from twinoar.vision.models import DenseNet as DenseNet
from twinoar.vision.models import GoogLeNet as GoogLeNet
from twinoar.vision.models import InceptionV3 as InceptionV3
from twinoar.vision.models import LeNet as LeNet
from twinoar.vision.models import MobileNetV1 as MobileNetV1
from twinoar.vision.models import MobileNetV2 as MobileNetV2
from twinoar.vision.models import MobileNetV3Large as MobileNetV3Large
from twinoar.vision.models import MobileNetV3Small as MobileNetV3Small
from twinoar.vision.models import ResNet as ResNet
from twinoar.vision.models import ShuffleNetV2 as ShuffleNetV2
from twinoar.vision.models import SqueezeNet as SqueezeNet
from twinoar.vision.models import alexnet as alexnet
from twinoar.vision.models import densenet121 as densenet121
from twinoar.vision.models import densenet161 as densenet161
from twinoar.vision.models import densenet169 as densenet169
from twinoar.vision.models import densenet201 as densenet201
from twinoar.vision.models import densenet264 as densenet264
from twinoar.vision.models import googlenet as googlenet
from twinoar.vision.models import inception_v3 as inception_v3
from twinoar.vision.models import mobilenet_v1 as mobilenet_v1
from twinoar.vision.models import mobilenet_v2 as mobilenet_v2
from twinoar.vision.models import mobilenet_v3_large as mobilenet_v3_large
from twinoar.vision.models import mobilenet_v3_small as mobilenet_v3_small
from twinoar.vision.models import resnet18 as resnet18
from twinoar.vision.models import resnet34 as resnet34
from twinoar.vision.models import resnet50 as resnet50
from twinoar.vision.models import resnet101 as resnet101
from twinoar.vision.models import resnet152 as resnet152
from twinoar.vision.models import resnext50_32x4d as resnext50_32x4d
from twinoar.vision.models import resnext50_64x4d as resnext50_64x4d
from twinoar.vision.models import resnext101_32x4d as resnext101_32x4d
from twinoar.vision.models import resnext101_64x4d as resnext101_64x4d
from twinoar.vision.models import resnext152_32x4d as resnext152_32x4d
from twinoar.vision.models import resnext152_64x4d as resnext152_64x4d
from twinoar.vision.models import shufflenet_v2_swish as shufflenet_v2_swish
from twinoar.vision.models import shufflenet_v2_x0_5 as shufflenet_v2_x0_5
from twinoar.vision.models import shufflenet_v2_x0_25 as shufflenet_v2_x0_25
from twinoar.vision.models import shufflenet_v2_x0_33 as shufflenet_v2_x0_33
from twinoar.vision.models import shufflenet_v2_x1_0 as shufflenet_v2_x1_0
from twinoar.vision.models import shufflenet_v2_x1_5 as shufflenet_v2_x1_5
from twinoar.vision.models import shufflenet_v2_x2_0 as shufflenet_v2_x2_0
from twinoar.vision.models import squeezenet1_0 as squeezenet1_0
from twinoar.vision.models import squeezenet1_1 as squeezenet1_1
from twinoar.vision.models import vgg11 as vgg11
from twinoar.vision.models import vgg13 as vgg13
from twinoar.vision.models import vgg16 as vgg16
from twinoar.vision.models import vgg19 as vgg19
from twinoar.vision.models import wide_resnet50_2 as wide_resnet50_2
from twinoar.vision.models import wide_resnet101_2 as wide_resnet101_2
from twinoar.vision.transforms import BaseTransform as BaseTransform
from twinoar.vision.transforms import BrightnessTransform as BrightnessTransform
from twinoar.vision.transforms import CenterCrop as CenterCrop
from twinoar.vision.transforms import ColorJitter as ColorJitter
from twinoar.vision.transforms import Compose as Compose
from twinoar.vision.transforms import ContrastTransform as ContrastTransform
from twinoar.vision.transforms import Grayscale as Grayscale
from twinoar.vision.transforms import HueTransform as HueTransform
from twinoar.vision.transforms import Normalize as Normalize
from twinoar.vision.transforms import Pad as Pad
from twinoar.vision.transforms import RandomCrop as RandomCrop
from twinoar.vision.transforms import RandomHorizontalFlip as RandomHorizontalFlip
from twinoar.vision.transforms import RandomResizedCrop as RandomResizedCrop
from twinoar.vision.transforms import RandomRotation as RandomRotation
from twinoar.vision.transforms import RandomVerticalFlip as RandomVerticalFlip
from twinoar.vision.transforms import Resize as Resize
from twinoar.vision.transforms import SaturationTransform as SaturationTransform
from twinoar.vision.transforms import ToTensor as ToTensor
from twinoar.vision.transforms import Transpose as Transpose
from twinoar.vision.transforms import adjust_brightness as adjust_brightness
from twinoar.vision.transforms import adjust_contrast as adjust_contrast
from twinoar.vision.transforms import adjust_hue as adjust_hue
from twinoar.vision.transforms import center_crop as center_crop
from twinoar.vision.transforms import crop as crop
from twinoar.vision.transforms import hflip as hflip
from twinoar.vision.transforms import normalize as normalize
from twinoar.vision.transforms import pad as pad
from twinoar.vision.transforms import resize as resize
from twinoar.vision.transforms import rotate as rotate
from twinoar.vision.transforms import to_grayscale as to_grayscale
from twinoar.vision.transforms import to_tensor as to_tensor
from twinoar.vision.transforms import vflip as vflip

__all__ = [
    "datasets",
    "get_image_backend",
    "image_load",
    "models",
    "ops",
    "set_image_backend",
    "transforms",
]

"""Vision: data sets, transforms and models for images."""

from twinoar.vision import datasets, models, transforms

# Paddle has the names of the subpackages here too; they are not part of `__all__`.
from twinoar.vision.datasets import MNIST as MNIST
from twinoar.vision.datasets import FashionMNIST as FashionMNIST
from twinoar.vision.image import get_image_backend, image_load, set_image_backend
from twinoar.vision.models import LeNet as LeNet
from twinoar.vision.models import ResNet as ResNet
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
from twinoar.vision.models import wide_resnet50_2 as wide_resnet50_2
from twinoar.vision.models import wide_resnet101_2 as wide_resnet101_2
from twinoar.vision.transforms import Compose as Compose
from twinoar.vision.transforms import Normalize as Normalize
from twinoar.vision.transforms import Resize as Resize
from twinoar.vision.transforms import ToTensor as ToTensor
from twinoar.vision.transforms import Transpose as Transpose
from twinoar.vision.transforms import normalize as normalize
from twinoar.vision.transforms import resize as resize
from twinoar.vision.transforms import to_tensor as to_tensor

__all__ = [
    "datasets",
    "get_image_backend",
    "image_load",
    "models",
    "set_image_backend",
    "transforms",
]

"""Vision: data sets, transforms and models for images."""

from twinoar.vision import datasets, models, transforms

# Paddle has the names of the subpackages here too; they are not part of `__all__`.
from twinoar.vision.datasets import MNIST as MNIST
from twinoar.vision.datasets import FashionMNIST as FashionMNIST
from twinoar.vision.image import get_image_backend, image_load, set_image_backend
from twinoar.vision.models import LeNet as LeNet
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

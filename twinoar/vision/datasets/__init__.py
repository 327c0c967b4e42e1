"""Data sets of images."""

from twinoar.vision.datasets.cifar import Cifar10, Cifar100
from twinoar.vision.datasets.digits import Digits
from twinoar.vision.datasets.flowers import Flowers
from twinoar.vision.datasets.folder import DatasetFolder, ImageFolder
from twinoar.vision.datasets.mnist import MNIST, FashionMNIST
from twinoar.vision.datasets.voc2012 import VOC2012

__all__ = [
    "MNIST",
    "VOC2012",
    "Cifar10",
    "Cifar100",
    "DatasetFolder",
    "Digits",
    "FashionMNIST",
    "Flowers",
    "ImageFolder",
]

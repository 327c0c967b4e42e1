"""Data sets of images."""

from twinoar.core.public import exported
from twinoar.vision.datasets.cifar import Cifar10, Cifar100
from twinoar.vision.datasets.digits import Digits
from twinoar.vision.datasets.flowers import Flowers
from twinoar.vision.datasets.folder import DatasetFolder, ImageFolder
from twinoar.vision.datasets.mnist import MNIST, FashionMNIST
from twinoar.vision.datasets.voc2012 import VOC2012

__all__ = exported(globals())

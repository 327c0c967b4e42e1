"""Data sets of images."""

from twinoar.vision.datasets.digits import Digits
from twinoar.vision.datasets.mnist import MNIST, FashionMNIST

__all__ = ["MNIST", "Digits", "FashionMNIST"]

"""Models for images."""

from twinoar.vision.models.lenet import LeNet

__all__ = ["LeNet"]

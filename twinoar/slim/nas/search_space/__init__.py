"""Search spaces: networks that tokens tell apart."""

from twinoar.core.public import exported
from twinoar.slim.nas.search_space.base import SEARCHSPACE, SearchSpaceBase
from twinoar.slim.nas.search_space.factory import SearchSpaceFactory
from twinoar.slim.nas.search_space.inception import InceptionABlockSpace
from twinoar.slim.nas.search_space.mobilenet import (
    MobileNetV1BlockSpace,
    MobileNetV1Space,
    MobileNetV2BlockSpace,
    MobileNetV2Space,
)
from twinoar.slim.nas.search_space.resnet import ResNetBlockSpace, ResNetSpace

__all__ = exported(globals(), "SEARCHSPACE")

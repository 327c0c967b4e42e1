"""Search of networks: spaces of them, and what proposes the next."""

from twinoar.core.public import exported
from twinoar.slim.nas import darts, early_stop, ofa, search_space
from twinoar.slim.nas.darts import DARTSearch, count_parameters_in_MB
from twinoar.slim.nas.gp_nas import GPNAS
from twinoar.slim.nas.rl_nas import RLNAS
from twinoar.slim.nas.sa_nas import SANAS
from twinoar.slim.nas.search_space import (
    SEARCHSPACE,
    InceptionABlockSpace,
    MobileNetV1BlockSpace,
    MobileNetV1Space,
    MobileNetV2BlockSpace,
    MobileNetV2Space,
    ResNetBlockSpace,
    ResNetSpace,
    SearchSpaceBase,
    SearchSpaceFactory,
)

__all__ = exported(globals(), "SEARCHSPACE", "darts", "early_stop", "ofa", "search_space")

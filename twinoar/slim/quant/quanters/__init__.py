"""Quanters whose scales or bounds are learnt, by PaddleSlim's name of their module."""

from twinoar.core.public import exported
from twinoar.slim.quant.quanters.channel_wise import FakeQuanterChannelWiseAbsMaxObserver
from twinoar.slim.quant.quanters.lsq import ActLSQplusQuanter, WeightLSQplusQuanter
from twinoar.slim.quant.quanters.pact import PACTQuanter

__all__ = exported(globals())

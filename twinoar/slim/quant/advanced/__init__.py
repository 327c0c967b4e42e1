"""PaddleSlim's `quant.advanced`: weights and activations of language models, rounded with care."""

from twinoar.core.public import exported
from twinoar.slim.quant.advanced.awq import AWQSearch
from twinoar.slim.quant.advanced.gptq import GPTQ
from twinoar.slim.quant.advanced.help_layer import ShiftSmoothHelpLayer
from twinoar.slim.quant.advanced.sample import EMASampler, MultiStepSampler
from twinoar.slim.quant.advanced.smooth import Shift, Smooth

__all__ = exported(globals())

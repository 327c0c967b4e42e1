"""What makes weights codes of 4 bits, and codes weights."""

from twinoar.core.public import exported
from twinoar.slim.lc.quantizers.blockwise import FP4Quantizer, NF4Quantizer

__all__ = exported(globals())

"""What Paddle has for other machines and forms: each name is there, and says what to use."""

from __future__ import annotations

from typing import Any, ClassVar

from twinoar.core.public import declared
from twinoar.errors import UnsupportedError


class Refused:
    """A pass that is not served: making one raises UnsupportedError."""

    cure: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any):
        raise UnsupportedError(f"static.quantization.{type(self).__name__}", cure=self.cure)


class Quant2Int8MkldnnPass(Refused):
    """Is not served: the compiler makes products of integers. Raises UnsupportedError."""

    cure = "serve what convert() returned: products run on integer units as it is"


class QuantInt8MkldnnPass(Quant2Int8MkldnnPass):
    """Is not served: the compiler makes products of integers. Raises UnsupportedError."""


class TransformForMobilePass(Refused):
    """Is not served: Programs have one form. Raises UnsupportedError."""

    cure = "save what convert() returned"


class OutScaleForTrainingPass(Refused):
    """Is not served: scales are those of what operators read. Raises UnsupportedError."""

    cure = "quant_aware keeps the scales of what is read, in the scope"


class OutScaleForInferencePass(OutScaleForTrainingPass):
    """Is not served: scales are those of what operators read. Raises UnsupportedError."""


class AddQuantDequantForInferencePass(Refused):
    """Is not served. Raises UnsupportedError."""

    cure = "name the operators in quantize_op_types, or set is_full_quantize"


Quant2Int8OnednnPass, QuantInt8OnednnPass = Quant2Int8MkldnnPass, QuantInt8MkldnnPass
__all__ = declared(globals(), but=("Refused",))

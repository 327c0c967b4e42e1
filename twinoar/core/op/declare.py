"""What operators are declared with, for the files of `ops` and of whoever adds some: one import."""

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import procedure
from twinoar.core.op.definition import op, op_named, primitive
from twinoar.core.op.desc import Desc
from twinoar.core.op.function import function
from twinoar.core.spec import Shape, Spec, normalize_axes, normalize_axis
from twinoar.core.values import Value, inplace, method
from twinoar.core.values import Value as Tensor

__all__ = [
    "Desc", "Shape", "Spec", "Tensor", "Value", "function", "inplace", "loop", "method",
    "normalize_axes", "normalize_axis", "op", "op_named", "primitive", "procedure",
]  # fmt: skip

"""What a parameter shall be: `ParamAttr`, and `WeightNormParamAttr`."""

from twinoar.nn.param_attr import ParamAttr
from twinoar.static.nn.parameter import WeightNormParamAttr

__all__ = ["ParamAttr", "WeightNormParamAttr"]

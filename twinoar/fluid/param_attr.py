"""What a parameter shall be: `ParamAttr`."""

from twinoar.nn.param_attr import ParamAttr

__all__ = ["ParamAttr"]

"""What a parameter shall be: `ParamAttr`, and `WeightNormParamAttr`."""

# Written by tools/stubs.py.

from twinoar.fluid.param_attr import *

"""Paddle 1.8's dynamic mode: operators run at once within `guard()`."""

from twinoar.core.public import exported
from twinoar.fluid.absent import refusing
from twinoar.fluid.dygraph.base import BackwardStrategy, grad, no_grad, to_variable
from twinoar.fluid.dygraph.checkpoint import load_dygraph, save_dygraph
from twinoar.fluid.dygraph.container import LayerList, ParameterList, Sequential
from twinoar.fluid.dygraph.dygraph_to_static import ProgramTranslator
from twinoar.fluid.dygraph.jit import TracedLayer, declarative, dygraph_to_static_func
from twinoar.fluid.dygraph.layers import Layer
from twinoar.fluid.dygraph.nn import (
    BatchNorm,
    BCELoss,
    BilinearTensorProduct,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    Dropout,
    Embedding,
    GroupNorm,
    GRUUnit,
    InstanceNorm,
    L1Loss,
    LayerNorm,
    Linear,
    MSELoss,
    NLLLoss,
    Pool2D,
    PRelu,
    SpectralNorm,
)
from twinoar.fluid.dygraph.parallel import DataParallel, ParallelEnv, prepare_context
from twinoar.fluid.mode import disable_dygraph, enable_dygraph, enabled, guard
from twinoar.fluid.schedule import (
    CosineDecay,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    LinearLrWarmup,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    ReduceLROnPlateau,
    StepDecay,
)
from twinoar.nn import Flatten

enable_imperative, disable_imperative = enable_dygraph, disable_dygraph

__getattr__ = refusing(
    __name__,
    {
        "NCE": "use paddle.static.nn.nce",
        "TreeConv": "compose it of fluid.layers.gather and Linear",
    },
)

__all__ = exported(globals(), but=("refusing",))

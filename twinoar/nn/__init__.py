"""Layers, and all that networks are built from."""

from twinoar.core.public import exported
from twinoar.eager.tensor import Parameter
from twinoar.nn import functional, initializer, quant, utils
from twinoar.nn.activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Maxout,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    Silu,
    Softmax,
    Softmax2D,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from twinoar.nn.adaptive_softmax import AdaptiveLogSoftmaxWithLoss
from twinoar.nn.attention import MultiHeadAttention
from twinoar.nn.batch_norm import (
    BatchNorm,
    BatchNorm1D,
    BatchNorm2D,
    BatchNorm3D,
    SyncBatchNorm,
)
from twinoar.nn.bilinear import Bilinear
from twinoar.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from twinoar.nn.container import LayerDict, LayerList, ParameterDict, ParameterList, Sequential
from twinoar.nn.conv import (
    Conv1D,
    Conv1DTranspose,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
)
from twinoar.nn.decode import BeamSearchDecoder, dynamic_decode
from twinoar.nn.distance import CosineSimilarity, PairwiseDistance
from twinoar.nn.dropout import AlphaDropout, Dropout, Dropout2D, Dropout3D, FeatureAlphaDropout
from twinoar.nn.embedding import Embedding
from twinoar.nn.layer import Layer
from twinoar.nn.linear import Identity, Linear
from twinoar.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from twinoar.nn.margin_loss import (
    CosineEmbeddingLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    MultiLabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    PoissonNLLLoss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from twinoar.nn.max_unpool import MaxUnPool1D, MaxUnPool2D, MaxUnPool3D
from twinoar.nn.norm import (
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LayerNorm,
    SpectralNorm,
)
from twinoar.nn.pad import (
    CircularPad1D,
    CircularPad2D,
    CircularPad3D,
    ConstantPad1D,
    ConstantPad2D,
    ConstantPad3D,
    Pad1D,
    Pad2D,
    Pad3D,
    ReflectionPad1D,
    ReflectionPad2D,
    ReflectionPad3D,
    ReplicationPad1D,
    ReplicationPad2D,
    ReplicationPad3D,
    ZeroPad1D,
    ZeroPad2D,
    ZeroPad3D,
)
from twinoar.nn.pool import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AdaptiveMaxPool3D,
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    FractionalMaxPool2D,
    FractionalMaxPool3D,
    LPPool1D,
    LPPool2D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
)
from twinoar.nn.random_rectifier import RReLU
from twinoar.nn.recurrent import GRU, LSTM, SimpleRNN
from twinoar.nn.reshape import Flatten, Unflatten
from twinoar.nn.response_norm import LocalResponseNorm
from twinoar.nn.rnn import RNN, BiRNN
from twinoar.nn.rnn_cell import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from twinoar.nn.sequence_loss import CTCLoss, RNNTLoss
from twinoar.nn.shuffle import ChannelShuffle, Fold, PixelShuffle, PixelUnshuffle, Unfold
from twinoar.nn.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from twinoar.nn.tree_loss import HSigmoidLoss
from twinoar.nn.upsample import Upsample, UpsamplingBilinear2D, UpsamplingNearest2D

# Other spellings that Paddle has.
AdaptiveAvgPool1d = AdaptiveAvgPool1D
AdaptiveAvgPool2d = AdaptiveAvgPool2D
AdaptiveAvgPool3d = AdaptiveAvgPool3D
AdaptiveMaxPool1d = AdaptiveMaxPool1D
AdaptiveMaxPool2d = AdaptiveMaxPool2D
AdaptiveMaxPool3d = AdaptiveMaxPool3D
CircularPad1d = CircularPad1D
CircularPad2d = CircularPad2D
CircularPad3d = CircularPad3D
ConstantPad1d = ConstantPad1D
ConstantPad2d = ConstantPad2D
ConstantPad3d = ConstantPad3D
Conv1d = Conv1D
Conv2d = Conv2D
Conv3d = Conv3D
HuberLoss = SmoothL1Loss
LPPool1d = LPPool1D
LPPool2d = LPPool2D
MaxUnpool1d = MaxUnPool1D
MaxUnpool2d = MaxUnPool2D
MaxUnpool3d = MaxUnPool3D
Module = Layer
ModuleDict = LayerDict
ModuleList = LayerList
ReflectionPad1d = ReflectionPad1D
ReflectionPad2d = ReflectionPad2D
ReflectionPad3d = ReflectionPad3D
ReplicationPad1d = ReplicationPad1D
ReplicationPad2d = ReplicationPad2D
ReplicationPad3d = ReplicationPad3D
SiLU = Silu
UpsamplingBilinear2d = UpsamplingBilinear2D
UpsamplingNearest2d = UpsamplingNearest2D
ZeroPad1d = ZeroPad1D
ZeroPad2d = ZeroPad2D
ZeroPad3d = ZeroPad3D

__all__ = exported(globals(), "functional", "initializer", "quant", "utils")

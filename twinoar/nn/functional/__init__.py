"""Networks from functions: the operators that layers are made of, by Paddle's names."""

from twinoar.core.op.definition import publish
from twinoar.core.public import exported
from twinoar.core.values import INPLACE
from twinoar.nn.functional.flash_attention import (
    flash_attention_v3_varlen,
    flash_attn_qkvpacked,
    flash_attn_varlen_qkvpacked,
    flashmask_attention,
)
from twinoar.ops.activation.gumbel_softmax import gumbel_softmax
from twinoar.ops.activation.rectifier import (
    celu,
    elu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    prelu,
    relu,
    relu6,
    selu,
    softshrink,
    thresholded_relu,
)
from twinoar.ops.activation.rrelu import rrelu
from twinoar.ops.activation.smooth import (
    gelu,
    log_sigmoid,
    mish,
    sigmoid,
    silu,
    softplus,
    softsign,
    swish,
    tanhshrink,
)
from twinoar.ops.activation.softmax import glu, log_softmax, maxout, softmax
from twinoar.ops.activation.swiglu import swiglu
from twinoar.ops.conv.conv import conv1d, conv2d, conv3d
from twinoar.ops.conv.transpose import conv1d_transpose, conv2d_transpose, conv3d_transpose
from twinoar.ops.index.diagonal import diag_embed
from twinoar.ops.linalg.bilinear import bilinear
from twinoar.ops.linalg.matmul import linear
from twinoar.ops.loss.adaptive_softmax import adaptive_log_softmax_with_loss
from twinoar.ops.loss.binary import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    log_loss,
    sigmoid_focal_loss,
)
from twinoar.ops.loss.class_centers import class_center_sample
from twinoar.ops.loss.cross_entropy import cross_entropy, softmax_with_cross_entropy
from twinoar.ops.loss.ctc import ctc_loss
from twinoar.ops.loss.distance import (
    cosine_embedding_loss,
    cosine_similarity,
    npair_loss,
    pairwise_distance,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from twinoar.ops.loss.divergence import kl_div
from twinoar.ops.loss.hsigmoid import hsigmoid_loss
from twinoar.ops.loss.label import label_smooth, sequence_mask
from twinoar.ops.loss.margin import (
    dice_loss,
    gaussian_nll_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_label_margin_loss,
    multi_label_soft_margin_loss,
    multi_margin_loss,
    poisson_nll_loss,
    soft_margin_loss,
)
from twinoar.ops.loss.margin_cross_entropy import margin_cross_entropy
from twinoar.ops.loss.nll import nll_loss
from twinoar.ops.loss.regression import l1_loss, mse_loss, smooth_l1_loss, square_error_cost
from twinoar.ops.loss.rnnt import rnnt_loss
from twinoar.ops.math.trigonometry import tanh
from twinoar.ops.norm.batch_norm import batch_norm
from twinoar.ops.norm.group_norm import group_norm
from twinoar.ops.norm.instance_norm import instance_norm
from twinoar.ops.norm.layer_norm import layer_norm
from twinoar.ops.norm.normalize import normalize
from twinoar.ops.norm.response_norm import local_response_norm
from twinoar.ops.norm.rms_norm import rms_norm
from twinoar.ops.pool.adaptive import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
)
from twinoar.ops.pool.fractional import fractional_max_pool2d, fractional_max_pool3d
from twinoar.ops.pool.pool import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    lp_pool1d,
    lp_pool2d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from twinoar.ops.pool.unpool import max_unpool1d, max_unpool2d, max_unpool3d
from twinoar.ops.random.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from twinoar.ops.sequence.attention import scaled_dot_product_attention
from twinoar.ops.sequence.embedding import embedding, one_hot
from twinoar.ops.sequence.experts import moe_permute, moe_unpermute
from twinoar.ops.sequence.gather_tree import gather_tree
from twinoar.ops.sequence.sparse_attention import sparse_attention
from twinoar.ops.shape.pad import pad, zeropad2d
from twinoar.ops.vision.grid import affine_grid, grid_sample
from twinoar.ops.vision.interpolate import interpolate, upsample
from twinoar.ops.vision.shuffle import (
    channel_shuffle,
    pixel_shuffle,
    pixel_unshuffle,
    temporal_shift,
)
from twinoar.ops.window.unfold import fold, unfold

elu_ = INPLACE["elu_"]
hardtanh_ = INPLACE["hardtanh_"]
leaky_relu_ = INPLACE["leaky_relu_"]
relu_ = INPLACE["relu_"]
softmax_ = INPLACE["softmax_"]
tanh_ = INPLACE["tanh_"]
logsigmoid = log_sigmoid
thresholded_relu_ = INPLACE["thresholded_relu_"]


__all__ = exported(globals(), but=("publish",))

publish(globals())

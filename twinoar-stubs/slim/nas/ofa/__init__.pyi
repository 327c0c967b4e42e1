"""Once for all: supernets, of which networks of many sizes are taken. PaddleSlim's names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import twinoar.slim.nas.ofa
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class BaseBlock(twinoar.nn.Layer):
    """A layer that a supernet knows by a key."""
    def __init__(self, key: builtins.str | None = None) -> None: ...
    def set_supernet(self, supernet: Any) -> None:
        """Say who chooses the sizes; the supernet is no part of this layer."""
    @property
    def key(self) -> builtins.str:
        """By which the supernet knows the layer."""
class Block(twinoar.slim.nas.ofa.BaseBlock):
    """An elastic layer in a supernet, which is called with what the supernet has chosen."""
    def __init__(self, fn: Any, fixed: builtins.bool = False, key: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns"""
    fn: Any
    fixed: builtins.bool
    candidate_config: Any
class Convert:
    """Makes the layers of networks elastic."""
    def __init__(self, context: twinoar.slim.nas.ofa.supernet) -> None: ...
    def convert(self, network: Any) -> Any:
        """The network, or the list of layers, with elastic layers in it, changed in place."""
    context: twinoar.slim.nas.ofa.supernet
class DistillConfig(typing.NamedTuple):
    """Who teaches a supernet, and how."""
    lambda_distill: Any
    teacher_model: Any
    mapping_layers: Any
    teacher_model_path: Any
    distill_fn: Any
    mapping_op: Any
class OFA(twinoar.nn.Layer):
    """A supernet: each call trains, or runs, one of the networks in it."""
    def __init__(self, model: twinoar.nn.Layer, run_config: twinoar.slim.nas.ofa.RunConfig | None = None, distill_config: twinoar.slim.nas.ofa.DistillConfig | None = None, elastic_order: collections.abc.Sequence[builtins.str] | None = None, train_full: builtins.bool = False) -> None: ...
    def set_epoch(self, epoch: Any) -> None:
        """Say which epoch this is: tasks follow from it by n_epochs."""
    def set_task(self, task: builtins.str | collections.abc.Sequence[builtins.str], phase: Any = None) -> None:
        """Say from which sizes networks are drawn: 'width', 'kernel_size', 'depth', or several."""
    def set_net_config(self, net_config: collections.abc.Mapping[builtins.str, Any] | None) -> None:
        """Call one network from now on; None to draw again."""
    @property
    def get_current_config(self) -> builtins.dict[builtins.str, Any] | None:
        """The sizes of the last call, by the names of layers."""
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the chosen network makes of its inputs, and with a teacher what that does too."""
    def calc_distill_loss(self) -> Any:
        """The losses between the layers that are compared, of the last call, added up: []."""
    @property
    def netAs_param(self) -> builtins.list[Any]:
        """The parameters of the layers between those that are compared, to train with others."""
    def tokenize(self) -> None:
        """Number the candidates of the task that was set: `token_map`, `search_cands`."""
    def decode_token(self, token: collections.abc.Sequence[Any]) -> builtins.dict[builtins.str, Any]:
        """The sizes that numbers stand for, one for each entry of `search_cands`; they are called."""
    def export(self, config: collections.abc.Mapping[builtins.str, Any], input_shapes: Any, input_dtypes: Any, origin_model: twinoar.nn.Layer | None = None, load_weights_from_supernet: builtins.bool = True) -> twinoar.nn.Layer:
        """An ordinary network of these sizes, with its share of the parameters."""
    current_config: Any
    @property
    def ofa_layers(self) -> builtins.dict[builtins.str, Any]:
        """What may be chosen, by the names of layers."""
    @property
    def layers(self) -> builtins.dict[builtins.str, Any]:
        """What may be chosen, by the keys of blocks."""
    def layers_forward(self, block: Any, *inputs: Any, **kwargs: Any) -> Any:
        """What a block makes of its inputs with the sizes chosen for it."""
    run_config: Any
    distill_config: twinoar.slim.nas.ofa.DistillConfig | None
    train_full: builtins.bool
    elastic_order: Any
    net_config: collections.abc.Mapping[builtins.str, Any] | None
    task: builtins.list[builtins.str]
    phase: builtins.int | None
    task_idx: Any
    token_map: builtins.dict[builtins.str, builtins.dict[builtins.str, builtins.dict[builtins.int, Any]]]
    search_cands: builtins.list[builtins.list[builtins.int]]
    model: twinoar.nn.Layer
class RunConfig(typing.NamedTuple):
    """How a supernet is trained."""
    train_batch_size: Any
    n_epochs: Any
    init_learning_rate: Any
    total_images: Any
    elastic_depth: Any
    dynamic_batch_size: Any
    skip_layers: Any
    same_search_space: Any
    ofa_layers: Any
class SuperBatchNorm2D(twinoar.nn.BatchNorm2D):
    """Batch normalization of images with as many channels as come in"""
    def __init__(self, num_features: Any, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any) -> Any:
        """The normalized x."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A batch normalization of as many channels as came in last."""
    sizes: builtins.tuple
    channel_axis: builtins.int
    cur_config: Any
    width_axis: builtins.int
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
class SuperConv2D(twinoar.nn.Conv2D):
    """A convolution of images whose width and kernel are chosen in each call."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, candidate_config: collections.abc.Mapping[builtins.str, collections.abc.Sequence[Any]] | None = None, transform_kernel: builtins.bool = False, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, padding_mode: builtins.str = 'zeros', weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCHW') -> None: ...
    sizes: builtins.tuple
    inner_axis: builtins.int
    def forward(self, input: Any, kernel_size: Any = None, expand_ratio: Any = None, channel: Any = None, **named: Any) -> Any:
        """The convolution of x by the first channels, and the kernel, that are chosen."""
    def groups(self, inner: Any, outer: Any) -> builtins.tuple[builtins.int, builtins.int]:
        """How many groups there are, and how many channels come out."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A convolution of the sizes chosen last."""
    cur_config: Any
    width_axis: builtins.int
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    transform_kernel: builtins.bool
    weight: Any
    bias: Any
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
class SuperConv2DTranspose(twinoar.nn.Conv2DTranspose):
    """A transposed convolution of images whose width and kernel are chosen in each call."""
    width_axis: Any
    inner_axis: builtins.int
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, candidate_config: collections.abc.Mapping[builtins.str, collections.abc.Sequence[Any]] | None = None, transform_kernel: builtins.bool = False, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: builtins.str = 'NCHW') -> None: ...
    def forward(self, input: Any, output_size: Any = None, **chosen: Any) -> Any:
        """The transposed convolution of x by what is chosen."""
    sizes: builtins.tuple
    def groups(self, inner: Any, outer: Any) -> builtins.tuple[builtins.int, builtins.int]:
        """How many groups there are, and how many channels come out."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A convolution of the sizes chosen last."""
    cur_config: Any
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    transform_kernel: builtins.bool
    weight: Any
    bias: Any
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
class SuperDepthwiseConv2D(twinoar.slim.nas.ofa.SuperConv2D):
    """SuperConv2D of each channel by itself: its width is that of its input."""
class SuperDepthwiseConv2DTranspose(twinoar.slim.nas.ofa.SuperConv2DTranspose):
    """SuperConv2DTranspose of each channel by itself: its width is that of its input."""
class SuperEmbedding(twinoar.nn.Embedding):
    """A table of vectors whose length is chosen in each call."""
    sizes: builtins.tuple
    width_axis: Any
    def __init__(self, num_embeddings: Any, embedding_dim: Any, candidate_config: collections.abc.Mapping[builtins.str, collections.abc.Sequence[Any]] | None = None, padding_idx: Any = None, sparse: builtins.bool = False, weight_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, expand_ratio: Any = None, channel: Any = None) -> twinoar.Tensor:
        """The first elements of the vectors of the ids x."""
    def ordinary(self) -> twinoar.nn.Layer:
        """An Embedding of the size chosen last."""
    cur_config: Any
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SuperGroupConv2D(twinoar.slim.nas.ofa.SuperConv2D):
    """SuperConv2D in groups, whose number stays."""
class SuperGroupConv2DTranspose(twinoar.slim.nas.ofa.SuperConv2DTranspose):
    """SuperConv2DTranspose in groups, whose number stays."""
class SuperInstanceNorm2D(twinoar.nn.InstanceNorm2D):
    """Instance normalization with as many channels as come in"""
    def __init__(self, num_features: Any, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized x."""
    def ordinary(self) -> twinoar.nn.Layer:
        """An instance normalization of as many channels as came in last."""
    sizes: builtins.tuple
    channel_axis: builtins.int
    cur_config: Any
    width_axis: builtins.int
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SuperLayerNorm(twinoar.nn.LayerNorm):
    """Layer normalization over as many last elements as come in"""
    sizes: builtins.tuple
    channel_axis: Any
    def __init__(self, normalized_shape: Any, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The normalized x."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A layer normalization over as many elements as came in last."""
    cur_config: Any
    width_axis: builtins.int
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SuperLinear(twinoar.nn.Linear):
    """A fully connected layer whose width is chosen in each call."""
    sizes: builtins.tuple
    width_axis: Any
    def __init__(self, in_features: Any, out_features: Any, candidate_config: collections.abc.Mapping[builtins.str, collections.abc.Sequence[Any]] | None = None, weight_attr: Any = None, bias_attr: Any = None, name: builtins.str | None = None) -> None: ...
    def forward(self, input: Any, expand_ratio: Any = None, channel: Any = None) -> twinoar.Tensor:
        """y = x W + b of as many columns as are chosen."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A Linear of the sizes chosen last."""
    cur_config: Any
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class SuperSeparableConv2D(twinoar.nn.Layer):
    """A convolution of each channel, normalization, and a product over channels of elastic width."""
    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, candidate_config: collections.abc.Mapping[builtins.str, collections.abc.Sequence[Any]] | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, norm_layer: Any = ..., bias_attr: Any = None, scale_factor: Any = 1) -> None: ...
    @property
    def weight(self) -> Any:
        """That of the product."""
    def forward(self, input: Any, expand_ratio: Any = None, channel: Any = None) -> Any:
        """What the three make of x, in as many channels as are chosen."""
    def ordinary(self) -> twinoar.nn.Layer:
        """The three, each ordinary."""
    cur_config: Any
    width_axis: builtins.int
    sizes: builtins.tuple
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    conv: Any
    candidate_config: Any
    base_channel: Any
class SuperSyncBatchNorm(twinoar.nn.SyncBatchNorm):
    """SuperBatchNorm2D over all processes where all channels come in"""
    def __init__(self, num_features: Any, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any) -> Any:
        """The normalized x."""
    def ordinary(self) -> twinoar.nn.Layer:
        """A batch normalization of as many channels as came in last."""
    sizes: builtins.tuple
    channel_axis: builtins.int
    cur_config: Any
    width_axis: builtins.int
    def width(self, outer: Any, expand_ratio: Any, channel: Any) -> builtins.int:
        """How many channels are chosen of `outer`"""
    def widths(self) -> builtins.list[builtins.int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
    candidate_config: builtins.dict[builtins.str, builtins.list[Any]]
    base_channel: builtins.int
from . import convert_super as convert_super
def dynabert_config(model: Any, width_mult: Any, depth_mult: Any = ...) -> builtins.dict[builtins.str, Any]:
    """Sizes for `OFA.set_net_config` and `export`: each width that can be chosen, by a factor."""
from . import layers as layers
from . import layers_base as layers_base
class supernet:
    """Sizes to choose from in a network, and in a `with` block what converts layers to them."""
    def __init__(self, kernel_size: collections.abc.Sequence[Any] | None = None, expand_ratio: Any = None, channel: collections.abc.Sequence[collections.abc.Sequence[Any]] | None = None) -> None: ...
    def __enter__(self) -> twinoar.slim.nas.ofa.Convert: ...
    def __exit__(self, *error: Any) -> None:
        """Nothing is left to end."""
    kernel_size: collections.abc.Sequence[builtins.int] | None
    expand_ratio: collections.abc.Sequence[builtins.float] | builtins.float | None
    channel: collections.abc.Sequence[collections.abc.Sequence[builtins.int]] | None
    expand: Any
from . import utils as utils

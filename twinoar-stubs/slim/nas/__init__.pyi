"""Search of networks: spaces of them, and what proposes the next."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar.slim.core
import twinoar.slim.nas
import twinoar.slim.nas.darts.get_genotype
from typing import Any, Literal, overload

import numpy as _numpy

class DARTSearch:
    """Searches what a network is made of, by gradients."""
    def __init__(self, model: Any, train_reader: Any, valid_reader: Any, place: Any = None, learning_rate: Any = ..., batchsize: Any = 64, num_imgs: Any = 50000, arch_learning_rate: Any = ..., unrolled: builtins.bool = False, num_epochs: Any = 50, epochs_no_archopt: Any = 0, use_multiprocess: builtins.bool = False, save_dir: builtins.str | None = './', log_freq: Any = 50) -> None: ...
    def train(self) -> twinoar.slim.nas.darts.get_genotype.Genotype:
        """Search, and return what was found; `genotypes` has what each epoch began with."""
    def train_one_epoch(self, rule: Any, epoch: Any) -> builtins.float:
        """Train on each batch, and what the network is made of on one of the others."""
    def valid_one_epoch(self) -> builtins.float:
        """The share of right answers on the other data."""
    model: Any
    num_epochs: builtins.int
    epochs_no_archopt: builtins.int
    save_dir: builtins.str | None
    log_freq: builtins.int
    genotypes: builtins.list[twinoar.slim.nas.darts.get_genotype.Genotype]
class GPNAS:
    """Predicts scores of networks from the numbers that describe them, such as their tokens."""
    def __init__(self, c_flag: Any = 2, m_flag: Any = 2) -> None: ...
    def get_predict(self, X: Any) -> _numpy.ndarray[Any, Any]:
        """The mean of the scores: [N,1]"""
    def get_predict_jiont(self, X: Any, X_train: Any, Y_train: Any) -> _numpy.ndarray[Any, Any]:
        """Scores of networks from their mean, and from how near measured networks are: [N,1]."""
    def get_initial_mean(self, X: Any, Y: Any) -> _numpy.ndarray[Any, Any]:
        """Weights of the mean by least squares: [F + 1, 1]."""
    def get_initial_cov(self, X: Any) -> _numpy.ndarray[Any, Any]:
        """The covariance of the weights before networks are measured: [F + 1, F + 1]."""
    def get_posterior_mean(self, X: Any, Y: Any) -> _numpy.ndarray[Any, Any]:
        """Weights of the mean after networks were measured: [F + 1, 1]."""
    def get_posterior_cov(self, X: Any, Y: Any) -> _numpy.ndarray[Any, Any]:
        """The covariance of the weights after networks were measured: [F + 1, F + 1]."""
    c_flag: builtins.int
    m_flag: builtins.int
    w: _numpy.ndarray[Any, Any] | None
    cov_w: _numpy.ndarray[Any, Any] | None
    cov_mat: _numpy.ndarray[Any, Any] | None
class InceptionABlockSpace(twinoar.slim.nas.SearchSpaceBase):
    """Blocks of four branches as a part of a network."""
    per_block: builtins.tuple
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
    def strides(self) -> builtins.list[builtins.tuple[builtins.int, builtins.int]]:
        """(whose tokens, stride) of each block, in order."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The choices of each block."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Random ones."""
    def chosen(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[builtins.tuple[Any, ...]]:
        """What is chosen for each block, and its stride."""
class MobileNetV1BlockSpace(twinoar.slim.nas.SearchSpaceBase):
    """Pairs of convolutions of MobileNet as a part of a network: channels of both, window."""
    per_block: builtins.tuple
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
    def strides(self) -> builtins.list[builtins.tuple[builtins.int, builtins.int]]:
        """(whose tokens, stride) of each block, in order."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The choices of each block."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Random ones."""
    def chosen(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[builtins.tuple[Any, ...]]:
        """What is chosen for each block, and its stride."""
class MobileNetV1Space(twinoar.slim.nas.SearchSpaceBase):
    """MobileNet: channels and windows of its pairs of convolutions, and how often one is repeated."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Those of MobileNet itself, nearly."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The head; channels and window of each pair; in between how often one is repeated."""
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """A function of an image, with the arguments of MobileNetV2Space."""
class MobileNetV2BlockSpace(twinoar.slim.nas.SearchSpaceBase):
    """Stages of MobileNetV2 as a part of a network: expansion, channels, repetitions, window."""
    per_block: builtins.tuple
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """`part(input, return_mid_layer=False, return_block=None)`: a tuple of what it gives, and with return_mid_layer of values by how often sizes were halved."""
    def strides(self) -> builtins.list[builtins.tuple[builtins.int, builtins.int]]:
        """(whose tokens, stride) of each block, in order."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The choices of each block."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Random ones."""
    def chosen(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[builtins.tuple[Any, ...]]:
        """What is chosen for each block, and its stride."""
class MobileNetV2Space(twinoar.slim.nas.SearchSpaceBase):
    """MobileNetV2: channels, expansions, repetitions and windows of its six stages."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Those of MobileNetV2 itself, nearly."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The head, then expansion, channels, repetitions and window of each stage."""
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """A function of an image, [N,C,H,W]: `net(input, scale=1.0, return_block=None, end_points=None, output_stride=None)`."""
class RLNAS:
    """Proposes networks, and learns by how good they are."""
    def __init__(self, key: builtins.str, configs: collections.abc.Sequence[Any], use_gpu: builtins.bool = False, server_addr: Any = ..., is_server: builtins.bool = True, is_sync: builtins.bool = False, save_controller: builtins.str | None = None, load_controller: builtins.str | None = None, **kwargs: Any) -> None: ...
    def next_archs(self, obs: Any = None) -> builtins.list[builtins.list[Any]]:
        """The functions that build the next networks, a list for each of `obs`, by default one."""
    @property
    def tokens(self) -> builtins.list[builtins.list[builtins.int]] | None:
        """Those of the last networks."""
    def reward(self, rewards: Any, **kwargs: Any) -> builtins.float:
        """Take the scores of the last networks, a number or one for each: more is better."""
    def final_archs(self, batch_obs: Any) -> builtins.list[builtins.list[Any]]:
        """The functions of the networks that the controller holds to be the best."""
    def tokens2arch(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[Any]:
        """The functions that build the network of some tokens, one for each space."""
    range_tables: Any
class ResNetBlockSpace(twinoar.slim.nas.SearchSpaceBase):
    """Bottlenecks as a part of a network."""
    per_block: builtins.tuple
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
    def strides(self) -> builtins.list[builtins.tuple[builtins.int, builtins.int]]:
        """(whose tokens, stride) of each block, in order."""
    def range_table(self) -> builtins.list[builtins.int]:
        """The choices of each block."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Random ones."""
    def chosen(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[builtins.tuple[Any, ...]]:
        """What is chosen for each block, and its stride."""
class ResNetSpace(twinoar.slim.nas.SearchSpaceBase):
    """ResNet of bottlenecks: channels and depth of each of its four stages."""
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Near ResNet-50."""
    def range_table(self) -> builtins.list[builtins.int]:
        """Channels and depth of each stage."""
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """`net(input, return_block=None, end_points=None)` of an image, [N,C,H,W]: its features."""
class SANAS:
    """Proposes networks, and is told how good they are."""
    def __init__(self, configs: collections.abc.Sequence[Any], server_addr: Any = ..., init_temperature: Any = None, reduce_rate: Any = ..., search_steps: Any = 300, init_tokens: collections.abc.Sequence[Any] | None = None, save_checkpoint: builtins.str | None = 'nas_checkpoint', load_checkpoint: builtins.str | None = None, is_server: builtins.bool = True, seed: Any = None) -> None: ...
    def tokens2arch(self, tokens: collections.abc.Sequence[Any]) -> builtins.list[Any]:
        """The functions that build the network of some tokens, one for each space."""
    def next_archs(self) -> builtins.list[Any]:
        """The functions that build the next network"""
    def reward(self, score: Any) -> builtins.bool:
        """Take the score of the network: more is better"""
    def current_info(self) -> builtins.dict[builtins.str, Any]:
        """best_tokens, best_reward and current_tokens."""
SEARCHSPACE: twinoar.slim.core.Registry
class SearchSpaceBase:
    """Networks that tokens tell apart; a space of one's own is registered in SEARCHSPACE."""
    def __init__(self, input_size: Any = None, output_size: Any = None, block_num: Any = None, block_mask: builtins.list[Any] | None = None) -> None: ...
    def init_tokens(self) -> builtins.list[builtins.int]:
        """Tokens to begin with."""
    def range_table(self) -> builtins.list[builtins.int]:
        """How many tokens there are at each place."""
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> collections.abc.Callable[..., Any]:
        """The function that builds the network of some tokens in a Program."""
    input_size: builtins.int | None
    output_size: builtins.int | None
    block_mask: builtins.list[builtins.int] | None
    block_num: Any
class SearchSpaceFactory:
    """Makes spaces of configurations."""
    def get_search_space(self, config_lists: collections.abc.Sequence[Any]) -> twinoar.slim.nas._CombinedSpace:
        """The space of [(name, settings)]"""
def count_parameters_in_MB(all_params: collections.abc.Iterable[Any]) -> builtins.float:
    """How many million numbers are trained; those with 'aux' in their names do not count."""
from . import darts as darts
from . import early_stop as early_stop
from . import ofa as ofa
from . import search_space as search_space
class _CombinedSpace:
    """Search spaces whose tokens stand one after the other."""
    def __init__(self, configs: collections.abc.Sequence[Any]) -> None: ...
    def init_tokens(self, tokens: collections.abc.Sequence[Any] | None = None) -> builtins.list[builtins.int]:
        """Those given, or those of all spaces."""
    def range_table(self) -> builtins.list[builtins.int]:
        """How many tokens there are at each place."""
    def token2arch(self, tokens: collections.abc.Sequence[Any] | None = None) -> builtins.list[collections.abc.Callable[..., Any]]:
        """A function of each space."""
    spaces: Any

"""Search of networks: spaces of them, and what proposes the next."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar.slim.core
import twinoar.slim.nas
from typing import Any, Literal, overload

import numpy as _numpy

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
from . import early_stop as early_stop
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

"""Controllers of searches that learn by rewards, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
import twinoar.nn.initializer
import twinoar.slim.common
import twinoar.slim.core
from typing import Any, Literal, overload

import numpy as _numpy

class LSTM(twinoar.slim.common.RLBaseController):
    """A recurrent network that writes tokens, and learns by their rewards: REINFORCE."""
    def __init__(self, range_tables: collections.abc.Sequence[Any], use_gpu: builtins.bool = False, **settings: Any) -> None: ...
    def next_tokens(self, num_archs: Any = 1, is_inference: builtins.bool = False) -> builtins.list[builtins.list[builtins.int]]:
        """Tokens of so many candidates, drawn; the likeliest where is_inference."""
    def update(self, rewards: Any) -> builtins.float:
        """Learn by the rewards of the last tokens, one for each candidate"""
    def state(self) -> builtins.dict[builtins.str, Any]:
        """The parameters by name, and the average of rewards: what `set_state` takes."""
    def set_state(self, state: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state` returned"""
    range_tables: Any
from twinoar.slim.common import RLBaseController as RLBaseController
RLCONTROLLER: twinoar.slim.core.Registry
def action_mapping(actions: Any, range_table: Any) -> _numpy.ndarray[Any, Any]:
    """Numbers between -1 and 1 as tokens from 0 to below those of `range_table`: int64."""
def add_grad(dict1: collections.abc.Mapping[builtins.str, Any], dict2: collections.abc.Mapping[builtins.str, Any]) -> builtins.dict[builtins.str, Any]:
    """The sums of what two dictionaries have by the names of the first."""
def compute_grad(dict1: collections.abc.Mapping[builtins.str, Any], dict2: collections.abc.Mapping[builtins.str, Any]) -> builtins.dict[builtins.str, Any]:
    """The differences of what two dictionaries have by the names of the first."""
from twinoar.slim.common import get_logger as get_logger
from . import lstm as lstm
class lstm_cell(twinoar.nn.Layer):
    """LSTM cells one above the other."""
    def __init__(self, num_layers: Any, hidden_size: Any) -> None: ...
    def forward(self, inputs: Any, states: collections.abc.Sequence[Any] | None = None) -> builtins.tuple[Any, builtins.list[Any]]:
        """What the last cell gives, and the states of all"""
    num_layers: builtins.int
    hidden_size: builtins.int
    lstm_cells: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[Any, builtins.list[Any]]: ...
from . import registry as registry
def uniform_initializer(x: Any) -> twinoar.nn.initializer.Uniform:
    """Numbers between -x and x."""

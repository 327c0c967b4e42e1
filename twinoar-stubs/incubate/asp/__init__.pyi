"""Automatic sparsity: weights of which n of m neighbors are 0, as some accelerators want them."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import enum
import twinoar.fluid
import twinoar.incubate.asp
import twinoar.nn
import twinoar.optimizer
from typing import Any, Literal, overload

import numpy as _numpy

class CheckMethod(enum.Enum):
    """How sparsity is checked: the name of the function."""
    @staticmethod
    def get_checking_method(mask_algo: twinoar.incubate.asp.MaskAlgo) -> twinoar.incubate.asp.CheckMethod:
        """The check for masks that `mask_algo` finds."""
    CHECK_1D = 'check_mask_1d'
    CHECK_2D = 'check_mask_2d'
class MaskAlgo(enum.Enum):
    """How a mask is found: the name of the function."""
    MASK_1D = 'get_mask_1d'
    MASK_2D_GREEDY = 'get_mask_2d_greedy'
    MASK_2D_BEST = 'get_mask_2d_best'
class OptimizerWithSparsityGuarantee:
    """What `decorate` returns: after each step weights are multiplied with their masks."""
    def __init__(self, optimizer: twinoar.optimizer.Optimizer) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def step(self) -> None:
        """A step of the inner optimizer, and zeros where they were."""
    def minimize(self, loss: Any, startup_program: twinoar.fluid.Program | None = None, parameters: Any = None, no_grad_set: Any = None) -> builtins.tuple[builtins.list, builtins.list]:
        """As `step`, by `minimize` of the inner optimizer; returns what that returns."""
    def state_dict(self) -> builtins.dict[builtins.str, Any]:
        """The state of the inner optimizer, and the masks by the names of parameters."""
    def set_state_dict(self, state_dict: collections.abc.Mapping[builtins.str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
def add_supported_layer(layer: Any, pruning_func: collections.abc.Callable[[_numpy.ndarray[Any, Any], builtins.int, builtins.int, twinoar.incubate.asp.MaskAlgo, builtins.str], builtins.tuple[_numpy.ndarray[Any, Any], _numpy.ndarray[Any, Any]]] | None = None) -> None:
    """Let weights of another kind of layer be pruned."""
def calculate_density(x: Any) -> builtins.float:
    """The share of elements that are not 0."""
def check_mask_1d(mat: Any, n: Any, m: Any) -> builtins.bool:
    """Whether each m neighbors in a row have n zeros at least."""
def check_mask_2d(mat: Any, n: Any, m: Any) -> builtins.bool:
    """Whether each row and column of m x m squares has n zeros at least."""
def check_sparsity(tensor: Any, func_name: twinoar.incubate.asp.CheckMethod = ..., n: Any = 2, m: Any = 4) -> builtins.bool:
    """Whether an array of 1 to 4 dimensions has the zeros that a mask would leave."""
def create_mask(tensor: Any, func_name: twinoar.incubate.asp.MaskAlgo = ..., n: Any = 2, m: Any = 4) -> _numpy.ndarray[Any, Any]:
    """The mask of an array of 1 to 4 dimensions, in its dtype."""
def decorate(optimizer: twinoar.optimizer.Optimizer) -> twinoar.incubate.asp.OptimizerWithSparsityGuarantee:
    """An optimizer whose steps leave at 0 what `prune_model` has set to 0."""
def get_mask_1d(mat: Any, n: Any, m: Any) -> _numpy.ndarray[Any, Any]:
    """1 but for the n least of each m neighbors in a row."""
def get_mask_2d_best(mat: Any, n: Any, m: Any) -> _numpy.ndarray[Any, Any]:
    """1 for n in each row and column of m x m squares, so that most of the sizes is left."""
def get_mask_2d_greedy(mat: Any, n: Any, m: Any) -> _numpy.ndarray[Any, Any]:
    """1 for up to n in each row and column of m x m squares, the largest elements first."""
def prune_model(model: twinoar.nn.Layer | twinoar.fluid.Program, n: Any = 2, m: Any = 4, mask_algo: builtins.str = 'mask_1d', with_mask: builtins.bool = True) -> builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]:
    """Set n of m neighbors to 0 in the weights of linear layers and of convolutions of images."""
def reset_excluded_layers(main_program: twinoar.fluid.Program | None = None) -> None:
    """Leave nothing out any more; of one Program, or of all for None."""
def set_excluded_layers(param_names: collections.abc.Sequence[builtins.str], main_program: twinoar.fluid.Program | None = None) -> None:
    """Leave these out of pruning: names of parameters, or of layers (`layer.full_name()`)."""

"""Pruning of Programs, by PaddleSlim's names: filters, single weights, and what they cost."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.slim.prune
from typing import Any, Literal, overload

import numpy as _numpy

class AutoPruner:
    """Searches ratios by simulated annealing: `prune`, train and test what it returns, `reward`."""
    def __init__(self, program: twinoar.fluid.Program, scope: twinoar.fluid.Scope, place: Any, params: collections.abc.Sequence[builtins.str] = ..., init_ratios: Any = None, pruned_flops: Any = ..., pruned_latency: Any = None, server_addr: Any = ..., init_temperature: Any = 100, reduce_rate: Any = ..., max_try_times: Any = 300, max_client_num: Any = 10, search_steps: Any = 300, max_ratios: Any = ..., min_ratios: Any = ..., key: builtins.str = 'auto_pruner', is_server: builtins.bool = True, seed: Any = None) -> None: ...
    @property
    def best_ratios(self) -> builtins.dict[builtins.str, builtins.float] | None:
        """Those with the greatest reward, by name; None before the first."""
    def prune(self, program: twinoar.fluid.Program, eval_program: twinoar.fluid.Program | None = None) -> builtins.tuple[twinoar.fluid.Program, twinoar.fluid.Program | None]:
        """The Programs to train and to test by the next ratios; values in the scope are smaller."""
    def reward(self, score: Any) -> None:
        """Take the score of what `prune` returned: more is better"""
class GMPUnstructuredPruner(twinoar.slim.prune.UnstructuredPruner):
    """Sets more and more weights to 0: the share grows fast at first, then slowly."""
    def __init__(self, program: twinoar.fluid.Program, ratio: Any = ..., scope: twinoar.fluid.Scope | None = None, place: Any = None, prune_params_type: builtins.str | None = None, skip_params_func: collections.abc.Callable[[twinoar.fluid.Program], collections.abc.Iterable[builtins.str]] | None = None, local_sparsity: builtins.bool = False, sparse_block: collections.abc.Sequence[Any] = ..., configs: collections.abc.Mapping[builtins.str, Any] | None = None) -> None: ...
    def step(self) -> None:
        """Go one iteration on; choose anew where the share has changed."""
    def ratio_at(self, iteration: Any) -> builtins.float:
        """The share of zeros from an iteration on."""
    pruning_steps: Any
    pruning_iterations: Any
    target_ratio: builtins.float
    initial_ratio: Any
    stable_iterations: Any
    tunning_iterations: Any
    cur_iteration: Any
    ratio: builtins.float
class Pruner:
    """Prunes filters of Programs."""
    axis: builtins.int
    def __init__(self, criterion: builtins.str | collections.abc.Callable[[_numpy.ndarray[Any, Any]], _numpy.ndarray[Any, Any]] = 'l1_norm', idx_selector: builtins.str = 'default_idx_selector') -> None: ...
    def prune(self, program: twinoar.fluid.Program, scope: twinoar.fluid.Scope, params: collections.abc.Sequence[builtins.str], ratios: collections.abc.Sequence[Any], place: Any = None, lazy: builtins.bool = False, only_graph: builtins.bool = False, param_backup: builtins.bool = False, param_shape_backup: builtins.bool = False) -> builtins.tuple[twinoar.fluid.Program, builtins.dict[builtins.str, _numpy.ndarray[Any, Any]] | None, builtins.dict[builtins.str, builtins.list[builtins.int]] | None]:
        """Remove shares of the filters of parameters, by name, in the scope; a smaller Program."""
    importance: Any
class UnstructuredPruner:
    """Keeps the weights of a Program at 0 that are small."""
    def __init__(self, program: twinoar.fluid.Program, mode: builtins.str, ratio: Any = ..., threshold: Any = ..., scope: twinoar.fluid.Scope | None = None, place: Any = None, prune_params_type: builtins.str | None = None, skip_params_func: collections.abc.Callable[[twinoar.fluid.Program], collections.abc.Iterable[builtins.str]] | None = None, local_sparsity: builtins.bool = False, sparse_block: collections.abc.Sequence[Any] = ...) -> None: ...
    def step(self) -> None:
        """Choose by the weights as they are now; runs from now on have zeros there."""
    def update_threshold(self) -> None:
        """The size below which the share of weights lies."""
    def update_params(self) -> None:
        """Set to 0 in the scope what is chosen, as before tests and saving."""
    def set_static_masks(self) -> None:
        """Choose what is 0 now, to train a sparse Program on as it is."""
    def summarize_weights(self, program: twinoar.fluid.Program, ratio: Any = ...) -> builtins.float:
        """The size below which a share of all parameters lies, to choose a threshold."""
    def sparse_by_layer(self, program: twinoar.fluid.Program) -> builtins.dict[builtins.str, builtins.float]:
        """The share of zeros of each parameter by name."""
    @staticmethod
    def total_sparse(program: twinoar.fluid.Program, scope: twinoar.fluid.Scope | None = None) -> builtins.float:
        """The share of zeros among all parameters; scope: the global one for None."""
    @staticmethod
    def total_sparse_conv1x1(program: twinoar.fluid.Program, scope: twinoar.fluid.Scope | None = None) -> builtins.float:
        """The share of zeros in weights of convolutions of 1 x 1; 0 where there are none."""
    mode: builtins.str
    ratio: builtins.float
    threshold: builtins.float
    scope: Any
    local_sparsity: builtins.bool
    sparse_block: Any
    thresholds: builtins.dict[builtins.str, builtins.float]
    skip_params: Any
    masks: Any
    no_grad_set: Any
def get_ratios_by_loss(sensitivities: builtins.dict[builtins.str, builtins.dict[Any, Any]], loss: Any) -> builtins.dict[builtins.str, builtins.float]:
    """For each name the greatest ratio that loses at most `loss`; 0 where each loses more."""
def load_model(exe: Any, graph: twinoar.fluid.Program, dirname: builtins.str) -> None:
    """Give a Program, in place, the shapes of a folder, and the global scope its values."""
def load_sensitivities(sensitivities_file: builtins.str | None) -> builtins.dict[builtins.str, builtins.dict[builtins.float, builtins.float]]:
    """What `sensitivity` has written, {name: {ratio: loss}}; of no such file {}."""
from twinoar.slim import merge_sensitive as merge_sensitive
def save_model(exe: Any, graph: twinoar.fluid.Program, dirname: builtins.str) -> None:
    """Write the values of a Program, in the global scope, and its shapes to a folder."""
def sensitivity(program: twinoar.fluid.Program, place: Any, param_names: collections.abc.Sequence[builtins.str], eval_func: collections.abc.Callable[..., builtins.float], sensitivities_file: builtins.str | None = None, pruned_ratios: collections.abc.Sequence[Any] | None = None, eval_args: collections.abc.Sequence[Any] | None = None, criterion: builtins.str | collections.abc.Callable[[_numpy.ndarray[Any, Any]], _numpy.ndarray[Any, Any]] = 'l1_norm') -> builtins.dict[builtins.str, builtins.dict[builtins.float, builtins.float]]:
    """The share of its score that a Program loses, for each weight and ratio alone."""

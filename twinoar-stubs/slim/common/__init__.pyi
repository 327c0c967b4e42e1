"""What searches and compressions share: controllers, saved models, batches, settings in files."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import logging
import twinoar.slim.common
from typing import Any, Literal, overload

import numpy as _numpy

class AvgrageMeter:
    """The mean of what `update` is told, spelled as in PaddleSlim."""
    def __init__(self) -> None: ...
    def reset(self) -> None:
        """Forget everything."""
    def update(self, val: Any, n: Any = 1) -> None:
        """Add a mean of `n` values."""
    avg: Any
    sum: Any
    cnt: Any
class EvolutionaryController:
    """What proposes tokens, and is told how good they were."""
    def update(self, tokens: builtins.list[Any], reward: Any) -> None:
        """Take the reward of some tokens: more is better."""
    def next_tokens(self) -> builtins.list[builtins.int]:
        """Tokens to try."""
class RLBaseController:
    """What learns to propose tokens by the rewards of those before."""
    def next_tokens(self, num_archs: Any = 1, is_inference: builtins.bool = False) -> builtins.list[builtins.list[builtins.int]]:
        """Tokens of so many candidates; the likeliest where is_inference."""
    def update(self, rewards: Any) -> builtins.float:
        """Learn by the rewards of the last tokens: more is better"""
class SAController(twinoar.slim.common.EvolutionaryController):
    """Simulated annealing: a step for the worse is taken the less often the longer it goes."""
    def __init__(self, range_table: builtins.tuple[collections.abc.Sequence[Any], collections.abc.Sequence[Any]], reduce_rate: Any = ..., init_temperature: Any = None, max_try_times: Any = 300, init_tokens: collections.abc.Sequence[Any] | None = None, reward: Any = None, max_reward: Any = None, iters: Any = 0, best_tokens: collections.abc.Sequence[Any] | None = None, constrain_func: collections.abc.Callable[[builtins.list[builtins.int]], builtins.bool] | None = None, checkpoints: builtins.str | None = None, searched: collections.abc.Mapping[builtins.str, Any] | None = None, seed: Any = None) -> None: ...
    @property
    def best_tokens(self) -> builtins.list[builtins.int] | None:
        """Those with the greatest reward; None before the first update."""
    @property
    def max_reward(self) -> builtins.float:
        """The greatest reward; -1 before the first."""
    @property
    def current_tokens(self) -> builtins.list[builtins.int]:
        """What `next_tokens` returned last."""
    def update(self, tokens: builtins.list[Any], reward: Any, iter: Any = 0, client_num: Any = 1) -> None:
        """Take the reward of some tokens"""
    def next_tokens(self, control_token: collections.abc.Sequence[Any] | None = None) -> builtins.list[builtins.int]:
        """Tokens that differ at one place from the last that were taken, or from control_token."""
    def state(self) -> builtins.dict[builtins.str, Any]:
        """What a search needs to go on."""
    @staticmethod
    def load(folder: builtins.str) -> builtins.dict[builtins.str, Any]:
        """The state that was kept in a folder"""
def get_feed_vars(model_dir: builtins.str, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None) -> builtins.list[builtins.str]:
    """The names of the inputs of a model"""
def get_logger(name: builtins.str, level: Any = 20, fmt: builtins.str | None = None) -> logging.Logger:
    """The logger of that name, which lets messages of `level` and above pass."""
def get_model_dir(model_dir: builtins.str, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None) -> builtins.tuple[builtins.str, builtins.str, builtins.str]:
    """The folder of a model and the names of its files, those of Paddle by default."""
def load_config(file_path: builtins.str) -> builtins.dict[builtins.str, Any]:
    """The settings of a file: `.json`, else YAML."""
def load_inference_model(path_prefix: builtins.str, executor: Any = None, model_filename: builtins.str | None = None, params_filename: builtins.str | None = None) -> builtins.list[Any]:
    """[Program, names of inputs, results] of a model in a folder, or of a prefix."""
def recover_inference_program(inference_program: Any, startup_program: Any = None) -> Any:
    """A Program for inference becomes, in place, one whose loss can be minimized."""
from . import rl_controller as rl_controller
def save_config(config: builtins.dict[builtins.str, Any], file_path: builtins.str) -> None:
    """Write settings to a file, whole or not at all"""
def wrap_dataloader(dataloader: Any, names: collections.abc.Sequence[builtins.str]) -> collections.abc.Callable[[], collections.abc.Iterator[builtins.dict[builtins.str, _numpy.ndarray[Any, Any]]]] | None:
    """A function that begins anew with the batches of a loader: arrays by these names."""

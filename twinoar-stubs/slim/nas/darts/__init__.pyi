"""DARTS: what a network is made of is learnt by gradients. PaddleSlim's names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class Architect:
    """Trains the weights of operations of a network."""
    def __init__(self, model: Any, eta: Any, arch_learning_rate: Any, unrolled: builtins.bool) -> None: ...
    def get_model(self) -> Any:
        """The network."""
    def step(self, input_train: Any, target_train: Any, input_valid: Any, target_valid: Any) -> None:
        """Move the weights of operations; parameters stay as they are, and have no gradients."""
    def gradients(self, input_train: Any, target_train: Any, input_valid: Any, target_valid: Any) -> builtins.list[_numpy.ndarray[Any, Any]]:
        """Of the loss on other data by the weights of operations."""
    model: Any
    eta: Any
    unrolled: builtins.bool
    optimizer: Any
from twinoar.slim.nas import DARTSearch as DARTSearch
class Network(twinoar.nn.Layer):
    """A network for `DARTSearch`: cells in a row, of which those at thirds halve rows and columns."""
    def __init__(self, channels: Any, num_classes: Any, layers: Any, steps: Any = 4, multiplier: Any = 4, stem_multiplier: Any = 3, image_channels: Any = 3, primitives: collections.abc.Sequence[builtins.str] = ...) -> None: ...
    def arch_parameters(self) -> builtins.list[Any]:
        """What weighs operations, in cells that keep the size and in those that halve it."""
    def forward(self, x: Any) -> Any:
        """Scores of the classes."""
    stem: Any
    cells: Any
    pool: Any
    classifier: Any
    alphas_normal: twinoar.nn.Parameter
    alphas_reduce: twinoar.nn.Parameter
from . import architect as architect
from twinoar.slim.nas import count_parameters_in_MB as count_parameters_in_MB
from . import get_genotype as get_genotype
from . import network as network
from . import operations as operations
from . import train_search as train_search

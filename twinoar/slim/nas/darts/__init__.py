"""DARTS: what a network is made of is learnt by gradients. PaddleSlim's names."""

from twinoar.core.public import exported
from twinoar.slim.nas.darts import architect, get_genotype, network, operations, train_search
from twinoar.slim.nas.darts.architect import Architect
from twinoar.slim.nas.darts.network import Network
from twinoar.slim.nas.darts.train_search import DARTSearch, count_parameters_in_MB

__all__ = exported(globals(), "architect", "get_genotype", "network", "operations", "train_search")

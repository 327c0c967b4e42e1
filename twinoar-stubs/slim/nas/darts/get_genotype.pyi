"""What a search has found: of each node the two strongest edges, and the operation of each."""

# Written by tools/stubs.py.

import builtins
import twinoar.slim.nas.darts.get_genotype
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class Genotype(typing.NamedTuple):
    """Two kinds of cells: (operation, node it reads) for each edge, and the nodes returned."""
    normal: Any
    normal_concat: Any
    reduce: Any
    reduce_concat: Any
def get_genotype(model: Any) -> twinoar.slim.nas.darts.get_genotype.Genotype:
    """The strongest operations of a network that is searched: arXiv 1806.09055, section 2.4."""

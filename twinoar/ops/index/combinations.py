"""Products of sets: cartesian_prod, combinations."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import constant
from twinoar.ops.index.gather import index_select
from twinoar.ops.math.fill import fill
from twinoar.ops.shape.concat import grid, stack_op
from twinoar.ops.shape.reshape import flatten, reshape_op


@function
def cartesian_prod(x: Sequence[Tensor]) -> Tensor:
    """All tuples of one element of each vector, [n1 n2 ..., k]; the vector itself for k = 1.

    >>> twinoar.cartesian_prod([twinoar.to_tensor([1, 2]), twinoar.to_tensor([3])]).tolist()
    [[1, 3], [2, 3]]
    """
    if len(x) == 1:
        return x[0]
    return stack_op([flatten(part) for part in grid(x)], 1)


@function(method=True)
def combinations(x: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All subsets of r elements of a vector, [k,r]; with `with_replacement` an element may repeat.

    >>> twinoar.combinations(twinoar.to_tensor([1, 2, 3])).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    if x.ndim != 1 or r < 0:
        raise ArgumentError(f"expected a vector and r of 0 or more, received {x.spec} and {r}")
    if r == 0:
        return fill((0, 0), 0, x.dtype)
    every = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    chosen = list(every(range(x.spec.shape[0]), r))
    places = np.asarray(chosen, np.int64).reshape(len(chosen), r)
    return reshape_op(index_select(x, constant(places.reshape(-1))), places.shape)

"""Operators of a Program whose parameters have lost channels: their attributes and sizes again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError
from twinoar.slim.network import ProgramChannels
from twinoar.slim.sizes import infer_again

GROUPED, SHAPED, SLICED = "groups", "shape", ("axes", "starts", "ends")


def fit(program: Program, channels: ProgramChannels, removed: np.ndarray) -> None:
    """Make a Program, in place, that of smaller parameters.

    removed: the labels that are gone. Raises ProgramError where a group of filters would lose some,
    and what inference raises where sizes no longer go together.
    """
    labels = channels.labels()
    left = {name: _left(found, removed) for name, found in labels.items()}
    for state in program.states.values():
        if state.name in channels.tensors:
            sizes = tuple(len(x) for x in channels.kept(state.name, removed))
            state._spec = Spec(sizes, state.spec.dtype)
    for o in program.main.ops:
        o.attrs = _fitted(o, channels, removed, left)
        infer_again(o)


def _left(labels: np.ndarray, removed: np.ndarray) -> list[np.ndarray]:
    """For each axis, which places are left: those of which not all elements are gone."""
    here = ~np.isin(labels, removed)
    axes = range(labels.ndim)
    return [
        np.any(here, axis=tuple(a for a in axes if a != axis), keepdims=True).reshape(-1)
        for axis in axes
    ]


def _fitted(
    o: Operator,
    channels: ProgramChannels,
    removed: np.ndarray,
    left: Mapping[str, list[np.ndarray]],
) -> dict[str, Any]:
    attrs = dict(o.attrs)
    if attrs.get(GROUPED, 1) != 1 and len(o.operands) > 1:
        attrs[GROUPED] = _groups(o, channels, removed)
    result = o.results[0] if o.results else None
    if SHAPED in attrs and result is not None and result.name in left:
        attrs[SHAPED] = _shape(attrs[SHAPED], result, left[result.name])
    if all(name in attrs for name in SLICED):
        known = left.get(getattr(o.operands[0], "name", ""))
        if known is not None:
            attrs |= _bounds(attrs, known)
    return attrs


def _groups(o: Operator, channels: ProgramChannels, removed: np.ndarray) -> int:
    """Groups of a convolution that are left: each stays or goes as a whole."""
    name, groups = o.operands[1].name, int(o.attrs[GROUPED])
    if name not in channels.tensors:
        return groups
    filters = channels.tensors[name].shape[0]
    kept = len(channels.kept(name, removed)[0])
    if kept * groups % filters:
        raise ProgramError(
            f"{name}: of {groups} groups of filters one would lose some",
            cure="prune another parameter, or by a ratio that removes whole groups",
        )
    return kept * groups // filters


def _shape(shape: Any, result: Variable, left: list[np.ndarray]) -> Any:
    """A shape that is asked for; only sizes that are numbers of channels change."""
    sizes = list(shape)
    if len(sizes) != len(left):
        return shape
    for axis, here in enumerate(left):
        is_number = isinstance(sizes[axis], int) and sizes[axis] > 0
        if is_number and sizes[axis] == len(here) and not here.all():
            sizes[axis] = int(here.sum())
    return type(shape)(sizes)


def _bounds(attrs: Mapping[str, Any], left: list[np.ndarray]) -> dict[str, Any]:
    """Where a slice begins and ends, counted in what is left before."""
    starts, ends = list(attrs["starts"]), list(attrs["ends"])
    for n, axis in enumerate(attrs["axes"]):
        here = left[axis]
        if here.all() or not isinstance(starts[n], int) or not isinstance(ends[n], int):
            continue
        low, high, _ = slice(starts[n], ends[n]).indices(len(here))
        starts[n], ends[n] = int(here[:low].sum()), int(here[:high].sum())
    return {"starts": type(attrs["starts"])(starts), "ends": type(attrs["ends"])(ends)}

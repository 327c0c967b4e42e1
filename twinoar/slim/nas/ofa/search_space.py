"""Which elastic layers choose their width by themselves, which together, and which not at all.

It follows from the channels of the network's Program: `slim.network`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.nn import Layer
from twinoar.slim.groups import FIXED
from twinoar.slim.network import Network


@dataclass(frozen=True, slots=True)
class Space:
    """Names of elastic layers: those that go together, the first of each leading, and fixed ones.

    Layers that convolve each channel by itself are in neither: their input says their width.
    """

    together: list[list[str]]
    fixed: list[str]


def space_of(model: Layer, blocks: Mapping[str, Any], inputs: Sequence[Any]) -> Space:
    """The space of a network. blocks: its elastic layers by name. inputs: as of `slim.Network`.

    Fixed are layers whose channels leave the network, meet its inputs, or are not all of one
    candidate; and those that meet others of other channels. Raises what `Network` raises.
    """
    network = Network(model, inputs)
    names = {id(tensor): name for name, tensor in network.tensors.items()}
    labels: dict[str, np.ndarray] = {}
    for name, layer in blocks.items():
        known = names.get(id(layer.weight))
        if known is not None and layer.widths() and not follows_input(layer):
            labels[name] = network.axes(known).get(layer.width_axis, np.array([FIXED]))
    together: list[list[str]] = []
    fixed: list[str] = []
    for group in _joined(labels):
        alike = all(np.array_equal(labels[n], labels[group[0]]) for n in group)
        same = all(blocks[n].widths() == blocks[group[0]].widths() for n in group)
        free = all(_is_free(labels[n], blocks[n].widths()) for n in group)
        if alike and same and free:
            together.append(group)
        else:
            fixed += group
    return Space(together, fixed)


def follows_input(layer: Any) -> bool:
    """Whether a layer has as many channels as come in."""
    return getattr(layer, "_groups", 1) == getattr(layer, "_in_channels", 0) != 1


def _is_free(labels: np.ndarray, widths: list[int]) -> bool:
    """Whether each width leaves whole groups of channels."""
    if (labels == FIXED).any():
        return False
    return not any(np.intersect1d(labels[:n], labels[n:]).size for n in widths)


def _joined(labels: Mapping[str, np.ndarray]) -> list[list[str]]:
    """Names, together where they share a label other than FIXED."""
    groups: list[tuple[list[str], set[int]]] = []
    for name, found in labels.items():
        own = set(found.tolist()) - {FIXED}
        meeting = [g for g in groups if g[1] & own]
        groups = [g for g in groups if not g[1] & own]
        merged = [n for members, _ in meeting for n in members]
        groups.append(([*merged, name], own.union(*(g[1] for g in meeting))))
    order = list(labels)
    return sorted((sorted(g[0], key=order.index) for g in groups), key=lambda g: order.index(g[0]))

"""What elastic layers share: sizes to choose from, and the ordinary layer of the sizes chosen.

The parameters of a smaller layer are the first channels of those of the larger, so all sizes share
them. Source: Cai et al. 2020, "Once-for-All: Train One Network and Specialize it for Efficient
Deployment", arXiv 1908.09791, section 3.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn import Layer

WIDTHS = ("expand_ratio", "channel")
CHOICES = ("kernel_size", *WIDTHS)


class Elastic(Layer):
    """A layer that is called with a choice of its sizes; subclasses are ordinary layers as well.

    candidate_config: by name, what may be chosen, after `_offer` in order. cur_config: what was
    chosen last, and of which shape the parameters then are.
    """

    candidate_config: dict[str, list[Any]]
    cur_config: dict[str, Any] | None = None
    width_axis = 0  # of the weight, along which the channels of results lie
    sizes: tuple[str, ...] = ()  # attributes that follow the parameters

    def _offer(self, candidates: Mapping[str, Sequence[Any]] | None, outer: int) -> None:
        """Note what may be chosen; outer: the largest number of channels.

        Raises UnknownNameError, ArgumentError.
        """
        found: dict[str, Any] = dict(candidates or {})
        for name, values in found.items():
            if name not in CHOICES:
                raise UnknownNameError(
                    f"sizes that can be chosen are {', '.join(CHOICES)}, received {name!r}",
                    cure=near_names(name, CHOICES),
                )
            if not isinstance(values, (list, tuple, set)) or not values:
                raise ArgumentError(f"{name} must be a list of candidates, received {values!r}")
            found[name] = sorted(set(values))
        if all(name in found for name in WIDTHS):
            raise ArgumentError("expand_ratio and channel exclude each other", cure="give one")
        self.candidate_config = found
        self.base_channel = outer
        if "expand_ratio" in found:
            self.base_channel = int(outer / max(found["expand_ratio"]))

    def width(self, outer: int, expand_ratio: Any, channel: Any) -> int:
        """How many channels are chosen of `outer`. Raises ArgumentError."""
        if expand_ratio is not None and channel is not None:
            raise ArgumentError("expand_ratio and channel exclude each other", cure="give one")
        chosen = outer
        if expand_ratio is not None:
            chosen = int(expand_ratio * self.base_channel)
        elif channel is not None:
            chosen = int(channel)
        if not 1 <= chosen <= outer:
            raise ArgumentError(f"{chosen} channels were chosen of {outer}")
        return chosen

    def widths(self) -> list[int]:
        """The candidates as numbers of channels; none where the width cannot be chosen."""
        for name in WIDTHS:
            if name in self.candidate_config:
                factor = self.base_channel if name == "expand_ratio" else 1
                return [int(value * factor) for value in self.candidate_config[name]]
        return []

    def ordinary(self) -> Layer:
        """A layer that is not elastic, of the sizes chosen last, with copies of the parameters."""
        raise ArgumentError(f"{type(self).__name__} has no ordinary layer")


def checked_width(size: int, wanted: int, what: str) -> int:
    """How many of `size` channels an input with `wanted` has. Raises ArgumentError."""
    if wanted > size:
        raise ArgumentError(
            f"{what} has {wanted} channels, the layer is made for {size} at most",
            cure="make it as large as the largest candidate before it",
        )
    return wanted


def first(x: Any, *sizes: int) -> Any:
    """The first elements of a parameter along its first axes; the parameter itself where all."""
    if x is None or tuple(x.shape[: len(sizes)]) == sizes:
        return x
    return x[tuple(slice(size) for size in sizes)]


def fill(layer: Layer, **values: Any) -> Layer:
    """A layer with copies of these values, or None, in its parameters."""
    for name, value in values.items():
        if value is not None:
            getattr(layer, name).set_value(value.detach())
    return layer

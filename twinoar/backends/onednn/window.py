"""How a window moves over images: what convolution and pooling share."""

from __future__ import annotations

from twinoar.backends.onednn.layout import Layout, Sizes
from twinoar.backends.onednn.library import Dims
from twinoar.late import dataclass

TRAINING, INFERENCE = 64, 96


def propagation(training: bool) -> int:
    """The library's number of a forward pass, with or without what a gradient needs."""
    return TRAINING if training else INFERENCE


@dataclass(frozen=True, slots=True)
class Window:
    """How filters move over images, in pixels, an axis after the other, as operators say it.

    padding: before and after on each axis (top, bottom, left, right). dilation: 1 is dense. groups:
    channels and filters are cut into so many.
    """

    stride: Sizes = (1, 1)
    padding: Sizes = (0, 0, 0, 0)
    dilation: Sizes = (1, 1)
    groups: int = 1

    def c_arguments(self) -> list[object]:
        """Strides, dilation (the library's 0 is dense), padding before and after."""
        spread = [d - 1 for d in self.dilation]
        before, after = self.padding[::2], self.padding[1::2]
        return [Dims(*sizes) for sizes in (self.stride, spread, before, after)]

    def filters(self, weights: Layout) -> Layout:
        """Filters [O,C/groups,...] as the library wants them: [groups,O/groups,C/groups,...]."""
        is_split = len(weights.dims) == len(self.stride) + 3
        return weights if self.groups == 1 or is_split else weights.split(self.groups)

    def transposed(self, weights: Layout) -> Layout:
        """Filters [C,O/groups,...] of a transposed convolution: [groups,O/groups,C/groups,...]."""
        filters = self.filters(weights)
        axes = list(range(len(filters.dims)))
        first = len(axes) - len(self.stride) - 2
        axes[first : first + 2] = first + 1, first
        return filters.permuted(axes)

"""BaseObserver: a quanter that lets values pass as they are, and learns its scales from them."""

from __future__ import annotations

import abc

from twinoar.quantization.base_quanter import BaseQuanter


class BaseObserver(BaseQuanter, metaclass=abc.ABCMeta):
    """A layer that looks at the values that pass, to say from them how they are to be rounded.

    `forward` gathers what it needs, and returns its input. `cal_thresholds` makes scales and zero
    points of that, and is called once, before they are asked for.
    """

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Compute what `scales()` and `zero_points()` return from what was seen."""

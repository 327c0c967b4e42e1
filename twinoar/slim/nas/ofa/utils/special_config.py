"""Sizes of transformers by one factor, as DynaBERT has them.

Source: Hou et al. 2020, "DynaBERT: Dynamic BERT with Adaptive Width and Depth", arXiv 2004.04037,
section 2.1: heads and the inner layer of each block become narrower, what blocks pass on stays.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.public import declared
from twinoar.slim.nas.ofa.elastic import WIDTHS


def dynabert_config(model: Any, width_mult: float, depth_mult: float = 1.0) -> dict[str, Any]:
    """Sizes for `OFA.set_net_config` and `export`: each width that can be chosen, by a factor.

    model: an OFA that was called once, so that what blocks pass on has no width to choose.
    width_mult: the factor. depth_mult: what `forward` is given as `depth` where that is elastic.

    >>> from twinoar.slim.nas.ofa import OFA
    >>> from twinoar.slim.nas.ofa.convert_super import Convert, supernet
    >>> nn = twinoar.nn
    >>> net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    >>> ofa = OFA(Convert(supernet(expand_ratio=[0.5, 1.0])).convert(net))
    >>> y = ofa(twinoar.ones([1, 4]))
    >>> dynabert_config(ofa, 0.5)
    {'0': {'expand_ratio': 0.5}}
    """
    found: dict[str, Any] = {}
    for name, candidates in model.ofa_layers.items():
        if name == "depth":
            found[name] = depth_mult
        elif any(width in candidates for width in WIDTHS):
            found[name] = {"expand_ratio": width_mult}
    return found


__all__ = declared(globals())

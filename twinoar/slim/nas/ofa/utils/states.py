"""Parameters of an ordinary network in a supernet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.nn import Layer
from twinoar.slim.common.logs import get_logger

logger = get_logger(__name__)


def get_paddle_version() -> int:
    """200: the names are those of Paddle 2.0 and later, as PaddleSlim counts.

    >>> get_paddle_version()
    200
    """
    return 200


pd_ver = get_paddle_version()


def set_state_dict(model: Layer, state_dict: Mapping[str, Any]) -> None:
    """Give a supernet the parameters that the network had which became it.

    model: the supernet's network. state_dict: of the network before; what it lacks stays as it is,
    and is logged. Raises TypeMismatchError, and ShapeError for parameters of other shapes.

    >>> from twinoar.slim.nas.ofa.convert_super import Convert, supernet
    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(2, 2), twinoar.nn.Linear(2, 1))
    >>> before = net.state_dict()
    >>> net = Convert(supernet(expand_ratio=[0.5, 1.0])).convert(net)
    >>> set_state_dict(net, before)
    >>> bool((net[0].fn.weight == before["0.weight"]).all())
    True
    """
    if not isinstance(model, Layer) or not isinstance(state_dict, Mapping):
        raise TypeMismatchError(f"expected a Layer and a dictionary, received {state_dict!r}")
    for name, parameter in model.state_dict().items():
        parts = name.split(".")
        before = ".".join([*parts[:-2], parts[-1]]) if parts[-2:-1] == ["fn"] else name
        value = state_dict.get(name, state_dict.get(before))
        if value is None:
            logger.info("%s is not in state_dict", before)
        elif list(value.shape) != list(parameter.shape):
            raise ShapeError(
                f"{before} is {list(value.shape)}, in the supernet {parameter.shape}",
                cure="offer candidates whose largest is the network as it was",
            )
        else:
            parameter.set_value(value)


__all__ = declared(globals(), "pd_ver")

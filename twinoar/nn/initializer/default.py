"""The initializers that parameters take where nobody says otherwise."""

from __future__ import annotations

from twinoar.core.op.explain import told
from twinoar.errors import TypeMismatchError
from twinoar.nn.initializer.initializer import Initializer

_chosen: dict[bool, Initializer | None] = {False: None, True: None}


@told
def set_global_initializer(
    weight_init: Initializer | None, bias_init: Initializer | None = None
) -> None:
    """Let all parameters made from now on start so, but those whose ParamAttr says otherwise.

    weight_init: for weights, bias_init: for biases; None goes back to the layers' own choice.
    Raises TypeMismatchError for what is no initializer.

    >>> from twinoar.nn import initializer
    >>> initializer.set_global_initializer(initializer.Constant(2.0))
    >>> twinoar.nn.Linear(1, 1).weight.item()
    2.0
    >>> initializer.set_global_initializer(None)
    """
    for given in (weight_init, bias_init):
        if given is not None and not isinstance(given, Initializer):
            raise TypeMismatchError(
                f"expected an initializer or None, received {type(given).__name__}",
                cure="use one of twinoar.nn.initializer, such as Constant(0.5)",
            )
    _chosen.update({False: weight_init, True: bias_init})


def default_initializer_of(is_bias: bool) -> Initializer | None:
    """What `set_global_initializer` chose, or None."""
    return _chosen[is_bias]

"""ParamAttr: what a user wants of one parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.op.explain import Told
from twinoar.errors import ArgumentError, TypeMismatchError


class ParamAttr(Told):
    """What a parameter shall be: its name, how it starts, and how optimizers treat it.

    name: None lets the layer choose. initializer: None takes the layer's. learning_rate: a factor
    on the optimizer's. regularizer: takes the place of the optimizer's. trainable: False keeps
    optimizers away. need_clip: False keeps gradient clipping away.
    Raises TypeMismatchError or ArgumentError for a value of the wrong kind.

    >>> frozen = twinoar.ParamAttr(name="scale", trainable=False)
    >>> twinoar.nn.Linear(2, 3, weight_attr=frozen).weight.stop_gradient
    True
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Callable | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ):
        if name is not None and not isinstance(name, str):
            raise TypeMismatchError(f"name must be a string, received {type(name).__name__}")
        if name == "":
            raise ArgumentError("name must not be empty", cure="leave it out to get one")
        if initializer is not None and not callable(initializer):
            raise TypeMismatchError(
                f"initializer must be an initializer, received {type(initializer).__name__}",
                cure="use one of twinoar.nn.initializer, such as Constant(0.5)",
            )
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)):
            kind = type(learning_rate).__name__
            raise TypeMismatchError(
                f"learning_rate must be a number, received {kind}", cure="pass an int or a float"
            )
        self.name, self.initializer = name, initializer
        self.learning_rate, self.regularizer = learning_rate, regularizer
        self.trainable, self.do_model_average = trainable, do_model_average
        self.need_clip = need_clip

    @staticmethod
    def _to_attr(given: Any) -> Any:
        """What a user may write for a ParamAttr, as one; False, which means no parameter, stays."""
        if isinstance(given, (list, tuple)):
            return [ParamAttr._to_attr(one) for one in given]
        if isinstance(given, ParamAttr):
            return given
        if given is None or given is True:
            return ParamAttr()
        if given is False:
            return False
        if isinstance(given, str):
            return ParamAttr(name=given)
        if callable(given):
            return ParamAttr(initializer=given)
        raise TypeMismatchError(
            "expected a ParamAttr, a name, an initializer, a truth value or None, "
            f"received {given!r}",
            cure="use ParamAttr(initializer=..., learning_rate=...)",
        )

    def traits(self) -> dict[str, Any]:
        """What optimizers want to know of the parameter."""
        return {
            "optimize_attr": {"learning_rate": self.learning_rate},
            "regularizer": self.regularizer,
            "do_model_average": self.do_model_average,
            "need_clip": self.need_clip,
        }

    def __repr__(self) -> str:
        default = vars(ParamAttr())
        given = [f"{k}={v!r}" for k, v in vars(self).items() if v != default[k]]
        return f"ParamAttr({', '.join(given)})"

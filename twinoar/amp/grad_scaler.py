"""GradScaler: on a CPU, as in Paddle, it is off, and gives its optimizer what it gets."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from enum import Enum
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError

RATIO = "expected incr_ratio > 1 and 0 < decr_ratio < 1"


class OptimizerState(Enum):
    """How far the step of an optimizer is."""

    INIT, UNSCALED, STEPPED = range(3)


class AmpScaler:
    """Scales losses so that gradients of lower precision do not vanish; off on a CPU.

    There gradients are of full precision: enable=True warns, as Paddle does, and all that is left
    are the steps of the optimizer.

    >>> import twinoar
    >>> scaler = twinoar.amp.GradScaler(enable=False)
    >>> loss = twinoar.to_tensor(2.0)
    >>> scaler.scale(loss) is loss, scaler.is_enable(), scaler.state_dict()
    (True, False, {})
    """

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**15,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 1000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ):
        if enable:
            warnings.warn(
                "a scaler of gradients has an effect on devices of lower precision alone, and none "
                "on a CPU",
                stacklevel=3 if isinstance(self, GradScaler) else 2,
            )
        self._settings = {
            "incr_ratio": incr_ratio,
            "decr_ratio": decr_ratio,
            "incr_every_n_steps": incr_every_n_steps,
            "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
        }
        self._enable = self._use_dynamic_loss_scaling = False

    def is_enable(self) -> bool:
        """False."""
        return self._enable

    def is_use_dynamic_loss_scaling(self) -> bool:
        """False: there is no scale that would change."""
        return self._use_dynamic_loss_scaling

    def scale(self, var: Any) -> Any:
        """The loss, times 1."""
        return var

    def unscale_(self, optimizer: Any) -> None:
        """Divide gradients by 1: they stay as they are."""

    def step(self, optimizer: Any) -> None:
        """What `optimizer.step()` does. Raises TypeMismatchError for what is no optimizer."""
        if not callable(getattr(optimizer, "step", None)):
            raise TypeMismatchError(
                f"expected an optimizer, received {type(optimizer).__name__}",
                cure="pass the optimizer whose parameters are trained",
            )
        optimizer.step()

    def update(self) -> None:
        """Change the scale: there is none."""

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """What `optimizer.minimize` does with the other arguments."""
        return optimizer.minimize(*args, **kwargs)

    def state_dict(self) -> dict[str, Any]:
        """Nothing: a scaler that is off remembers nothing."""
        return {}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a state, which a scaler that is off has no use for."""
        if not isinstance(state_dict, Mapping):
            raise TypeMismatchError(f"expected a dict, received {type(state_dict).__name__}")

    set_state_dict = load_state_dict

    def get_init_loss_scaling(self) -> float:
        """The scale: 1.0."""
        return 1.0

    def set_init_loss_scaling(self, new_init_loss_scaling: float) -> None:
        """Set the scale of a scaler that is on: without effect here."""

    def get_incr_ratio(self) -> float:
        """By what the scale would grow."""
        return self._settings["incr_ratio"]

    def set_incr_ratio(self, new_incr_ratio: float) -> None:
        """Set by what the scale would grow, above 1."""
        self._set("incr_ratio", new_incr_ratio, right=new_incr_ratio > 1)

    def get_decr_ratio(self) -> float:
        """By what the scale would shrink."""
        return self._settings["decr_ratio"]

    def set_decr_ratio(self, new_decr_ratio: float) -> None:
        """Set by what the scale would shrink, below 1."""
        self._set("decr_ratio", new_decr_ratio, right=0 < new_decr_ratio < 1)

    def get_incr_every_n_steps(self) -> int:
        """After how many good steps the scale would grow."""
        return int(self._settings["incr_every_n_steps"])

    def set_incr_every_n_steps(self, new_incr_every_n_steps: int) -> None:
        """Set after how many good steps the scale would grow."""
        self._set("incr_every_n_steps", new_incr_every_n_steps, right=new_incr_every_n_steps > 0)

    def get_decr_every_n_nan_or_inf(self) -> int:
        """After how many bad steps the scale would shrink."""
        return int(self._settings["decr_every_n_nan_or_inf"])

    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: int) -> None:
        """Set after how many bad steps the scale would shrink."""
        number = new_decr_every_n_nan_or_inf
        self._set("decr_every_n_nan_or_inf", number, right=number > 0)

    def _set(self, name: str, value: Any, *, right: bool) -> None:
        if not right:
            raise ArgumentError(f"{name} is {value}: {RATIO}, and numbers of steps above 0")
        self._settings[name] = value


class GradScaler(AmpScaler):
    """`AmpScaler` with other defaults. See there."""

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**16,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ):
        super().__init__(
            enable,
            init_loss_scaling,
            incr_ratio,
            decr_ratio,
            incr_every_n_steps,
            decr_every_n_nan_or_inf,
            use_dynamic_loss_scaling,
        )


__all__ = ["AmpScaler", "GradScaler", "OptimizerState"]

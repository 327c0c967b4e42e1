"""GradScaler: losses times a scale, so that gradients of lower precision do not vanish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import numpy as np

from twinoar.core.interpreter import current, derived, using
from twinoar.core.op.explain import Told
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.ops.index.selected_rows import elements, with_elements
from twinoar.ops.math.cast import astype
from twinoar.ops.math.logical import logical_or
from twinoar.ops.optimizer.loss_scaling import check_finite_and_unscale, update_loss_scaling
from twinoar.optimizer.optimizer import Optimizer

RATIO = "expected incr_ratio > 1 and 0 < decr_ratio < 1"
COUNTS = ("incr_count", "decr_count")
SETTINGS = ("incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf")


class OptimizerState(Enum):
    """How far the step of an optimizer is."""

    INIT, UNSCALED, STEPPED = range(3)


class AmpScaler(Told):
    """Scales losses, divides gradients again, and leaves out steps whose gradients overflowed.

    enable: False makes all of that nothing. init_loss_scaling: the first scale, which is multiplied
    by incr_ratio after incr_every_n_steps steps without overflow, and by decr_ratio after
    decr_every_n_nan_or_inf steps with one. use_dynamic_loss_scaling: False leaves it as it is.
    Converted code neither waits for data nor asks Python whether a step is left out. Raises
    ArgumentError for numbers outside of their range. Source: arXiv 1710.03740, section 3.2.

    >>> layer = twinoar.nn.Linear(1, 1)
    >>> sgd = twinoar.optimizer.SGD(0.1, parameters=layer.parameters())
    >>> scaler = AmpScaler(init_loss_scaling=8.0)
    >>> scaler.scale(layer(twinoar.ones([1, 1])).sum()).backward()
    >>> layer.bias.grad.item()
    8.0
    >>> scaler.step(sgd)
    >>> scaler.update()
    >>> layer.bias.grad.item()
    1.0
    """

    # What processes that divide a network make of an overflow, or None, of one of them.
    agree: Callable[[Any], Any] | None = None

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
        self._enable, self._dynamic = bool(enable), bool(enable and use_dynamic_loss_scaling)
        self._settings: dict[str, Any] = {}
        if enable:
            self.set_incr_ratio(incr_ratio)
            self.set_decr_ratio(decr_ratio)
            self.set_incr_every_n_steps(incr_every_n_steps)
            self.set_decr_every_n_nan_or_inf(decr_every_n_nan_or_inf)
        else:  # it keeps what it is told, as good as unused
            given = (incr_ratio, decr_ratio, incr_every_n_steps, decr_every_n_nan_or_inf)
            self._settings = dict(zip(SETTINGS, given, strict=True))
        self._scale = _state("scale", np.array([1.0], np.float32))
        self._counts = [_state(name, np.array([0], np.int32)) for name in COUNTS]
        if enable:
            self.set_init_loss_scaling(init_loss_scaling)
        self._begin()

    def is_enable(self) -> bool:
        """Whether losses are scaled."""
        return self._enable

    def is_use_dynamic_loss_scaling(self) -> bool:
        """Whether the scale changes."""
        return self._dynamic

    def scale(self, var: Value) -> Value:
        """The loss times the scale, in its shape and dtype. Raises TypeMismatchError."""
        if not isinstance(var, Value):
            raise TypeMismatchError(f"expected a Tensor to scale, received {type(var).__name__}")
        if not self._enable:
            return var
        return var * astype(self._scale.reshape([]), var.dtype)

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of an optimizer's parameters by the scale: to clip them, say.

        `step` does it where it was not done. Raises ProgramError where it was, since `update`.
        """
        _require_optimizer(optimizer)
        if not self._enable:
            return
        state = self._progress_of(optimizer)[0]
        if state is not OptimizerState.INIT:
            raise ProgramError(
                "unscale_ is called twice"
                if state is OptimizerState.UNSCALED
                else "unscale_ is called after step",
                cure="call unscale_(optimizer), step(optimizer) and update(), once a step",
            )
        with using(derived(False)) as here:
            trained = [p for p in optimizer._trained() if not p.stop_gradient]
            pairs = [(p, p.grad) for p in trained if p.grad is not None]
            found: Any = None
            if pairs:
                given = [elements(g) for _, g in pairs]
                found, *made = check_finite_and_unscale(self._scale, given)
                for (parameter, g), unscaled in zip(pairs, made, strict=True):
                    here.gradients.set(here, parameter, with_elements(g, unscaled))
            overflow_of_all = getattr(optimizer, "overflow_of_all", None)
            if overflow_of_all is not None:  # of an optimizer that ranks divide
                found = overflow_of_all(found)
        if self.agree is not None:
            found = self.agree(found)
        self._note(optimizer, OptimizerState.UNSCALED, found)

    def step(self, optimizer: Optimizer) -> None:
        """What `optimizer.step()` does, unless a gradient overflowed.

        Raises TypeMismatchError for what is no optimizer, ProgramError for a second step before
        `update`.
        """
        _require_optimizer(optimizer)
        if not self._enable:
            optimizer.step()
            return
        self._unscale_for_step(optimizer)
        found = self._progress_of(optimizer)[1]
        with optimizer.skipping(found):
            optimizer.step()
        self._note(optimizer, OptimizerState.STEPPED, found)
        if not self._dynamic:
            self._begin()

    def update(self) -> None:
        """Change the scale, after the steps of all optimizers."""
        if self._dynamic:
            self._update()
        self._begin()

    def minimize(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        """`step` by `optimizer.minimize` with the other arguments, and `update`.

        Returns what that does.
        """
        _require_optimizer(optimizer)
        if not self._enable:
            return optimizer.minimize(*args, **kwargs)
        self._unscale_for_step(optimizer)
        with optimizer.skipping(self._progress_of(optimizer)[1]):
            found = optimizer.minimize(*args, **kwargs)
        self.update()
        return found

    def state_dict(self) -> dict[str, Any]:
        """The scale, [1], float32, settings and counts, by Paddle's names; {} where it is off."""
        if not self._enable:
            return {}
        current().python_effect("state_dict of a scaler")
        counts = {k: int(x.item()) for k, x in zip(COUNTS, self._counts, strict=True)}
        found = {"scale": self._scale.numpy(), **self._settings, **counts}
        return {**found, "use_dynamic_loss_scaling": self._dynamic}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned.

        Raises TypeMismatchError for what is no dict, UnknownNameError where entries are missing, as
        of a scaler that is off.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeMismatchError(f"expected a dict, received {type(state_dict).__name__}")
        if not self._enable:
            return
        needed = ("scale", *SETTINGS, *COUNTS, "use_dynamic_loss_scaling")
        if missing := [name for name in needed if name not in state_dict]:
            raise UnknownNameError(
                f"the state of the scaler lacks {', '.join(missing)}",
                cure="pass what state_dict() of a scaler that is on has returned",
            )
        scale = np.asarray(state_dict["scale"], np.float32).reshape(-1)
        _check_scale(float(scale[0]) if scale.size == 1 else float("nan"))
        for name in SETTINGS:
            getattr(self, f"set_{name}")(state_dict[name])
        self._scale.set_value(scale)
        for name, count in zip(COUNTS, self._counts, strict=True):
            count.set_value(np.array([state_dict[name]], np.int32))
        self._dynamic = bool(state_dict["use_dynamic_loss_scaling"])

    set_state_dict = load_state_dict

    def get_init_loss_scaling(self) -> float:
        """The scale that is started from."""
        return self._initial if self._enable else 1.0

    def set_init_loss_scaling(self, new_init_loss_scaling: float) -> None:
        """Start anew from a scale above 0."""
        if self._enable:
            _check_scale(new_init_loss_scaling)
            self._initial = float(new_init_loss_scaling)
            self._scale.set_value(np.array([new_init_loss_scaling], np.float32))

    def get_incr_ratio(self) -> float:
        """By what the scale grows."""
        return self._settings["incr_ratio"]

    def set_incr_ratio(self, new_incr_ratio: float) -> None:
        """Set by what the scale grows, above 1."""
        self._set("incr_ratio", new_incr_ratio, right=new_incr_ratio > 1)

    def get_decr_ratio(self) -> float:
        """By what the scale shrinks."""
        return self._settings["decr_ratio"]

    def set_decr_ratio(self, new_decr_ratio: float) -> None:
        """Set by what the scale shrinks, below 1."""
        self._set("decr_ratio", new_decr_ratio, right=0 < new_decr_ratio < 1)

    def get_incr_every_n_steps(self) -> int:
        """After how many good steps the scale grows."""
        return int(self._settings["incr_every_n_steps"])

    def set_incr_every_n_steps(self, new_incr_every_n_steps: int) -> None:
        """Set after how many good steps the scale grows."""
        self._set("incr_every_n_steps", new_incr_every_n_steps, right=new_incr_every_n_steps > 0)

    def get_decr_every_n_nan_or_inf(self) -> int:
        """After how many bad steps the scale shrinks."""
        return int(self._settings["decr_every_n_nan_or_inf"])

    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: int) -> None:
        """Set after how many bad steps the scale shrinks."""
        number = new_decr_every_n_nan_or_inf
        self._set("decr_every_n_nan_or_inf", number, right=number > 0)

    def _set(self, name: str, value: Any, *, right: bool) -> None:
        if not right:
            raise ArgumentError(f"{name} is {value}: {RATIO}, and numbers of steps above 0")
        self._settings[name] = value

    def _begin(self) -> None:
        """Forget how far optimizers are, and whether a gradient overflowed: [1], bool, or None."""
        # A tuple, which is as it was before where converted code ends: it is traced once.
        self._progress: tuple[tuple[Optimizer, OptimizerState, Any], ...] = ()

    def _note(self, optimizer: Optimizer, state: OptimizerState, found: Any) -> None:
        others = tuple(x for x in self._progress if x[0] is not optimizer)
        self._progress = (*others, (optimizer, state, found))

    def _progress_of(self, optimizer: Optimizer) -> tuple[OptimizerState, Any]:
        known = (x[1:] for x in self._progress if x[0] is optimizer)
        return next(known, (OptimizerState.INIT, None))

    def _unscale_for_step(self, optimizer: Optimizer) -> None:
        state = self._progress_of(optimizer)[0]
        if state is OptimizerState.STEPPED:
            raise ProgramError(
                "step is called twice since the last update",
                cure="call update() after the steps of all optimizers",
            )
        if state is OptimizerState.INIT:
            self.unscale_(optimizer)

    def _update(self) -> None:
        overflows = [found for *_, found in self._progress if found is not None]
        if not overflows:
            return
        with using(derived(False)) as here:
            found = overflows[0]
            for other in overflows[1:]:
                found = logical_or(found, other)
            targets = (self._scale, *self._counts)
            for target, new in zip(
                targets, update_loss_scaling(found, *targets, [], **self._settings), strict=True
            ):
                here.rebind(target, new)


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


def _state(name: str, array: np.ndarray) -> Tensor:
    found: Tensor = to_tensor(array)
    found.persistable, found.name = True, f"loss_scaling_{name}_{id(found)}"
    return found


def _check_scale(scale: float) -> None:
    if not 0 < scale < float("inf"):
        raise ArgumentError(f"expected a scale above 0, received {scale}")


def _require_optimizer(optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer) and not hasattr(optimizer, "overflow_of_all"):
        raise TypeMismatchError(
            f"expected an optimizer, received {type(optimizer).__name__}",
            cure="pass the optimizer whose parameters are trained",
        )


__all__ = ["AmpScaler", "GradScaler", "OptimizerState"]

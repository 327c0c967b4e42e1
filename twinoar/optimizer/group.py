"""Which parameters an optimizer trains, in groups with settings of their own."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.regularizer import L2Decay

COMMON = frozenset({"params", "learning_rate", "weight_decay", "grad_clip", "lazy_mode", "name"})


@dataclass(slots=True)
class Group:
    """Parameters that are clipped together and share settings.

    settings: those of the rule by name (`beta1`, ...), with `params`, `weight_decay`, `grad_clip`.
    learning_rate: a factor on the optimizer's, or None for each parameter's own.
    regularizer: this group's own where `is_decayed_apart`, else the optimizer's.
    """

    settings: dict[str, Any]
    learning_rate: float | None
    grad_clip: Callable | None
    regularizer: Callable | None
    is_decayed_apart: bool

    @property
    def parameters(self) -> list[Value]:
        """The parameters."""
        return self.settings["params"]

    def rate_of(self, parameter: Value, learning_rate: Any) -> Any:
        """The rate for one parameter: `learning_rate` times the group's factor, or its own."""
        factor = self.learning_rate
        if factor is None:
            traits = getattr(parameter, "optimize_attr", None)
            factor = 1.0 if traits is None else traits["learning_rate"]
        return learning_rate if factor == 1.0 else learning_rate * factor

    def regularizer_of(self, parameter: Value) -> Callable | None:
        """What decays one parameter: the group's own, the parameter's own, or the optimizer's."""
        if self.is_decayed_apart:
            return self.regularizer
        own = getattr(parameter, "regularizer", None)
        return self.regularizer if own is None else own


def read_groups(
    parameters: Sequence[Any], defaults: Mapping[str, Any], *, decoupled: bool
) -> list[Group]:
    """The groups of a list of parameters (one), or of a list of dicts (one each).

    decoupled: the rule itself decays, so `weight_decay` is a setting of the rule.
    Raises ArgumentError for a parameter in two groups, or a setting that the rule does not have.
    """
    if not parameters or not isinstance(parameters[0], Mapping):
        return [make_group({"params": parameters}, defaults, decoupled=decoupled)]
    groups = [make_group(given, defaults, decoupled=decoupled) for given in parameters]
    seen: set[int] = set()
    for group in groups:
        own = {id(p) for p in group.parameters}
        if own & seen:
            raise ArgumentError("a parameter is in more than one group", cure="list it once")
        seen |= own
    return groups


def make_group(given: Any, defaults: Mapping[str, Any], *, decoupled: bool) -> Group:
    """One group from what the user gave and the optimizer's settings."""
    if not isinstance(given, Mapping) or "params" not in given:
        raise TypeMismatchError(
            f"a parameter group must be a dict with 'params', received {type(given).__name__}"
        )
    if unknown := given.keys() - defaults.keys() - COMMON:
        known = sorted({"learning_rate", *defaults})
        raise ArgumentError(
            f"a parameter group has the setting {min(unknown)!r}, which this optimizer has not",
            cure=f"use one of {', '.join(known)}",
        )
    settings = {**defaults, **given, "params": as_parameters(given["params"])}
    factor = given.get("learning_rate")
    decay = settings["weight_decay"]
    if decoupled:
        settings["weight_decay"] = as_number("weight_decay", decay)
    return Group(
        settings,
        None if factor is None else as_number("learning_rate", factor),
        as_clip(settings["grad_clip"]),
        None if decoupled else as_regularizer(decay),
        "weight_decay" in given and not decoupled,
    )


def as_parameters(parameters: Any) -> list[Value]:
    """A list of parameters. Raises TypeMismatchError for anything else."""
    if isinstance(parameters, Value):
        return [parameters]
    found = list(parameters)
    for p in found:
        if not isinstance(p, Value):
            raise TypeMismatchError(
                f"expected parameters, received {type(p).__name__} among them",
                cure="pass layer.parameters()",
            )
    return found


def as_parameter_list(parameters: Any) -> list[Any]:
    """What a user gave as `parameters`, as a list of parameters or of dicts."""
    if isinstance(parameters, (Value, Mapping, str)) or not isinstance(parameters, Iterable):
        kind = type(parameters).__name__
        raise TypeMismatchError(
            f"parameters must be a list of parameters or of groups, received {kind}",
            cure="pass layer.parameters()",
        )
    found = list(parameters)
    return found if found and isinstance(found[0], Mapping) else as_parameters(found)


def as_regularizer(weight_decay: Any) -> Callable | None:
    """A number as L2Decay, a regularizer as it is. Raises TypeMismatchError for anything else."""
    if weight_decay is None or callable(weight_decay):
        return weight_decay
    return L2Decay(as_number("weight_decay", weight_decay))


def as_clip(grad_clip: Any) -> Callable | None:
    """A gradient clip as it is. Raises TypeMismatchError for anything that cannot be called."""
    if grad_clip is None or callable(grad_clip):
        return grad_clip
    raise TypeMismatchError(
        f"grad_clip must be a gradient clip, received {grad_clip!r}",
        cure="use nn.ClipGradByGlobalNorm, nn.ClipGradByNorm or nn.ClipGradByValue",
    )


def require_callable(name: str, function: Any) -> Callable | None:
    """A function, or None, as it is. Raises TypeMismatchError for anything else."""
    if function is None or callable(function):
        return function
    raise TypeMismatchError(
        f"{name} must be a function, received {function!r}", cure="pass a function, or None"
    )


def as_number(name: str, value: Any) -> float:
    """A number, or a tensor of one element, as a float. Raises TypeMismatchError."""
    if isinstance(value, Value) and value.size == 1:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeMismatchError(
            f"{name} must be a number, received {value!r}", cure="pass an int or a float"
        )
    return float(value)

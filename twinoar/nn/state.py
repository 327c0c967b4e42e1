"""The state of a layer as a dictionary, and back: all that is saved of it."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.ir.program import State
from twinoar.core.values import Value
from twinoar.errors import DTypeError, TypeMismatchError
from twinoar.static.scope import global_scope

NAME_TABLE = "StructuredToParameterName@@"  # what Paddle writes into state files beside the values
UINT16 = np.dtype(np.uint16)  # as which Paddle's files hold bfloat16


def collect(
    layer: Any,
    destination: dict | None,
    below: bool,
    prefix: str,
    use_hook: bool,
    temporary: bool,
) -> dict:
    """Parameters, then buffers, then what the sublayers have, by dotted name.

    temporary: take buffers too that are not persistable.
    """
    found = OrderedDict() if destination is None else destination
    for name, parameter in layer._parameters.items():
        if parameter is not None:
            found[prefix + name] = parameter
    for name, buffer in layer._buffers.items():
        is_kept = temporary or name not in layer._non_persistable_buffer_names_set
        if buffer is not None and is_kept:
            found[prefix + name] = buffer
    if below:
        for name, sublayer in layer._sub_layers.items():
            if sublayer is not None:
                collect(sublayer, found, True, f"{prefix}{name}.", use_hook, temporary)
    if use_hook:
        for hook in layer._state_dict_hooks.values():
            replaced = hook(found)
            if replaced is not None:
                found = replaced
    return found


def load(layer: Any, state: Any, use_structured_name: bool) -> tuple[list[str], list[str]]:
    """Give `layer` the values of `state` that fit its names and shapes; none if one is no tensor.

    Returns the names that `state` lacks and the names that it has too many; warns of each. A value
    of another shape counts as both: a network for ten classes takes all but the last layer of one
    for a thousand.
    """
    if not isinstance(state, Mapping):
        raise TypeMismatchError(
            f"a state must be a dictionary of names and tensors, received {type(state).__name__}",
            cure="give set_state_dict what twinoar.load(path) returns",
        )
    chosen: list[tuple[Any, Any]] = []
    missing, faults, used = [], [], {NAME_TABLE}
    for name, target in collect(layer, None, True, "", False, False).items():
        key = name if use_structured_name else target.name
        fault = _fault(key, state, target)
        if fault is None:
            chosen.append((target, _fitting(key, state[key], target)))
            used.add(key)
        else:
            missing.append(key)
            faults.append(fault)
    unexpected = [key for key in state if key not in used]
    for target, value in chosen:
        _assign(target, value)
    faults += [
        f"the layer has no {key}; the state's is not used"
        for key in unexpected
        if key not in missing
    ]
    for fault in faults:
        warnings.warn(fault, stacklevel=3)
    return missing, unexpected


def _assign(target: Any, value: Any) -> None:
    """A State's value lives in the scope, a Tensor's in itself."""
    if isinstance(target, State):
        global_scope().write(target, np.array(value))
    else:
        target.set_value(value)


def _fault(key: str, state: Mapping, target: Any) -> str | None:
    """Why `target` keeps the value that it has, if `state` has none for it."""
    if key not in state:
        return f"the state has no {key}; it stays as it is"
    shape = getattr(state[key], "shape", target.shape)
    if list(shape) == list(target.shape):
        return None
    return (
        f"{key} has shape {list(target.shape)} in the layer and {list(shape)} in the state; "
        "it stays as it is"
    )


def _fitting(key: str, value: Any, target: Any) -> Any:
    """`value` if `target` can take it; raises otherwise."""
    if not isinstance(value, (Value, np.ndarray, np.generic)):
        raise TypeMismatchError(
            f"the state's {key} must be a Tensor or an ndarray, received {type(value).__name__}",
            cure="convert it with to_tensor",
        )
    if isinstance(value, np.ndarray) and value.dtype == UINT16 and target.dtype == "bfloat16":
        return value.view(target.dtype.numpy)
    given: Any = value.dtype
    own = given if isinstance(value, Value) else BY_NUMPY.get(given, given)
    if own != target.dtype:
        raise DTypeError(
            f"{key} is {target.dtype.name} in the layer and {own.name} in the state; nothing was "
            "loaded",
            cure=f"convert one: layer.to(dtype='{own.name}'), or the value with astype",
        )
    return value
